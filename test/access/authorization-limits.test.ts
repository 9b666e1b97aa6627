/** The limits of an API key over HTTP at two replicas: its plan's requests a minute and queries a month, what a query costs, and what responses say of them. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { badRequest, unavailable } from "#libs/contract/errors.ts";
import { operations } from "#libs/contract/index.ts";
import { periodOf } from "../../services/gateway/limiter/limits.ts";
import { eventually } from "../support/eventually.ts";
import { countsOf, limitsIn, newHolder, postJson, refusal, statusesOf, usageOf, withKey } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

const owner = countingOwner();
let gateways: TestGateways;
beforeAll(async () => {
	gateways = await startGateways({
		owner: { ...owner.handlers, getStats: owner.handlers.listProjects as never },
		subscriptions: {
			getWatchlist: owner.handlers.listProjects as never,
			listWatchlistChanges: owner.handlers.listChanges as never,
		},
		replicas: 2,
		// Two cores that are busy must not look like a Redis that is away.
		settings: { REGISTRATIONS_PER_HOUR: "1000000", REDIS_TIMEOUT_MS: "10000", KEYLESS: "closed" },
	});
});
beforeEach(() => owner.reset());
afterAll(() => gateways?.[Symbol.asyncDispose]());

/** Asks one replica after the other. */
const asking =
	(key: string, path = "/projects") =>
	(place: number) =>
		fetch(`${gateways.urls[place % 2]}${path}`, withKey(key));
const times = (count: number, status: number) => Array<number>(count).fill(status);
const used = async (key: string) => (await usageOf(gateways, key)).used;

describe("the limit per minute of a plan", () => {
	it("allows the 10th request and refuses the 11th, at any replica", async () => {
		const { key } = await newHolder(gateways);
		const ask = asking(key);
		for (let left = 9; left >= 0; left--) {
			const response = await ask(left);
			expect([left, response.status]).toEqual([left, 200]);
			const { policy, left: limits } = limitsIn(response);
			expect(policy).toEqual({
				minute: { q: 10, w: 60 },
				month: { q: 50, w: periodOf("month", gateways.clock.now).seconds },
			});
			expect(limits.minute?.r).toBe(left);
			expect(limits.minute?.t).toBeGreaterThan(0);
			expect(limits.minute?.t).toBeLessThanOrEqual(60);
			expect(limits.month?.r).toBe(40 + left);
		}
		const refused = await ask(0);
		expect([refused.status, refused.headers.get("content-type")]).toEqual([
			429,
			"application/problem+json; charset=utf-8",
		]);
		expect(refused.headers.get("cache-control")).toBe("no-store");
		const { policy, left } = limitsIn(refused);
		expect(policy.minute).toEqual({ q: 10, w: 60 });
		expect(left.minute?.r).toBe(0);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(left.minute?.t ?? Number.NaN);
		const body = (await refused.json()) as { detail: string };
		expect(body).toEqual({
			type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
			title: "Quota exceeded",
			status: 429,
			detail: expect.stringContaining("the limit is 10 in any 60 seconds"),
			code: "rate_limited",
			"violated-policies": ["minute"],
			request_id: expect.any(String),
		});
		expect(body.detail).not.toContain("month");
	});

	it("counts malformed requests, but not those that are free without a key", async () => {
		const { key } = await newHolder(gateways);
		expect(await statusesOf(20, asking(key, "/plans"))).toEqual(times(20, 200));
		expect(await statusesOf(10, asking(key, "/projects?nope=1"))).toEqual(times(10, 422));
		expect((await asking(key)(0)).status).toBe(429);
		expect((await asking(key, "/plans")(0)).status).toBe(200);
	});

	it("is shared by all keys of the account, and separate for another account", async () => {
		const { key } = await newHolder(gateways);
		const rotated = await postJson(`${gateways.url}/keys/rotate`, { grace_seconds: 3_600 }, { "x-api-key": key });
		const { key: fresh } = (await rotated.json()) as { key: string };
		expect(await statusesOf(10, (place) => asking(place % 3 ? key : fresh)(place))).toEqual(times(10, 200));
		expect([(await asking(key)(0)).status, (await asking(fresh)(1)).status]).toEqual([429, 429]);
		expect((await asking((await newHolder(gateways)).key)(0)).status).toBe(200);
	});

	it("still lets the owner replace or revoke a key that another caller has exhausted", async () => {
		const { key } = await newHolder(gateways);
		expect(await statusesOf(11, asking(key))).toEqual([...times(10, 200), 429]);
		const rotated = await postJson(`${gateways.url}/keys/rotate`, { grace_seconds: 3_600 }, { "x-api-key": key });
		expect(rotated.status).toBe(200);
		// Changes of keys have a limit of their own.
		const spoilt = () => postJson(`${gateways.url}/keys/rotate`, { nope: 1 }, { "x-api-key": key });
		expect((await statusesOf(12, spoilt)).at(-1)).toBe(429);
		expect((await postJson(`${gateways.url}/keys/revoke`, { nope: 1 }, { "x-api-key": key })).status).toBe(429);
		expect((await fetch(`${gateways.url}/keys/revoke`, { method: "POST", ...withKey(key) })).status).toBe(200);
		await eventually(async () => (await asking(key)(0)).status === 403);
	});
});

