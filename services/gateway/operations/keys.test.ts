import { describe, expect, test } from "vitest";
import { AppError, conflict, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import { type OperationName, operations, type RequestContext } from "#libs/contract/index.ts";
import { digestOf, hintOf, isSecret } from "#libs/contract/key.ts";
import type { RequestBilling } from "../payments/billing.ts";
import { register, revokeKey, rotateKey } from "./keys.ts";
import { getUsage } from "./usage.ts";

const context: RequestContext = {
	signal: AbortSignal.timeout(60_000),
	caller: { keyId: 7, accountId: 3, plan: "Free", monthlyQueries: 50, perMinute: 10, dailyQueries: null },
	http: { headers: {}, address: "192.0.2.1" },
};
const issued = {
	key_id: 8,
	account_id: 3,
	plan: "Free",
	monthly_queries: 50,
	per_minute: 10,
	daily_queries: null,
	created_at: "2026-11-21T10:00:00Z",
};

/** Billing as far as a test needs it: what it was asked, and one answer, of which the first `unanswered` are lost. */
function billing(
	answer: object | AppError,
	unanswered = 0,
): { requests: [string, Record<string, unknown>][]; requestBilling: RequestBilling } {
	const requests: [string, Record<string, unknown>][] = [];
	const ask = async (name: string, params: object) => {
		requests.push([name, { ...params }]);
		if (requests.length <= unanswered) throw unavailable("no answer in time");
		if (answer instanceof AppError) throw answer;
		return answer;
	};
	return { requests, requestBilling: ask as RequestBilling };
}

/** Parsed as it is declared: a field too many, such as the account's id, is refused. */
const answered = <N extends OperationName>(name: N, { json }: { json: unknown }) =>
	operations[name].reply.parse(JSON.parse(String(json))) as Record<string, unknown>;

const unlimited = async () => {};

describe("registering", () => {
	test("returns a key, of which billing receives only the fingerprint", async () => {
		const { requests, requestBilling } = billing(issued);
		const answer = await register({ requestBilling, limitRegistrations: unlimited })(
			{ email: "a@example.com" },
			context,
		);
		const { key, hint, ...rest } = answered("register", answer);
		expect(isSecret(String(key), "pk_")).toBe(true);
		expect(hint).toBe(hintOf(String(key)));
		const { account_id: _, ...public_ } = issued;
		expect(rest).toEqual(public_);
		const params = { email: "a@example.com", name: null, sha256: digestOf(String(key)), hint };
		expect(requests).toEqual([["issueKey", params]]);
		expect(JSON.stringify(requests)).not.toContain(String(key));
	});

	test("is limited by address before the request reaches billing", async () => {
		const { requests, requestBilling } = billing(issued);
		const addresses: string[] = [];
		const limitRegistrations = async (address: string) => {
			addresses.push(address);
			throw tooManyRequests("too many", 60);
		};
		const again = register({ requestBilling, limitRegistrations })({ email: "a@example.com" }, context);
		await expect(again).rejects.toMatchObject({ status: 429 });
		expect(addresses).toEqual(["192.0.2.1"]);
		expect(requests).toEqual([]);
	});

	test("without an address is an error, so the limit cannot be bypassed", async () => {
		const { requests, requestBilling } = billing(issued);
		const { http: _, ...nowhere } = context;
		const handle = register({ requestBilling, limitRegistrations: unlimited });
		await expect(handle({ email: "a@example.com" }, nowhere)).rejects.toThrow("address");
		expect(requests).toEqual([]);
	});

	test("retries once for the same key if the reply is lost, and then fails", async () => {
		const { requests, requestBilling } = billing(issued, 1);
		const answer = await register({ requestBilling, limitRegistrations: unlimited })(
			{ email: "a@example.com" },
			context,
		);
		const { key } = answered("register", answer);
		expect(requests.map(([, { sha256 }]) => sha256)).toEqual([digestOf(String(key)), digestOf(String(key))]);

		const away = billing(issued, 9);
		const again = register({ requestBilling: away.requestBilling, limitRegistrations: unlimited });
		await expect(again({ email: "a@example.com" }, context)).rejects.toMatchObject({ status: 503 });
		expect(away.requests).toHaveLength(2);
	});

	test("returns billing's refusal without the key", async () => {
		const { requests, requestBilling } = billing(conflict("has a key already"));
		const handle = register({ requestBilling, limitRegistrations: unlimited });
		await expect(handle({ email: "a@example.com", name: "Ann" }, context)).rejects.toMatchObject({
			status: 409,
			message: "has a key already",
		});
		expect(requests).toHaveLength(1);
	});
});

describe("a key", () => {
	test("is replaced by a new one on request of its holder", async () => {
		const more = { replaces: "pk_abcd…wxyz", old_key_works_until: "2026-11-22T10:00:00Z" };
		const { requests, requestBilling } = billing({ ...issued, ...more });
		const { key, hint, ...rest } = answered(
			"rotateKey",
			await rotateKey({ requestBilling })({ grace_seconds: 3_600 }, context),
		);
		expect(rest).toMatchObject({ key_id: 8, ...more });
		const params = { key_id: 7, sha256: digestOf(String(key)), hint, grace_seconds: 3_600 };
		expect(requests).toEqual([["replaceKey", params]]);
	});

	test("is replaced by the same new one if the reply was lost", async () => {
		const more = { replaces: "pk_abcd…wxyz", old_key_works_until: "2026-11-22T10:00:00Z" };
		const { requests, requestBilling } = billing({ ...issued, ...more }, 1);
		await rotateKey({ requestBilling })({ grace_seconds: 0 }, context);
		expect(requests).toHaveLength(2);
		expect(requests[1]).toEqual(requests[0]);
	});

	test("is revoked on request of its holder", async () => {
		const ended = { hint: "pk_abcd…wxyz", revoked_at: "2026-11-21T10:00:00Z" };
		const { requests, requestBilling } = billing(ended);
		expect(answered("revokeKey", await revokeKey({ requestBilling })({}, context))).toEqual(ended);
		expect(requests).toEqual([["endKey", { key_id: 7 }]]);
	});

	test("is required", async () => {
		const { requests, requestBilling } = billing({});
		const { caller: _, ...withoutKey } = context;
		const handles = [
			rotateKey({ requestBilling })({ grace_seconds: 0 }, withoutKey),
			revokeKey({ requestBilling })({}, withoutKey),
			getUsage({ requestBilling, usedNow: async () => 0, ...idle, noticesOf: async () => [] })({}, withoutKey),
		];
		for (const handle of handles) await expect(handle).rejects.toMatchObject({ status: 403 });
		expect(requests).toEqual([]);
	});
});

/** Usage of a key without a cap. */
const idle = { usedToday: async () => undefined, now: () => new Date("2026-12-01T12:00:00Z") };

describe("usage", () => {
	const ledger = {
		key: { hint: "pk_abcd…wxyz", created_at: "2026-11-01T00:00:00Z", expires_at: null },
		email: "a@example.com",
		email_verified: true,
		month: "2026-12",
		counted: 20,
		last_24_hours: 31,
		by_operation: [{ operation: "listProjects", requests: 31, counted: 20 }],
		by_day: [{ day: "2026-12-01", requests: 31, counted: 20 }],
	};
	const notices = [
		{ webhook_id: 1, url: "https://example.com/", disabled_at: "2026-11-01T00:00:00Z", reason: "it answered 500" },
	];
	const ask = async (usedNow: number | undefined, by = context, noticesOf = async () => notices) => {
		const { requestBilling } = billing(ledger);
		return answered(
			"getUsage",
			await getUsage({ requestBilling, usedNow: async () => usedNow, ...idle, noticesOf })({}, by),
		);
	};

	test("states the remaining queries and when they reset", async () => {
		expect(await ask(20)).toEqual({
			key: ledger.key,
			email: "a@example.com",
			email_verified: true,
			plan: "Free",
			month: "2026-12",
			used: 20,
			monthly_queries: 50,
			remaining: 30,
			resets_at: "2027-01-01T00:00:00Z",
			per_minute: 10,
			key_day: null,
			last_24_hours: 31,
			by_operation: ledger.by_operation,
			by_day: ledger.by_day,
			alerts: [],
			notices,
		});
	});

	test("is returned without notices while these cannot be read", async () => {
		const away = async () => Promise.reject(unavailable("not available"));
		expect(await ask(20, context, away)).toMatchObject({ used: 20, notices: null });
	});

	test.each([
		[23, 23, 27],
		[0, 20, 30],
		[undefined, 20, 30],
		[51, 51, 0],
	])("is the larger of the count in Redis (%s) and the ledger's 20", async (usedNow, used, remaining) => {
		expect(await ask(usedNow)).toMatchObject({ used, remaining });
	});

	test("has no reset without a quota", async () => {
		const caller = {
			keyId: 7,
			accountId: 3,
			plan: "Enterprise",
			monthlyQueries: null,
			perMinute: null,
			dailyQueries: null,
		} as const;
		expect(await ask(20, { ...context, caller })).toMatchObject({
			monthly_queries: null,
			remaining: null,
			per_minute: null,
		});
	});
});
