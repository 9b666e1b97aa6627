/** Keys and accounts: what is issued, replaced and revoked, and what is published of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AppError } from "#libs/contract/errors.ts";
import { republish } from "../../services/billing/admin/republish.ts";
import { newSecret, openBilling, type TestBilling } from "./support/billing.ts";

const start = "2026-11-21T12:00:00Z";
const day = 86_400;

let billing: TestBilling;
beforeAll(async () => {
	billing = await openBilling();
});
afterAll(() => billing[Symbol.asyncDispose]());
beforeEach(async () => {
	billing.clock.now = new Date(start);
	await billing.sql`truncate accounts, keys, outbox, usage cascade`;
});

const pass = (seconds: number) => {
	billing.clock.now = new Date(billing.clock.now.getTime() + seconds * 1000);
};
const grantOf = async (sha256: string) => (await billing.ask("resolveKey", { sha256 })).grant;
const replace = async (key_id: number, grace_seconds: number) => {
	const { secret: _, ...key } = newSecret();
	return { ...key, ...(await billing.ask("replaceKey", { key_id, grace_seconds, ...key })) };
};
const refusalOf = async (asked: Promise<unknown>) => {
	const error: AppError = await asked.then(
		() => Promise.reject(new Error("it was not refused")),
		(reason) => reason,
	);
	return { status: error.status, detail: error.message };
};

describe("a plan", () => {
	it("is listed with its limits, in the order of the price list", async () => {
		const { plans } = await billing.ask("listPlans");
		expect(plans.map(({ name, monthly_queries, per_minute }) => [name, monthly_queries, per_minute])).toEqual([
			["Free", 50, 10],
			["Growth", 2_500, 60],
			["Scale", 20_000, 200],
			["Enterprise", null, null],
		]);
	});

	it("sets the limits of a key, unless the account has agreed limits", async () => {
		const key = await billing.issue("a@example.org");
		expect(await grantOf(key.sha256)).toEqual({
			key_id: key.id,
			account_id: key.accountId,
			plan: "Free",
			monthly_queries: 50,
			per_minute: 10,
			daily_queries: null,
			expires_at: null,
			revoked: false,
		});
		await billing.sql`update accounts set per_minute = 33`;
		expect(await grantOf(key.sha256)).toMatchObject({ monthly_queries: 50, per_minute: 33 });
		await billing.sql`update accounts set plan = 'Enterprise', monthly_queries = 0`;
		expect(await grantOf(key.sha256)).toMatchObject({ plan: "Enterprise", monthly_queries: 0, per_minute: 33 });
		await billing.sql`update accounts set per_minute = null, monthly_queries = null`;
		expect(await grantOf(key.sha256)).toMatchObject({ monthly_queries: null, per_minute: null });
	});
});

it("a key that was never issued is unknown", async () => {
	await billing.issue("a@example.org");
	expect(await grantOf(newSecret().sha256)).toBeNull();
});

describe("issuing", () => {
	it("opens a free account, stores no key but its SHA-256, and publishes it", async () => {
		const { secret, ...key } = newSecret();
		const issued = await billing.ask("issueKey", { email: "  Ada@Example.ORG ", name: "Ada", ...key });
		expect(issued).toMatchObject({ plan: "Free", monthly_queries: 50, per_minute: 10, created_at: start });
		expect([...(await billing.sql`select id, email, registered_email, name, plan from accounts`)]).toEqual([
			{ id: issued.account_id, email: null, registered_email: "ada@example.org", name: "Ada", plan: "Free" },
		]);
		expect(await billing.announced()).toEqual([
			{
				id: `key:${issued.key_id}:1`,
				version: 1,
				occurred_at: start,
				sha256: key.sha256,
				...(await grantOf(key.sha256)),
			},
		]);
		const stored =
			await billing.sql`select row_to_json(k)::text || row_to_json(a)::text as row from keys k, accounts a`;
		expect(stored[0]?.row).toContain(key.sha256);
		expect(stored[0]?.row).not.toContain(secret.slice(7, 35));
	});

	it("repeats the reply for the same key, and for no other", async () => {
		const { secret: _, ...key } = newSecret();
		const asking = { email: "ada@example.org", name: "Ada", ...key };
		const first = await billing.ask("issueKey", asking);
		pass(60);
		expect(await billing.ask("issueKey", { ...asking, email: "ADA@example.org " })).toEqual(first);
		expect(await billing.announced()).toHaveLength(1);
		await billing.issue("eve@example.org");
		expect((await refusalOf(billing.ask("issueKey", { ...asking, email: "eve@example.org" }))).status).toBe(409);
		expect((await billing.sql`select id from keys`).count).toBe(2);
	});
});

describe("replacing a key", () => {
	it("issues a new key of the same account, and the old one works until its grace ends", async () => {
		const old = await billing.issue("a@example.org");
		await billing.announced();
		pass(60);
		const by = await replace(old.id, day);
		expect(by).toMatchObject({
			account_id: old.accountId,
			plan: "Free",
			created_at: "2026-11-21T12:01:00Z",
			replaces: old.hint,
			old_key_works_until: "2026-11-22T12:01:00Z",
		});
		expect(by.key_id).not.toBe(old.id);
		expect(await grantOf(old.sha256)).toMatchObject({ expires_at: "2026-11-22T12:01:00Z", revoked: false });
		expect(await grantOf(by.sha256)).toMatchObject({ key_id: by.key_id, account_id: old.accountId, expires_at: null });
		expect(await billing.announced()).toEqual([
			expect.objectContaining({ id: `key:${old.id}:2`, version: 2, ...(await grantOf(old.sha256)) }),
			expect.objectContaining({ id: `key:${by.key_id}:1`, version: 1, ...(await grantOf(by.sha256)) }),
		]);
	});

	it("repeats the reply for the same new key, also after the grace", async () => {
		const old = await billing.issue("a@example.org");
		const { secret: _, ...key } = newSecret();
		const first = await billing.ask("replaceKey", { key_id: old.id, grace_seconds: 0, ...key });
		await billing.announced();
		pass(60);
		expect(await billing.ask("replaceKey", { key_id: old.id, grace_seconds: 0, ...key })).toEqual(first);
		expect(await billing.announced()).toEqual([]);
		expect((await billing.sql`select id from keys`).count).toBe(2);
	});

	it("without grace ends the old one at once", async () => {
		const old = await billing.issue("a@example.org");
		expect(await replace(old.id, 0)).toMatchObject({ old_key_works_until: start });
		expect(await grantOf(old.sha256)).toMatchObject({ expires_at: start });
	});

	it("is refused for a revoked key and for an unknown one", async () => {
		const key = await billing.issue("a@example.org");
		await billing.ask("endKey", { key_id: key.id });
		expect(await refusalOf(replace(key.id, 0))).toMatchObject({
			status: 409,
			detail: expect.stringMatching(/revoked/),
		});
		expect((await refusalOf(replace(key.id + 1_000, 0))).status).toBe(404);
		expect((await billing.sql`select id from keys`).count).toBe(1);
	});

	it("leaves at most five live keys of an account, without those whose grace has ended", async () => {
		const first = await billing.issue("a@example.org");
		await billing.issue("b@example.org");
		const graces: number[] = [first.id];
		for (let made = 0; made < 4; made++) graces.push((await replace(graces.at(-1) ?? 0, day)).key_id);
		await billing.announced();
		const newest = graces.at(-1) ?? 0;
		expect(await refusalOf(replace(newest, 1))).toMatchObject({ status: 409, detail: expect.stringMatching(/5 keys/) });
		expect(await billing.announced()).toEqual([]);
		const after = await replace(newest, 0);
		expect((await refusalOf(replace(after.key_id, 1))).status).toBe(409);
		await billing.ask("endKey", { key_id: first.id });
		const further = await replace(after.key_id, day);
		expect((await refusalOf(replace(further.key_id, 1))).status).toBe(409);
		pass(day);
		expect(await replace(further.key_id, 1)).toMatchObject({ replaces: further.hint });
	});
});

describe("revoking a key", () => {
	it("is permanent, is published once, and returns the original time if repeated", async () => {
		const key = await billing.issue("a@example.org");
		await billing.announced();
		pass(30);
		const revoked = { hint: key.hint, revoked_at: "2026-11-21T12:00:30Z" };
		expect(await billing.ask("endKey", { key_id: key.id })).toEqual(revoked);
		expect(await billing.announced()).toEqual([
			expect.objectContaining({ id: `key:${key.id}:2`, version: 2, sha256: key.sha256, revoked: true }),
		]);
		pass(day);
		expect(await billing.ask("endKey", { key_id: key.id })).toEqual(revoked);
		expect(await billing.announced()).toEqual([]);
		expect(await grantOf(key.sha256)).toMatchObject({ revoked: true });
	});

	it("does not affect the account's other keys", async () => {
		const old = await billing.issue("a@example.org");
		const by = await replace(old.id, day);
		await billing.ask("endKey", { key_id: old.id });
		expect(await grantOf(old.sha256)).toMatchObject({ revoked: true });
		expect(await grantOf(by.sha256)).toMatchObject({ revoked: false });
	});

	it("of an unknown key is a 404", async () => {
		expect((await refusalOf(billing.ask("endKey", { key_id: 1 }))).status).toBe(404);
	});
});

it("changes of keys do not invalidate the gateways' cached responses", async () => {
	const before = await billing.dataVersion();
	const key = await billing.issue("a@example.org");
	await billing.ask("endKey", { key_id: key.id });
	expect(await billing.dataVersion()).toBe(before);
});

it("every published key can be republished in its present state under a new id", async () => {
	const replaced = await billing.issue("a@example.org");
	const { secret: _, ...by } = newSecret();
	await billing.ask("replaceKey", { key_id: replaced.id, grace_seconds: 3_600, ...by });
	const revoked = await billing.issue("b@example.org");
	await billing.ask("endKey", { key_id: revoked.id });
	const published = await billing.announced();
	expect(await republish(billing.sql, "key.changed")).toBe(3);
	const again = await billing.announced();
	// The last of each key: the replaced one's and the revoked one's second.
	const last = [...new Map(published.map((event) => [event.sha256, event])).values()];
	const content = (events: typeof published) =>
		events.map(({ id: _id, occurred_at: _at, ...rest }) => rest).sort((one, other) => one.key_id - other.key_id);
	expect(content(again)).toEqual(content(last));
	expect(again.map(({ version }) => version).sort()).toEqual([1, 2, 2]);
	await republish(billing.sql, "key.changed");
	const ids = [...published, ...again, ...(await billing.announced())].map(({ id }) => id);
	expect(new Set(ids).size).toBe(published.length + 3 + 3);
	for (const name of ["usage.reached", "project.changed", ""])
		expect([name, await republish(billing.sql, name)]).toEqual([name, undefined]);
});