describe("the monthly quota of a plan", () => {
	it("allows 50 requests and refuses the 51st, with the monthly limit and its reset", async () => {
		const { key } = await newHolder(gateways, { perMinute: 1_000 });
		expect(await statusesOf(50, asking(key))).toEqual(times(50, 200));
		const refused = await asking(key)(0);
		const { leftSeconds, resetsAt } = periodOf("month", gateways.clock.now);
		expect(refused.status).toBe(429);
		const { policy, left } = limitsIn(refused);
		expect(policy.month?.q).toBe(50);
		expect(left.month).toEqual({ r: 0, t: leftSeconds });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(leftSeconds);
		expect(await refused.json()).toMatchObject({
			detail: `the monthly limit of 50 queries is used up: it resets at ${resetsAt}`,
			code: "quota_used_up",
			"violated-policies": ["month"],
			request_id: expect.any(String),
		});
		// Requests that cost no query still succeed.
		expect((await asking(key, "/plans")(0)).status).toBe(200);
		expect(await usageOf(gateways, key)).toMatchObject({ used: 50, remaining: 0, resets_at: resetsAt });
		expect(owner.runs).toBe(50);
	});

	it("is named if the minute is exhausted too, because it lasts longer", async () => {
		const { key } = await newHolder(gateways, { perMinute: 2, monthlyQueries: 2 });
		expect(await statusesOf(2, asking(key))).toEqual([200, 200]);
		expect(await (await asking(key)(0)).json()).toMatchObject({ "violated-policies": ["month"] });
	});

	it("allows exactly 10 of 100 parallel requests at two replicas on its last 10", async () => {
		const { key, email } = await newHolder(gateways, { plan: "Growth", perMinute: 1_000_000 });
		// Counted before, and by now deleted in Redis: the ledger has it.
		await gateways.sql`
			insert into usage_hours (account_id, hour, operation, requests, counted, failed, paid_micro_usd)
			select id, date_trunc('hour', ${gateways.clock.now}::timestamptz), 'listProjects', 2490, 2490, 0, 0
			from accounts where registered_email = ${email}`;
		const statuses = await Promise.all(
			Array.from({ length: 100 }, async (_, place) => {
				const response = await asking(key)(place);
				await response.text();
				return response.status;
			}),
		);
		expect(statuses.filter((status) => status === 200)).toHaveLength(10);
		expect(statuses.filter((status) => status === 429)).toHaveLength(90);
		expect(owner.runs).toBeLessThanOrEqual(10);
		await gateways.recorded();
		expect(await used(key)).toBe(2_500);
	});
});

