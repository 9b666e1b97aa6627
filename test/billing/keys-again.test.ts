/** Registering and replacing again: an address, or a key that was replaced, leads to no account and ends no key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { newSecret, openBilling, type TestBilling, type TestKey, useKey } from "./support/billing.ts";
import { printedKey, runKeys } from "./support/keys-command.ts";

let billing: TestBilling;
beforeAll(async () => {
	billing = await openBilling();
});
afterAll(() => billing[Symbol.asyncDispose]());
beforeEach(async () => {
	await billing.sql`truncate accounts, keys, outbox, usage restart identity cascade`;
});

const address = "ada@example.org";
const register = () => billing.issue(address);
const refused = { status: 409, message: expect.stringMatching(/was replaced before/) };
const pass = (seconds: number) => {
	billing.clock.now = new Date(billing.clock.now.getTime() + seconds * 1_000);
};
const accountOf = async ({ accountId }: TestKey) =>
	(
		await billing.sql`select a.*, (select count(*) from keys k where k.account_id = a.id) as keys from accounts a where id = ${accountId}`
	)[0];
const end = (key: Pick<TestKey, "id">) => billing.ask("endKey", { key_id: key.id });
const operate = (...args: string[]) => runKeys(billing, ...args);
const replace = async (key_id: number, grace_seconds: number) => {
	const { secret: _, ...key } = newSecret();
	const { key_id: id, ...replaced } = await billing.ask("replaceKey", { key_id, grace_seconds, ...key });
	return { ...key, ...replaced, id };
};
/** Ids of the keys that work. */
const working = async () => {
	const rows = await billing.sql<{ id: number }[]>`
		select id from keys where revoked_at is null and (expires_at is null or expires_at > ${billing.clock.now}) order by id`;
	return rows.map(({ id }) => id);
};

describe("registering an address again", () => {
	/** States of an account, and the replies to a first and a second registration. */
	it.each([
		["never used", async () => {}],
		["used", (key: TestKey) => useKey(billing, key.id)],
		["used, whose keys were all revoked", async (key: TestKey) => useKey(billing, key.id).then(() => end(key))],
		["used, whose keys have all expired", async (key: TestKey) => end(await replace(key.id, 0))],
		[
			"paid for, without a key",
			async (key: TestKey) => operate("upgrade", "--key", key.hint, "--plan", "Scale").then(() => end(key)),
		],
		[
			"opened by the operator",
			async (key: TestKey) =>
				billing.sql`update accounts set email = ${address}, registered_email = null where id = ${key.accountId}`,
		],
	])("opens an empty account next to one that is %s, without revealing it", async (_state, prepare) => {
		const first = await register();
		await prepare(first);
		const before = await working();
		const account = await accountOf(first);
		await billing.announced();
		const { secret: _, ...key } = newSecret();
		const issued = await billing.ask("issueKey", { email: address.toUpperCase(), name: null, ...key });
		expect(issued.account_id).not.toBe(first.accountId);
		expect(issued).toMatchObject({ plan: "Free", monthly_queries: 50, per_minute: 10, daily_queries: null });
		expect((await billing.ask("describeUsage", { key_id: issued.key_id })).by_operation).toEqual([]);
		expect(await working()).toEqual([...before, issued.key_id]);
		expect((await billing.announced()).map(({ key_id }) => key_id)).toEqual([issued.key_id]);
		expect(await accountOf(first)).toEqual(account);
	});

	it("opens one account if the same registration is sent twenty times concurrently", async () => {
		const { secret: _, ...key } = newSecret();
		const replies = await Promise.all(
			Array.from({ length: 20 }, () => billing.ask("issueKey", { email: address, name: null, ...key })),
		);
		expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
		expect((await billing.sql`select from accounts`).count).toBe(1);
	});

	it("with a revoked key, or another account's, is refused", async () => {
		const { secret: _, ...key } = newSecret();
		const { key_id: id } = await billing.ask("issueKey", { email: address, name: null, ...key });
		await expect(billing.ask("issueKey", { email: "eve@example.org", name: null, ...key })).rejects.toMatchObject({
			status: 409,
		});
		await end({ id });
		await expect(billing.ask("issueKey", { email: address, name: null, ...key })).rejects.toMatchObject({
			status: 409,
		});
		expect((await billing.sql`select from accounts`).count).toBe(1);
	});
});

