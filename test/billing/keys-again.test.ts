/** Keys that are asked for again: an answer that was lost locks no account out, and a key in use is taken from no account. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
const refused = { status: 409, message: expect.stringMatching(/has a key already: with it.*write to the operator/) };
const byOperator = { status: 409, message: expect.stringMatching(/keys come from the operator alone/) };
const pass = (seconds: number) => {
	billing.clock.now = new Date(billing.clock.now.getTime() + seconds * 1_000);
};
const grantOf = async ({ sha256 }: Pick<TestKey, "sha256">) => (await billing.ask("resolveKey", { sha256 })).grant;
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

describe("registering again", () => {
	it("replaces a key that was never used, for a quarter of an hour", async () => {
		const lost = await register();
		pass(15 * 60 - 1);
		await billing.announced();
		const found = await register();
		expect(found.accountId).toBe(lost.accountId);
		expect(await working()).toEqual([found.id]);
		expect((await billing.announced()).map(({ key_id, revoked }) => [key_id, revoked])).toEqual([
			[lost.id, true],
			[found.id, false],
		]);
		pass(15 * 60);
		await expect(register()).rejects.toMatchObject(refused);
	});

	it("leaves one key that works where twenty ask at once", async () => {
		await Promise.all(Array.from({ length: 20 }, register));
		expect(await working()).toHaveLength(1);
		expect((await billing.sql`select from accounts`).count).toBe(1);
	});

	it("takes no key that was used once, came in the place of another, or came from the operator", async () => {
		const used = await register();
		await useKey(billing, used.id);
		await expect(register()).rejects.toMatchObject(refused);
		await replace(used.id, 0);
		await expect(register()).rejects.toMatchObject(refused);
		await operate("issue", "--email", address, "--revoke-others");
		await expect(register()).rejects.toMatchObject(refused);
		expect(await working()).toEqual([3]);
	});

	it("takes no key that was never used where another is used", async () => {
		const first = await register();
		await useKey(billing, first.id);
		await billing.sql`insert into keys (account_id, sha256, hint, registered, created_at)
			values (${first.accountId}, ${newSecret().sha256}, 'pk_', true, ${billing.clock.now})`;
		await expect(register()).rejects.toMatchObject(refused);
	});

	it("gives a new key of the same account when all have ended, whose counters go on", async () => {
		const first = await register();
		await useKey(billing, first.id);
		const second = await replace(first.id, 60);
		await end(second);
		await expect(register()).rejects.toMatchObject(refused);
		pass(60);
		const third = await register();
		expect(await grantOf(third)).toMatchObject({ account_id: first.accountId, plan: "Free" });
		expect((await billing.ask("describeUsage", { key_id: third.id })).key).toMatchObject({ hint: third.hint });
		expect(await working()).toEqual([third.id]);
	});

	it("hands no caller an account that is paid for, or that has limits of its own", async () => {
		const key = await register();
		await end(key);
		for (const change of [
			["--plan", "Growth"],
			["--plan", "Free", "--monthly", "1000"],
			["--plan", "Free", "--per-minute", "100"],
		]) {
			await operate("upgrade", "--email", address, ...change);
			await expect(register()).rejects.toMatchObject(byOperator);
		}
		await operate("upgrade", "--email", address, "--plan", "Free");
		await register();
	});

	it("takes no key of an account that is paid for, however new it is", async () => {
		const key = await register();
		await operate("upgrade", "--key", key.hint, "--plan", "Growth");
		await expect(register()).rejects.toMatchObject(refused);
		expect(await grantOf(key)).toMatchObject({ plan: "Growth", revoked: false });
	});

	it("with a key that is revoked, or another's, is refused", async () => {
		const { secret: _, ...key } = newSecret();
		await billing.ask("issueKey", { email: address, name: null, ...key });
		await register();
		for (const email of [address, "eve@example.org"])
			await expect(billing.ask("issueKey", { email, name: null, ...key })).rejects.toMatchObject({ status: 409 });
		expect(await working()).toEqual([2]);
	});
});

describe("replacing a key again", () => {
	it("in its grace is possible while what came in its place was never used, and does not make the grace longer", async () => {
		const old = await register();
		const lost = await replace(old.id, 3_600);
		pass(60);
		await billing.announced();
		const found = await replace(old.id, 86_400);
		expect(found).toMatchObject({ replaces: old.hint, old_key_works_until: lost.old_key_works_until });
		expect(await working()).toEqual([old.id, found.id]);
		expect((await billing.announced()).map(({ key_id, revoked }) => [key_id, revoked])).toEqual([
			[old.id, false],
			[lost.id, true],
			[found.id, false],
		]);
		await useKey(billing, found.id);
		await expect(replace(old.id, 0)).rejects.toMatchObject({ status: 409 });
		expect(await working()).toEqual([old.id, found.id]);
	});

	it("after its grace is not possible", async () => {
		const old = await register();
		await replace(old.id, 3_600);
		pass(3_600);
		await expect(replace(old.id, 0)).rejects.toMatchObject({ status: 409 });
		expect(await working()).toEqual([2]);
	});

	it("is not possible when what came in its place has ended, or was replaced itself", async () => {
		const [one, two] = [await register(), await billing.issue("b@example.org")];
		await end(await replace(one.id, 3_600));
		await expect(replace(one.id, 3_600)).rejects.toMatchObject({ status: 409 });
		const next = await replace(two.id, 3_600);
		await replace(next.id, 3_600);
		await expect(replace(two.id, 3_600)).rejects.toMatchObject({ status: 409 });
	});

	it("leaves the old one and one new one where ten ask at once", async () => {
		const old = await register();
		await Promise.all(Array.from({ length: 10 }, () => replace(old.id, 86_400)));
		const [first, last, ...more] = await working();
		expect([first, more]).toEqual([old.id, []]);
		expect(last).toBeGreaterThan(old.id);
	});
});

it("a key of the operator's is no registration, and what came in the place of one is", async () => {
	const key = await register();
	await replace(key.id, 0);
	const { out } = await operate("issue", "--email", address);
	expect([...(await billing.sql`select id, registered from keys order by id`)]).toEqual([
		{ id: 1, registered: true },
		{ id: 2, registered: true },
		{ id: 3, registered: false },
	]);
	expect(printedKey(out)).not.toBe("");
});