describe("a monthly query", () => {
	const roomy = { perMinute: 1_000 };
	it.each([
		["an answer", "/projects", {}, 200],
		["what is not there", "/developers/unknown", {}, 404],
		["HEAD", "/projects", { method: "HEAD" }, 200],
		["a stream", "/export/projects", {}, 200],
		["the requests of a watchlist", "/watchlists/1", {}, 200],
	])("is used by %s", async (_what, path, init, status) => {
		const { key } = await newHolder(gateways, roomy);
		const response = await fetch(gateways.url + path, { ...withKey(key), ...init });
		await response.text();
		expect([response.status, await used(key)]).toEqual([status, 1]);
	});

	it("is used by a 304", async () => {
		const { key } = await newHolder(gateways, roomy);
		const { headers } = withKey(key);
		const once = await fetch(`${gateways.url}/projects/PJM-1`, { headers });
		const etag = once.headers.get("etag") ?? "";
		owner.reset();
		const again = await fetch(`${gateways.url}/projects/PJM-1`, { headers: { ...headers, "if-none-match": etag } });
		expect([again.status, await used(key)]).toEqual([304, 2]);
	});

	it.each([
		["what cannot be understood", "/projects?per_page=0", 422],
		["what cannot be decoded", "/projects?state=%zz", 400],
		["a free answer", "/stats", 200],
		["the changes of a watchlist", "/watchlists/1/changes", 200],
		["a page", "/docs", 200],
		["a path that is not there", "/nope", 404],
	])("is not used by %s", async (_what, path, status) => {
		const { key } = await newHolder(gateways, roomy);
		const response = await asking(key, path)(0);
		await response.text();
		expect([response.status, await used(key)]).toEqual([status, 0]);
	});

	it("is not used by a request that authorization refuses (403 and 429)", async () => {
		const { key } = await newHolder(gateways, { perMinute: 3 });
		const other = (await newHolder(gateways)).key;
		expect((await refusal(asking(key, `/projects?api_key=${other}`)(0))).status).toBe(403);
		expect(await statusesOf(5, asking(key))).toEqual([200, 200, 200, 429, 429]);
		expect(await used(key)).toBe(3);
	});

	it("is not used by reads of the account's own usage, which have a separate limit", async () => {
		const { key } = await newHolder(gateways, { perMinute: 2, monthlyQueries: 2 });
		expect(await statusesOf(3, asking(key))).toEqual([200, 200, 429]);
		const answer = await asking(key, "/usage")(0);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toMatchObject({ used: 2, remaining: 0 });
		const { policy, left } = limitsIn(answer);
		expect([policy, left.minute?.r]).toEqual([{ minute: { q: 2, w: 60 } }, 1]);
		expect(await statusesOf(2, asking(key, "/usage"))).toEqual([200, 429]);
		// Nor do they take anything of the plan.
		const other = (await newHolder(gateways, { perMinute: 2 })).key;
		expect(await statusesOf(2, asking(other, "/usage"))).toEqual(times(2, 200));
		expect(await statusesOf(3, asking(other))).toEqual([200, 200, 429]);
	});

	it.each([
		["fails", () => Promise.reject(new Error("the owner fell over")), 500],
		["has no time", () => Promise.reject(unavailable("later")), 503],
	])("is refunded if the owning service %s", async (_what, meet, status) => {
		const { key } = await newHolder(gateways, roomy);
		expect((await asking(key)(0)).status).toBe(200);
		owner.next(meet);
		expect((await asking(key)(0)).status).toBe(status);
		await eventually(async () => (await used(key)) === 1);
		await gateways.recorded();
		expect(await countsOf(gateways, key)).toMatchObject({ listProjects: [2, 1] });
	});

	it("is not refunded if the owning service refuses the request", async () => {
		const { key } = await newHolder(gateways, roomy);
		owner.next(() => Promise.reject(badRequest("not so")));
		expect((await asking(key)(0)).status).toBe(400);
		expect(await used(key)).toBe(1);
	});
});

