/** `npm run admin -- keys upgrade`: whose keys get what is paid for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { digestOf, hintOf } from "#libs/contract/key.ts";
import { openBilling, type TestBilling, useKey } from "./support/billing.ts";
import { printedKey, runKeys } from "./support/keys-command.ts";

const start = "2026-11-21T12:00:00Z";

let billing: TestBilling;
beforeAll(async () => {
	billing = await openBilling(start);
});
afterAll(() => billing[Symbol.asyncDispose]());
beforeEach(async () => {
	await billing.sql`truncate accounts, keys, outbox, usage, usage_hours restart identity cascade`;
});

const keys = (...args: string[]) => runKeys(billing, ...args);
const grantOf = async (secret: string) => (await billing.ask("resolveKey", { sha256: digestOf(secret) })).grant;
const changes = async () => (await billing.announced()).map(({ key_id, version, plan }) => ({ key_id, version, plan }));

describe("upgrade", () => {
	it("publishes each live key of the account, and none of another", async () => {
		const first = await billing.issue("a@example.org");
		await keys("rotate", "1");
		const dead = printedKey((await keys("issue", "--key", "1")).out);
		await keys("revoke", "3");
		const other = await billing.issue("b@example.org");
		await changes();
		const { code, out } = await keys("upgrade", "--email", "A@example.org", "--plan", "growth", "--yes");
		expect(code).toBe(0);
		expect(out).toMatch(
			/plan +Growth \(was Free\)\nqueries a month +2500\nrequests a minute +60\nkeys published +2\n\n/,
		);
		expect(await changes()).toEqual([
			{ key_id: 1, version: 3, plan: "Growth" },
			{ key_id: 2, version: 2, plan: "Growth" },
		]);
		expect(await grantOf(first.secret)).toMatchObject({ plan: "Growth", monthly_queries: 2_500, per_minute: 60 });
		expect(await grantOf(dead)).toMatchObject({ revoked: true });
		expect(await grantOf(other.secret)).toMatchObject({ plan: "Free" });
	});

	it("shows each live key, its origin and its last use", async () => {
		const [used, never] = [await billing.issue("a@example.org"), await keys("issue", "--key", "1")];
		billing.clock.now = new Date("2026-11-21T13:00:00Z");
		await useKey(billing, used.id);
		const { out } = await keys("upgrade", "--email", "a@example.org", "--plan", "Scale", "--yes");
		billing.clock.now = new Date(start);
		const [, table = ""] = out.split("\n\n");
		expect(table.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
			["id", "hint", "from", "created", "last used"],
			["1", used.hint, "register", start, "2026-11-21T13:00:00Z"],
			["2", hintOf(printedKey(never.out)), "operator", start, "never"],
		]);
	});

	it("by an address upgrades no registered key, and none beside another, without --yes", async () => {
		const lift = (...args: string[]) => keys("upgrade", "--plan", "Growth", ...args);
		const plans = async () => (await billing.sql`select plan from accounts order by id`).map(({ plan }) => plan);
		const key = await billing.issue("a@example.org");
		const stranger = await lift("--email", "a@example.org");
		expect(stranger).toEqual({ code: 1, out: "", err: expect.stringMatching(/a stranger may hold it/) });
		expect(stranger.err).toContain(key.hint);
		expect(stranger.err).toMatch(/--yes.*--revoke-others/s);
		await keys("issue", "--key", key.hint);
		const named = await lift("--key", key.hint);
		expect(named).toEqual({ code: 1, out: "", err: expect.stringMatching(/more than one key works/) });
		expect(named.err).not.toContain("stranger");
		const agreed = await keys("upgrade", "--plan", "Free", "--monthly", "999", "--email", "a@example.org");
		expect([agreed.code, await plans()]).toEqual([1, ["Free"]]);
		expect(await changes()).toHaveLength(2);
		await keys("issue", "--key", key.hint, "--revoke-others");
		expect([(await lift("--email", "a@example.org")).code, await plans()]).toEqual([0, ["Growth"]]);
		// The operator issued the keys that are already paid for.
		await keys("rotate", "3");
		expect((await keys("upgrade", "--plan", "Scale", "--email", "a@example.org")).code).toBe(0);
		const other = await billing.issue("b@example.org");
		expect([(await lift("--key", other.hint)).code, await plans()]).toEqual([0, ["Scale", "Growth"]]);
	});

	it("sets agreed limits until the next change of the plan", async () => {
		const key = await billing.issue("a@example.org");
		const agreed = ["--per-minute", "500", "--monthly", "1000000"];
		await keys("upgrade", "--key", key.hint, "--plan", "Enterprise", ...agreed);
		expect(await grantOf(key.secret)).toMatchObject({
			plan: "Enterprise",
			monthly_queries: 1_000_000,
			per_minute: 500,
		});
		const { out } = await keys("upgrade", "--key", "1", "--plan", "Free");
		expect(out).toContain("Free (was Enterprise)");
		expect(await grantOf(key.secret)).toMatchObject({ plan: "Free", monthly_queries: 50, per_minute: 10 });
		expect((await keys("upgrade", "--key", "1", "--plan", "Enterprise")).out).toMatch(/requests a minute +unlimited/);
	});
});
