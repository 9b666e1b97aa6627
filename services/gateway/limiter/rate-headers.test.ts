import { type Item, parseList } from "structured-headers";
import { describe, expect, it } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import type { Decision } from "./limiter.ts";
import { rateHeaders, tooMany } from "./rate-headers.ts";

const minute = { limit: 10, remaining: 9, resetSeconds: 37, windowSeconds: 60 };
const month = {
	limit: 50,
	remaining: 0,
	resetSeconds: 864_000,
	windowSeconds: 2_592_000,
	resetsAt: "2026-12-01T00:00:00Z",
};

/** As any reader of structured fields sees them. */
const read = (field: string | undefined) =>
	(parseList(field ?? "") as Item[]).map(([name, parameters]) => [name, Object.fromEntries(parameters)]);

describe("the RateLimit headers", () => {
	it("are structured fields that contain every policy", () => {
		const headers = rateHeaders({ minute, month });
		expect(read(headers["ratelimit-policy"])).toEqual([
			["minute", { q: 10, w: 60 }],
			["month", { q: 50, w: 2_592_000 }],
		]);
		expect(read(headers.ratelimit)).toEqual([
			["minute", { r: 9, t: 37 }],
			["month", { r: 0, t: 864_000 }],
		]);
	});

	it("match the examples of the draft", () => {
		expect(rateHeaders({ minute })).toEqual({
			"ratelimit-policy": '"minute";q=10;w=60',
			ratelimit: '"minute";r=9;t=37',
		});
	});

	it("name other windows by their length", () => {
		expect(read(rateHeaders({ minute: { ...minute, windowSeconds: 3_600 } }).ratelimit)).toEqual([
			["hour", { r: 9, t: 37 }],
		]);
	});

	it("are absent if nothing is limited", () => {
		expect(rateHeaders({})).toEqual({});
	});
});

describe("a refusal", () => {
	const refused = (violated: "minute" | "month"): Decision => ({
		allowed: false,
		violated,
		minute,
		month,
		degraded: false,
	});

	it("by the monthly limit names the limit and when it resets", () => {
		const error = tooMany(refused("month"));
		expect(error).toBeInstanceOf(AppError);
		expect(JSON.parse(JSON.stringify(error))).toEqual({
			type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
			title: "Quota exceeded",
			status: 429,
			detail: "the monthly limit of 50 queries is used up: it resets at 2026-12-01T00:00:00Z",
			code: "quota_used_up",
			"violated-policies": ["month"],
		});
		expect(error.retryAfterSeconds).toBe(864_000);
	});

	it("by the limit per minute names only that limit, and the time until the next request", () => {
		const error = tooMany(refused("minute"));
		expect(error.message).toBe("too many requests: the limit is 10 in any 60 seconds; try again in 37 s");
		expect(error.toJSON()["violated-policies"]).toEqual(["minute"]);
		expect(error.retryAfterSeconds).toBe(37);
	});

	it("is a problem document and carries the RateLimit headers", () => {
		expect(tooMany(refused("minute")).headers).toEqual({
			...rateHeaders({ minute, month }),
			"content-type": "application/problem+json",
		});
	});

	it("names another window that limits the request", () => {
		const hour = { ...minute, limit: 5, windowSeconds: 3_600 };
		const error = tooMany(
			{ allowed: false, violated: "minute", minute: hour, degraded: false },
			"keys from this address",
		);
		expect(error.message).toBe(
			"too many keys from this address: the limit is 5 in any 3600 seconds; try again in 37 s",
		);
		expect(error.toJSON()["violated-policies"]).toEqual(["hour"]);
	});
});