describe("the daily cap of a key", () => {
	const patch = (key: string, body: object) =>
		fetch(`${gateways.url}/keys`, {
			method: "PATCH",
			headers: { "content-type": "application/json", "x-api-key": key },
			body: JSON.stringify(body),
		});
	/** Set, and received by both replicas. */
	const cap = async (key: string, daily_queries: number | null) => {
		const answered = await patch(key, { daily_queries });
		expect(answered.status).toBe(200);
		expect(await answered.json()).toEqual({ hint: expect.stringMatching(/^pk_/), daily_queries });
		for (const url of gateways.urls)
			await eventually(async () => {
				const { key_day } = operations.getUsage.reply.parse(await (await fetch(`${url}/usage`, withKey(key))).json());
				return (key_day?.daily_queries ?? null) === daily_queries;
			});
	};
	const holder = () => newHolder(gateways, { plan: "Growth", perMinute: 1_000_000 });

	it("allows exactly its number a day at two replicas, and refuses others with a code", async () => {
		const { key } = await holder();
		await cap(key, 12);
		expect(await statusesOf(14, asking(key))).toEqual([...times(12, 200), 403, 403]);
		const refused = await asking(key)(1);
		expect(refused.status).toBe(403);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await refused.json()).toMatchObject({
			code: "spend_cap_reached",
			detail: expect.stringContaining("daily cap of 12 queries reached"),
		});
		expect(await used(key)).toBe(12);
		// Requests that cost no query still succeed, and the cap can be changed.
		expect((await asking(key, "/plans")(0)).status).toBe(200);
		await cap(key, 40);
		const parallel = await Promise.all(
			Array.from({ length: 100 }, async (_, place) => {
				const response = await asking(key)(place);
				await response.text();
				return response.status;
			}),
		);
		expect(parallel.filter((status) => status === 200)).toHaveLength(28);
		expect(new Set(parallel)).toEqual(new Set([200, 403]));
		await cap(key, null);
		expect(await statusesOf(4, asking(key))).toEqual(times(4, 200));
	});

	it("applies to one key: it is set at registration, passes to the successor, and not to other keys of the account", async () => {
		const email = `capped-${Date.now()}@example.org`;
		const registered = await postJson(`${gateways.url}/register`, { email, daily_queries: 2 });
		const { key, daily_queries } = (await registered.json()) as { key: string; daily_queries: number };
		expect(daily_queries).toBe(2);
		expect(await statusesOf(3, asking(key))).toEqual([200, 200, 403]);
		const rotated = await postJson(`${gateways.url}/keys/rotate`, { grace_seconds: 3_600 }, { "x-api-key": key });
		const fresh = (await rotated.json()) as { key: string; daily_queries: number };
		expect(fresh.daily_queries).toBe(2);
		expect(await statusesOf(3, asking(fresh.key))).toEqual([200, 200, 403]);
		expect(await used(fresh.key)).toBe(4);
	});

	it("does not count requests that fail internally, are refused or exceed the plan", async () => {
		const { key } = await newHolder(gateways, { plan: "Growth", perMinute: 1_000_000, monthlyQueries: 4 });
		await cap(key, 3);
		owner.next(() => Promise.reject(unavailable("not now")));
		expect((await asking(key)(0)).status).toBe(503);
		expect((await asking(key, "/projects?nope=1")(0)).status).toBe(422);
		await eventually(async () => (await used(key)) === 0);
		expect(await statusesOf(4, asking(key))).toEqual([200, 200, 200, 403]);
		await cap(key, 10);
		expect(await statusesOf(3, asking(key))).toEqual([200, 429, 429]);
		await cap(key, 5);
		expect((await asking(key)(0)).status).toBe(429);
	});

	it("is read from the ledger if the counter was lost", async () => {
		const { key } = await holder();
		await cap(key, 3);
		expect(await statusesOf(2, asking(key))).toEqual([200, 200]);
		await gateways.recorded();
		const raw = new Redis(gateways.redis.operatorUrl);
		await raw.flushall();
		raw.disconnect();
		expect(await statusesOf(3, asking(key))).toEqual([200, 403, 403]);
		expect(await used(key)).toBe(3);
	});
});

