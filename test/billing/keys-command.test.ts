/** `npm run admin -- keys`: what an operator can do, what it prints, and what gateways receive of it. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { digestOf, hintOf, isSecret } from "#libs/contract/key.ts";
import { run } from "../../services/billing/admin/keys.ts";
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

describe("list", () => {
	it("shows each key with its state and its account's usage of this month", async () => {
		const [a, b, c] = [
			await billing.issue("a@example.org"),
			await billing.issue("b@example.org"),
			await keys("issue", "--email", "c@example.org", "--plan", "scale"),
		];
		await keys("rotate", String(a.id), "--grace", "3600");
		await keys("revoke", b.hint);
		await billing.sql`insert into usage_hours (account_id, hour, operation, requests, counted, failed, paid_micro_usd) values
			(${a.accountId}, '2026-10-31T23:00:00Z', 'listProjects', 99, 99, 0, 0),
			(${a.accountId}, '2026-11-01T00:00:00Z', 'listProjects', 5, 4, 1, 0),
			(${a.accountId}, '2026-11-21T12:00:00Z', 'getScore', 3, 3, 0, 0),
			(${a.accountId}, '2026-12-01T00:00:00Z', 'getScore', 50, 50, 0, 0)`;
		const { code, out } = await keys("list");
		expect(code).toBe(0);
		const cells = out.split("\n").map((line) => line.split(/ {2,}/));
		const hintC = hintOf(printedKey(c.out));
		expect(cells).toEqual([
			["id", "hint", "email", "account", "plan", "state", "created", "used"],
			[
				"4",
				expect.stringMatching(/^pk_\w{4}…\w{4}$/),
				"a@example.org",
				"1",
				"Free",
				"live",
				"2026-11-21T12:00:00Z",
				"7",
			],
			["3", hintC, "c@example.org", "3", "Scale", "live", "2026-11-21T12:00:00Z", "0"],
			["2", b.hint, "b@example.org", "2", "Free", "revoked", "2026-11-21T12:00:00Z", "0"],
			["1", a.hint, "a@example.org", "1", "Free", "replaced", "2026-11-21T12:00:00Z", "7"],
			["4 of 4 keys"],
		]);
	});

	it("filters by address and plan, up to a limit", async () => {
		await billing.issue("a@example.org");
		await billing.issue("b@example.org");
		await keys("issue", "--email", "c@example.org", "--plan", "Growth");
		const emails = async (...args: string[]) =>
			[...(await keys("list", ...args)).out.matchAll(/\w@example\.org/g)].map(([email]) => email);
		expect(await emails("--email", " B@Example.org ")).toEqual(["b@example.org"]);
		expect(await emails("--plan", "free")).toEqual(["b@example.org", "a@example.org"]);
		expect(await emails("--plan", "Free", "--email", "c@example.org")).toEqual([]);
		const two = await keys("list", "--limit", "2");
		expect(two.out).toMatch(/\n3 [^\n]*\n2 [^\n]*\n2 of 3 keys$/);
	});
});

describe("show", () => {
	it("prints a key by its id, its hint, the hint typed with dots, and the key itself", async () => {
		await keys("issue", "--email", "a@example.org", "--name", "Ada \u001b[31mLtd");
		const key = await keys("issue", "--email", "a@example.org");
		const secret = printedKey(key.out);
		const { out, code } = await keys("show", "2");
		expect(code).toBe(0);
		const fields = Object.fromEntries(out.split("\n").map((line) => line.split(/ {2,}/)));
		expect(fields).toEqual({
			id: "2",
			hint: hintOf(secret),
			state: "live",
			created: "2026-11-21T12:00:00Z",
			account: "1",
			email: "a@example.org",
			name: "Ada ?[31mLtd",
			plan: "Free",
			"queries a month": "50",
			"requests a minute": "10",
			"used this month": "0",
			"other keys": "1",
		});
		for (const named of [hintOf(secret), hintOf(secret).replace("…", "..."), secret])
			expect((await keys("show", named)).out).toBe(out);
	});

	it("shows when a replaced key ends and which key replaced it", async () => {
		const key = await billing.issue("a@example.org");
		await keys("rotate", key.hint, "--grace", "60");
		expect((await keys("show", "1")).out).toMatch(
			/state +replaced\n(.*\n)?works until +2026-11-21T12:01:00Z\nreplaced by +2\n/,
		);
	});

	it("requires the id if two keys have the same hint", async () => {
		await billing.issue("a@example.org");
		await billing.issue("b@example.org");
		await billing.sql`update keys set hint = 'pk_Aaaa…Bbbb'`;
		expect(await keys("show", "pk_Aaaa…Bbbb")).toEqual({ code: 1, out: "", err: expect.stringContaining("(1, 2)") });
		expect((await keys("show", "2")).code).toBe(0);
	});
});

describe("issue", () => {
	it("opens an account on any plan and prints its key, of which only the SHA-256 is stored", async () => {
		const { code, out } = await keys("issue", "--email", "A@Example.org", "--name", "Ada", "--plan", "enterprise");
		const secret = printedKey(out);
		expect([code, isSecret(secret, "pk_")]).toEqual([0, true]);
		expect(out).toMatch(/shown only once/);
		expect(out).not.toContain(digestOf(secret));
		expect(await grantOf(secret)).toMatchObject({ plan: "Enterprise", monthly_queries: null, per_minute: null });
		expect(await changes()).toEqual([{ key_id: 1, version: 1, plan: "Enterprise" }]);
		expect([...(await billing.sql`select email, name from accounts`)]).toEqual([
			{ email: "a@example.org", name: "Ada" },
		]);
	});

	it("issues another key of the same account, up to five, and changes nothing else", async () => {
		await keys("issue", "--email", "a@example.org");
		const { out } = await keys("issue", "--email", "A@example.org");
		expect(await grantOf(printedKey(out))).toMatchObject({ account_id: 1, plan: "Free" });
		const refused = await keys("issue", "--email", "a@example.org", "--plan", "Scale");
		expect(refused).toEqual({ code: 1, out: "", err: expect.stringMatching(/upgrade/) });
		for (let made = 2; made < 5; made++) await keys("issue", "--email", "a@example.org");
		expect(await keys("issue", "--email", "a@example.org")).toEqual({
			code: 1,
			out: "",
			err: expect.stringMatching(/5 keys/),
		});
		expect((await billing.sql`select id from keys`).count).toBe(5);
		expect((await changes()).length).toBe(5);
	});

	it("revokes the account's other keys with --revoke-others", async () => {
		const lost = await billing.issue("a@example.org");
		const other = await billing.issue("b@example.org");
		await changes();
		const { out } = await keys("issue", "--key", lost.hint, "--revoke-others");
		expect(out).toMatch(new RegExp(`^revoked +${lost.hint}$`, "m"));
		expect(await changes()).toEqual([
			{ key_id: lost.id, version: 2, plan: "Free" },
			{ key_id: 3, version: 1, plan: "Free" },
		]);
		expect(await grantOf(lost.secret)).toMatchObject({ revoked: true });
		expect(await grantOf(other.secret)).toMatchObject({ revoked: false });
		const first = await keys("issue", "--email", "c@example.org", "--revoke-others");
		expect([first.code, first.out]).toEqual([0, expect.not.stringContaining("revoked")]);
	});
});

describe("rotate", () => {
	it("keeps the old key valid for a day, or for --grace", async () => {
		const key = await billing.issue("a@example.org");
		const { out } = await keys("rotate", "1");
		expect(out).toMatch(/which works until +2026-11-22T12:00:00Z/);
		expect(await grantOf(key.secret)).toMatchObject({ expires_at: "2026-11-22T12:00:00Z" });
		const next = printedKey(out);
		await useKey(billing, 2);
		await keys("rotate", hintOf(next), "--grace", "0");
		expect(await grantOf(next)).toMatchObject({ expires_at: "2026-11-21T12:00:00Z" });
		expect((await keys("rotate", "1")).err).toMatch(/replaced before/);
	});
});

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

	it("by an address upgrades no registered key, and no key of several accounts, without --yes", async () => {
		const lift = (...args: string[]) => keys("upgrade", "--plan", "Growth", ...args);
		const plans = async () => (await billing.sql`select plan from accounts order by id`).map(({ plan }) => plan);
		const key = await billing.issue("a@example.org");
		const stranger = await lift("--email", "a@example.org");
		expect(stranger).toEqual({ code: 1, out: "", err: expect.stringMatching(/a stranger may hold it/) });
		expect(stranger.err).toContain(key.hint);
		expect(stranger.err).toMatch(/--yes.*--revoke-others/s);
		await keys("issue", "--key", key.hint);
		const named = await lift("--key", key.hint);
		expect(named).toEqual({ code: 1, out: "", err: expect.stringMatching(/several keys are valid/) });
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

	it("sets agreed limits until the plan changes", async () => {
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

describe("a wrong call exits with 1, shows the right usage, prints nothing else and changes nothing", () => {
	it.each([
		[[], "COMMAND"],
		[["delete"], "COMMAND"],
		[["list", "--limit", "0"], "--limit must be at least 1"],
		[["list", "--plan", "Gold"], "--plan must be one of Free, Growth, Scale, Enterprise"],
		[["list", "--email", "no-address"], "--email must be an e-mail address"],
		[["list", "1"], "this command takes only options"],
		[["list", "--nothing"], "--nothing"],
		[["list", "--limit"], "--limit"],
		[["issue", "--email", "b@example.org", "--revoke-others=all"], "--revoke-others"],
		[["show"], "pass exactly one ID or HINT"],
		[["show", "99"], "no key has this id or hint"],
		[["issue"], "either --email or --key"],
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
		[["revoke"], "pass exactly one ID or HINT"],
	])("%j", async (args, sentence) => {
		await billing.issue("a@example.org");
		const state = () => billing.sql`select to_jsonb(a) as account, to_jsonb(k) as key from accounts a, keys k`;
		const before = [...(await state())];
		const { code, out, err } = await keys(...args);
		expect([code, out]).toEqual([1, ""]);
		expect(err).toContain(sentence);
		expect([...(await state())]).toEqual(before);
	});

	it("an unknown option prints the usage, without advice from Node.js", async () => {
		const { err } = await keys("list", "--nothing");
		expect(err).toBe(
			"Unknown option '--nothing'\nusage: npm run admin -- keys list [--email ADDRESS] [--plan PLAN] [--limit N]",
		);
	});

	it("prints no key given in the wrong place", async () => {
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

it("help is printed on request, and a missing or unreachable database is named", async () => {
	expect(await keys("--help")).toMatchObject({ code: 0, out: expect.stringContaining("revoke ID|HINT"), err: "" });
	const err = vi.spyOn(console, "error").mockReturnValue();
	expect(await run(["list"], {})).toBe(1);
	expect(err.mock.calls[0]?.[0]).toContain("POSTGRES_URL");
	err.mockRestore();
});

it("results go to stdout, errors to stderr, with an exit code", async () => {
	await billing.issue("a@example.org");
	const program = fileURLToPath(new URL("../../services/billing/admin/keys.ts", import.meta.url));
	const start = (...args: string[]) =>
		promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, POSTGRES_URL: billing.url } });
	const { stdout, stderr } = await start("list");
	expect([stdout, stderr]).toEqual([expect.stringContaining("a@example.org"), ""]);
	await expect(start("show", "99")).rejects.toMatchObject({
		code: 1,
		stdout: "",
		stderr: "no key has this id or hint\n",
	});
});