describe("the operator", () => {
	it("names one of the accounts of an address by a key", async () => {
		const [mine, strangers] = [await register(), await register()];
		for (const command of [["issue"], ["upgrade", "--plan", "Growth"]])
			expect(await operate(...command, "--email", address)).toEqual({
				code: 1,
				out: "",
				err: expect.stringMatching(/2 accounts have this address.*choose one of them by --key/),
			});
		expect((await operate("list", "--email", address)).out).toContain(mine.hint);
		const issued = printedKey((await operate("issue", "--key", mine.hint, "--revoke-others")).out);
		expect((await billing.ask("resolveKey", { sha256: digestOf(issued) })).grant).toMatchObject({
			account_id: mine.accountId,
		});
		expect(await working()).toEqual([strangers.id, strangers.id + 1]);
	});

	it("issues no key of a registered account by its address alone, and opens another account", async () => {
		const strangers = await register();
		for (const more of [[], ["--revoke-others"]]) {
			const refused = await operate("issue", "--email", address, ...more);
			expect(refused).toEqual({ code: 1, out: "", err: expect.stringMatching(/a stranger may hold it.*--key HINT/s) });
			expect(refused.err).toContain(strangers.hint);
		}
		const issued = printedKey((await operate("issue", "--email", address, "--plan", "Growth")).out);
		const { grant } = await billing.ask("resolveKey", { sha256: digestOf(issued) });
		expect([grant?.plan, grant?.account_id === strangers.accountId]).toEqual(["Growth", false]);
		expect(await working()).toEqual([strangers.id, strangers.id + 1]);
		const again = await operate("issue", "--email", address, "--plan", "Growth");
		expect(again.err).toMatch(/this account already exists/);
	});
});

describe("replacing a key again", () => {
	it("is refused during its grace, whether its successor was used or not, and ends no other key", async () => {
		const old = await register();
		const fresh = await replace(old.id, 3_600);
		await billing.announced();
		await expect(replace(old.id, 86_400)).rejects.toMatchObject(refused);
		expect((await operate("rotate", old.hint)).err).toMatch(/was replaced before/);
		await useKey(billing, fresh.id);
		await expect(replace(old.id, 0)).rejects.toMatchObject(refused);
		expect(await working()).toEqual([old.id, fresh.id]);
		expect(await billing.announced()).toEqual([]);
		expect((await replace(fresh.id, 0)).replaces).toBe(fresh.hint);
	});

	it("is refused after its grace", async () => {
		const old = await register();
		await replace(old.id, 3_600);
		pass(3_600);
		await expect(replace(old.id, 0)).rejects.toMatchObject({ status: 409 });
		expect(await working()).toEqual([2]);
	});

	it("is refused if its successor has ended or was replaced", async () => {
		const [one, two] = [await register(), await billing.issue("b@example.org")];
		await end(await replace(one.id, 3_600));
		await expect(replace(one.id, 3_600)).rejects.toMatchObject({ status: 409 });
		const next = await replace(two.id, 3_600);
		await replace(next.id, 3_600);
		await expect(replace(two.id, 3_600)).rejects.toMatchObject({ status: 409 });
	});

	it("leaves the old key and one new key after ten concurrent requests", async () => {
		const old = await register();
		const answers = await Promise.allSettled(Array.from({ length: 10 }, () => replace(old.id, 86_400)));
		expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		const [first, last, ...more] = await working();
		expect([first, more]).toEqual([old.id, []]);
		expect(last).toBeGreaterThan(old.id);
	});
});

it("an operator's key is not a registration, and the successor of a registered key is", async () => {
	const key = await register();
	await replace(key.id, 0);
	const { out } = await operate("issue", "--key", key.hint);
	expect([...(await billing.sql`select id, registered from keys order by id`)]).toEqual([
		{ id: 1, registered: true },
		{ id: 2, registered: true },
		{ id: 3, registered: false },
	]);
	expect(printedKey(out)).not.toBe("");
});