describe("a receipt", () => {
	const receiptOf = async (id: string | null, key?: string) => {
		const headers = key === undefined ? {} : withKey(key).headers;
		return fetch(`${gateways.urls[1]}/receipts/${encodeURIComponent(id ?? "")}`, { headers });
	};

	it("shows what a call used of the plan, only to its account", async () => {
		const { key } = await newHolder(gateways);
		const { key: other } = await newHolder(gateways);
		const id = (await asking(key)(0)).headers.get("x-request-id");
		await gateways.recorded();
		const answered = await receiptOf(id, key);
		expect([answered.status, answered.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
		expect(operations.getReceipt.reply.parse(await answered.json())).toMatchObject({
			request_id: id,
			operation: "listProjects",
			paid_by: "plan",
			queries: 1,
			amount_usd: 0,
			state: null,
		});
		for (const stranger of [other, undefined]) expect((await receiptOf(id, stranger)).status).toBe(404);
		expect((await receiptOf("no-such-request", key)).status).toBe(404);
		const free = (await asking(key, "/plans")(0)).headers.get("x-request-id");
		await gateways.recorded();
		expect(await (await receiptOf(free, key)).json()).toMatchObject({ operation: "listPlans", queries: 0 });
	});
});

describe("/usage", () => {
	it("counts the account's requests by operation, and none of other accounts", async () => {
		const { key, email } = await newHolder(gateways, { plan: "Growth", perMinute: 1_000 });
		const { key: other } = await newHolder(gateways);
		await statusesOf(7, asking(key));
		await statusesOf(3, asking(key, "/projects/PJM-1"));
		await statusesOf(2, asking(key, "/projects?nope=1"));
		await statusesOf(4, asking(key, "/plans"));
		await statusesOf(1, asking(key, "/export/projects"));
		await statusesOf(5, asking(other));
		await statusesOf(5, () => fetch(`${gateways.url}/projects`));
		await gateways.recorded();
		const { resetsAt, name } = periodOf("month", gateways.clock.now);
		expect(await usageOf(gateways, key)).toEqual({
			key: { hint: expect.stringMatching(/^pk_\w{4}…\w{4}$/), created_at: expect.any(String), expires_at: null },
			...{ email, email_verified: false, plan: "Growth" },
			month: name,
			used: 11,
			monthly_queries: 2_500,
			remaining: 2_489,
			resets_at: resetsAt,
			per_minute: 1_000,
			key_day: null,
			last_24_hours: 17,
			by_operation: [
				{ operation: "listProjects", requests: 9, counted: 7 },
				{ operation: "listPlans", requests: 4, counted: 0 },
				{ operation: "getProject", requests: 3, counted: 3 },
				{ operation: "exportProjects", requests: 1, counted: 1 },
			],
			by_day: [{ day: gateways.clock.now.toISOString().slice(0, 10), requests: 17, counted: 11 }],
			alerts: [],
			// The service of webhooks is not there.
			notices: null,
		});
		expect(await usageOf(gateways, other)).toMatchObject({ used: 5, remaining: 45, last_24_hours: 5 });
		const table = await fetch(`${gateways.url}/usage?format=csv`, withKey(key));
		expect([table.headers.get("content-type"), table.headers.get("cache-control")]).toEqual([
			"text/csv; charset=utf-8; header=present",
			"no-store",
		]);
		const day = gateways.clock.now.toISOString().slice(0, 10);
		// Questions about usage itself are recorded a moment later.
		const lines = (await table.text()).split("\r\n").filter((line) => !line.includes("getUsage"));
		expect(lines).toEqual([
			"day,operation,requests,counted",
			`${day},exportProjects,1,1`,
			`${day},getProject,3,3`,
			`${day},listPlans,4,0`,
			`${day},listProjects,9,7`,
			"",
		]);
	});

	it("alerts at 50, 80 and 100 % of the month and of the key's day", async () => {
		const { key } = await newHolder(gateways, { monthlyQueries: 10, perMinute: 1_000 });
		const capped = await fetch(`${gateways.url}/keys`, {
			method: "PATCH",
			headers: { "content-type": "application/json", "x-api-key": key },
			body: JSON.stringify({ daily_queries: 5 }),
		});
		expect(capped.status).toBe(200);
		const alerts = async () => (await usageOf(gateways, key)).alerts.map(({ of, share }) => `${of} ${share}`);
		const seen: string[][] = [];
		for (let queries = 0; queries < 5; queries++) {
			seen.push(await alerts());
			expect((await asking(key)(0)).status).toBe(200);
		}
		expect(seen).toEqual([[], [], [], ["key_day 0.5"], ["key_day 0.8"]]);
		const { key_day, alerts: now, resets_at } = await usageOf(gateways, key);
		const day = { used: 5, resets_at: expect.stringMatching(/T00:00:00Z$/) };
		expect(key_day).toEqual({ daily_queries: 5, ...day });
		expect(now).toEqual([
			{ of: "month", share: 0.5, used: 5, limit: 10, resets_at },
			{ of: "key_day", share: 1, limit: 5, ...day },
		]);
	});
});
