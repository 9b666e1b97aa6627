/** Refusals of `npm run admin -- keys`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBilling, type TestBilling } from "./support/billing.ts";
import { runKeys } from "./support/keys-command.ts";

let billing: TestBilling;
beforeAll(async () => {
	billing = await openBilling();
});
afterAll(() => billing[Symbol.asyncDispose]());
beforeEach(async () => {
	await billing.sql`truncate accounts, keys, outbox restart identity cascade`;
});

const keys = (...args: string[]) => runKeys(billing, ...args);

describe("a wrong call exits with 1, shows the right usage, prints nothing else and changes nothing", () => {
	it.each([
		[[], "COMMAND"],
		[["delete"], "COMMAND"],
		[["constructor"], "COMMAND"],
		[["list", "--limit", "0"], "--limit must be at least 1"],
		[["list", "--limit", "1e3"], "--limit must be a whole number"],
		[["list", "--plan", "Gold"], "--plan must be one of Free, Growth, Scale, Enterprise"],
		[["list", "--email", "no-address"], "--email must be an e-mail address"],
		[["list", "1"], "every argument of this command is an option"],
		[["list", "--nothing"], "--nothing"],
		[["list", "--limit"], "--limit"],
		[["issue", "--email", "b@example.org", "--revoke-others=all"], "--revoke-others"],
		[["show"], "name one ID or HINT"],
		[["show", "1", "2"], "name one ID or HINT"],
		[["show", "99"], "no key has this id or hint"],
		[["show", "' or true --"], "no key has this id or hint"],
		[["issue"], "either --email or --key"],
		[["issue", "--email", "a b@example.org"], "--email must be an e-mail address"],
		[["issue", "--email", "b@example.org", "--name", " "], "--name must have at least 1 character"],
		[["upgrade", "--plan", "Scale"], "either --email or --key"],
		[["upgrade", "--plan", "Scale", "--key", "1", "--email", "a@example.org"], "either --email or --key"],
		[["upgrade", "--email", "a@example.org"], "--plan is missing"],
		[
			["upgrade", "--email", "a@example.org", "--plan", "Scale", "--per-minute", "0"],
			"--per-minute must be at least 1",
		],
		[
			["upgrade", "--email", "a@example.org", "--plan", "Scale", "--monthly", "many"],
			"--monthly must be a whole number",
		],
		[["upgrade", "--email", "b@example.org", "--plan", "Scale"], "no account"],
		[["rotate", "1", "--grace", "604801"], "--grace must be at most 604800"],
		[["rotate", "99"], "no key has this id or hint"],
		[["revoke"], "name one ID or HINT"],
	])("%j", async (args, sentence) => {
		await billing.issue("a@example.org");
		const state = () => billing.sql`select to_jsonb(a) as account, to_jsonb(k) as key from accounts a, keys k`;
		const before = [...(await state())];
		const { code, out, err } = await keys(...args);
		expect([code, out]).toEqual([1, ""]);
		expect(err).toContain(sentence);
		expect([...(await state())]).toEqual(before);
	});

	it("an unknown option prints our usage and no advice of Node.js", async () => {
		const { err } = await keys("list", "--nothing");
		expect(err).toBe(
			"Unknown option '--nothing'\nusage: npm run admin -- keys list [--email ADDRESS] [--plan PLAN] [--limit N]",
		);
	});

	it("prints no key that is given in the wrong place", async () => {
		const { secret } = await billing.issue("a@example.org");
		const wrong = `${secret.slice(0, -1)}_`;
		for (const args of [
			["list", secret],
			["show", wrong],
			["revoke", secret, secret],
			[secret],
			["upgrade", "--email", secret],
			["list", `--${secret}`],
		])
			expect((await keys(...args)).err).not.toContain(secret.slice(7, 35));
	});
});
