/** `eids` as its users have it: installed from the packed client, run as a process, against the service. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lists, openLists } from "../streams/support/lists.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { followCommand, type Installed, installClient, runCommand } from "./support/installed-client.ts";
import { listen, startCuttingProxy, startProxy } from "./support/proxy.ts";
import { newKey, unlimitedKey } from "./support/walk.ts";

type Row = Record<string, unknown>;

let world: World;
let lists: Lists;
let installed: Installed;
let key: string;
const numbers = Array.from({ length: 240 }, (_, at) => `J${2001 + at}`);

beforeAll(async () => {
	installed = await installClient();
	world = await startWorld({ data: "none", query: true, gateway: { EVENT_STREAM_HEARTBEAT_MS: "100" } });
	lists = await openLists(world);
	await lists.next(numbers, { state: "TX", county: "Harris" });
	await lists.next(["J2001"], { state: "OK", county: "Tulsa" });
	await world.settled();
	await world.extracted();
	key = await unlimitedKey(world);
	Object.assign(installed.env, { EIDS_URL: world.url, EIDS_API_KEY: key, XDG_CONFIG_HOME: installed.folder });
}, 300_000);
afterAll(async () => {
	await world?.[Symbol.asyncDispose]();
	installed?.[Symbol.dispose]();
});

const eids = (...args: string[]) => runCommand(installed, ["eids", ...args]);
const eidsWith = (env: NodeJS.ProcessEnv, args: string[], input = "") =>
	runCommand({ ...installed, env: { ...installed.env, ...env } }, ["eids", ...args], input);
const rowsOf = (text: string): Row[] =>
	text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
const get = async (path: string): Promise<Response> => fetch(world.url + path, { headers: { "x-api-key": key } });
const sizeOfPart = () => {
	const part = readdirSync(installed.folder).find((name) => name.endsWith(".part"));
	return part === undefined ? 0 : statSync(join(installed.folder, part)).size;
};
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("projects", () => {
	test("are JSON lines in a pipe: with --all every matching row, else the requested number", async () => {
		const { data } = (await (await get("/projects?state=TX&per_page=500")).json()) as { data: Row[] };
		expect(data.length).toBeGreaterThan(200);
		const all = await eids("projects", "--state", "TX", "--all");
		expect([all.code, all.err]).toEqual([0, ""]);
		expect(rowsOf(all.out)).toEqual(data);
		const some = await eids("projects", "--state=TX", "--fields", "capacity_mw,id", "--limit", "2");
		expect(rowsOf(some.out)).toEqual(data.slice(0, 2).map(({ capacity_mw, id }) => ({ capacity_mw, id })));
		expect(some.out).toMatch(/^\{"capacity_mw"/);
		expect(some.err).toBe("eids: there are more than 2 rows: use --limit N or --all\n");
		const either = await eids("projects", "--state", "TX", "--state", "OK", "--county", "tulsa");
		expect(rowsOf(either.out).map(({ id }) => id)).toEqual(["MISO-J2001"]);
	});

	test("can be printed as a table, CSV or one array", async () => {
		const args = ["projects", "--id", "MISO-J2002,MISO-J2003", "--fields", "id,capacity_mw,county,counties"];
		const table = await eids(...args, "--output", "table");
		expect(table.out).toBe(
			"id          capacity_mw  county  counties\nMISO-J2002          120  Harris  Harris\nMISO-J2003          120  Harris  Harris\n",
		);
		const csv = await eids(...args, "--output", "csv");
		expect(csv.out).toBe(
			"id,capacity_mw,county,counties\r\nMISO-J2002,120,Harris,Harris\r\nMISO-J2003,120,Harris,Harris\r\n",
		);
		const json = await eids(...args, "--output", "json");
		expect(JSON.parse(json.out)).toHaveLength(2);
		const none = (format: string) => eids("projects", "--county", "Loving", "--output", format);
		expect(await none("json")).toEqual({ code: 0, out: "[]\n", err: "" });
		expect(await none("table")).toEqual({ code: 0, out: "", err: "eids: no row\n" });
	});

	test("end quietly when the reader closes the pipe", async () => {
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
		const piped = "eids projects --all | head -1; echo ${PIPESTATUS[0]}";
		const { out, err } = await runCommand(installed, ["bash", "-c", piped]);
		const [row, code] = out.trim().split("\n");
		expect(JSON.parse(row ?? "")).toHaveProperty("id");
		expect([code, err]).toEqual(["0", ""]);
	});

	test("are filtered by switches for yes and no", async () => {
		const [yes, no] = await Promise.all([
			eids("projects", "--investable", "--all", "--fields", "id,investable"),
			eids("projects", "--no-investable", "--all", "--fields", "id,investable"),
		]);
		expect([yes.code, no.code]).toEqual([0, 0]);
		expect(rowsOf(no.out).map(({ investable }) => investable)).not.toContain(true);
		expect(`${yes.out}`).not.toContain("false");
	});
});

// More of them: libs/client/src/cli/run.test.ts.
describe("mistakes", () => {
	test.each([
		[["project", "PJM-ZZ9/999"], 4, "code: not_found"],
		[["sql", "delete from projects"], 2, "code: statement_refused"],
		[["projects", "--capacity-min", "much"], 2, "--capacity-min: must be a number"],
		[["export", "--out", "absent/tx.csv"], 1, "--out absent/tx.csv cannot be written: there is no such folder"],
		[["sql", "select 1 as a", "--out", "absent/a.csv"], 1, "--out absent/a.csv cannot be written"],
		[["projects", "--url", "http://127.0.0.1:9"], 5, "http://127.0.0.1:9 cannot be reached"],
	] as const)("%s", async (args, code, said) => {
		const answered = await eids(...args);
		expect(answered.err).toContain(said);
		expect(answered.err).not.toMatch(/^ +at /m);
		expect([answered.code, answered.out]).toEqual([code, ""]);
	});

	test("print the service's message, code and request_id", async () => {
		const { code, err } = await eidsWith({ EIDS_API_KEY: "pk_wrong" }, ["projects"]);
		expect(code).toBe(3);
		expect(err).toMatch(/^eids: .+\n {2}code: key_invalid\n {2}request_id: \S+\n$/);
	});
});

test("help lists every filter of the service", async () => {
	const [main, projects] = await Promise.all([eids("--help"), eids("projects", "--help")]);
	expect(main.out).toContain("eids COMMAND --help");
	const document = (await (await get("/openapi.json")).json()) as {
		paths: Record<string, { get: { parameters: { name: string }[] } }>;
	};
	const names = document.paths["/projects"]?.get.parameters.map(({ name }) => name) ?? [];
	expect(names.length).toBeGreaterThan(30);
	for (const name of names.filter((each) => !["page", "per_page", "cursor"].includes(each)))
		expect(projects.out).toContain(`--${name.replaceAll("_", "-")} `);
});

test("sql prints rows in the statement's columns, reads standard input, and writes files", async () => {
	const statement =
		"select state, count(*) as n from projects where county in ('Harris', 'Tulsa') group by all order by n";
	const answered = await eids("sql", statement, "--output", "csv");
	expect(answered).toEqual({ code: 0, err: "", out: `state,n\r\nOK,1\r\nTX,${numbers.length - 1}\r\n` });
	const result = await eidsWith({}, ["sql", "-"], statement);
	expect(rowsOf(result.out)[0]).toEqual({ state: "OK", n: 1 });
	expect(await eids("sql", statement, "--out", "rows.parquet")).toMatchObject({ code: 0, out: "" });
	expect(readFileSync(join(installed.folder, "rows.parquet")).subarray(0, 4).toString()).toBe("PAR1");
	expect((await eids("sql", statement, "--out", "rows.txt")).code).toBe(2);
});

test.each([["sql", "select 1 as a"], ["export"]])("Ctrl-C leaves no partial file: %s", async (...command) => {
	await using endless = await listen((_, answer) => answer.write("a\r\n"));
	const args = [...command, "--out", "stopped.csv", "--url", endless.url];
	using writing = followCommand(installed, ["eids", ...args]);
	await eventually(() => expect(sizeOfPart()).toBeGreaterThan(0));
	expect([await writing.interrupt(), writing.err()]).toEqual([130, ""]);
	expect(readdirSync(installed.folder).filter((name) => /stopped/.test(name))).toEqual([]);
});

test("search, developers and points of interconnection print rows; a request prints every field", async () => {
	const [hits, table, project, points, developers] = await Promise.all([
		eids("search", "MISO-J2005", "--limit", "1"),
		eids("search", "MISO-J2005", "--limit", "1", "--output", "table"),
		eids("project", "MISO-J2005"),
		eids("pois", "--state", "TX", "--limit", "1"),
		eids("developers", "--limit", "1", "--output", "csv"),
	]);
	expect(rowsOf(hits.out)).toMatchObject([{ kind: "project", id: "MISO-J2005" }]);
	expect(table.out).toMatch(/^kind +id +name +state +status +capacity_mw\nproject +MISO-J2005 /);
	expect(JSON.parse(project.out)).toEqual(await (await get("/projects/MISO-J2005")).json());
	expect(rowsOf(points.out)).toEqual(((await (await get("/pois?state=TX&per_page=1")).json()) as { data: Row[] }).data);
	expect(developers.out).toMatch(/^developer_id,/);
});

test("a score prints every field as JSON, and names with values as a table", async () => {
	const scored = (await (await get("/score/MISO-J2005")).json()) as { explanation: string };
	expect(JSON.parse((await eids("score", "MISO-J2005")).out)).toEqual(scored);
	const table = await eids("score", "MISO-J2005", "--output", "table");
	expect(table.out).toContain(scored.explanation);
	expect(table.out).toMatch(/^components\n {2}\w+\n {4}\w+ +\S/m);
});

describe("export", () => {
	test.each(["parquet", "csv"])(
		"writes the service's %s, although the connection breaks twice",
		{ tags: ["campaign"] },
		async (format) => {
			const path = `/export/projects?state=TX&format=${format}`;
			const wanted = Buffer.from(await (await get(path)).arrayBuffer());
			const cuts = { times: 2, isTaken: (bytes: number) => eventually(() => sizeOfPart() === bytes) };
			await using cutting = await startCuttingProxy(world.url, cuts);
			const file = `tx.${format}`;
			const done = await eids("export", "--out", file, "--state", "TX", "--url", cutting.url);
			expect(done).toEqual({ code: 0, out: "", err: `${file}: ${wanted.length.toLocaleString("en")} bytes\n` });
			expect(sha256(readFileSync(join(installed.folder, file)))).toBe(sha256(wanted));
			const [first, second, third] = cutting.ranges;
			expect([first, second, third]).toEqual([
				undefined,
				expect.stringMatching(/^bytes=\d+-$/),
				`bytes=${cutting.sent()}-`,
			]);
			expect(readdirSync(installed.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
		},
	);

	test("reports a truncated response as a retryable error", { tags: ["campaign"] }, async () => {
		await using cutting = await startCuttingProxy(world.url, { times: 1_000, isTaken: async () => {} });
		const { code, err } = await eids("projects", "--all", "--url", cutting.url);
		expect([code, err]).toEqual([5, expect.stringContaining(`the response of ${cutting.url} was interrupted`)]);
	});

	test("of another kind accepts only its filters, and leaves no file if refused", async () => {
		expect((await eids("export", "changes", "--out", "changes.csv", "--after", "0")).code).toBe(0);
		expect(readFileSync(join(installed.folder, "changes.csv"), "utf8")).toMatch(/^seq,/);
		const wrong = await eids("export", "scores", "--out", "scores.csv", "--after", "0");
		expect([wrong.code, wrong.err]).toEqual([2, "eids: --after cannot be combined with eids export scores\n"]);
		expect((await eids("export", "--out", "none.csv", "--state", "Texs")).code).toBe(2);
		expect(existsSync(join(installed.folder, "none.csv"))).toBe(false);
	});

	test("shows its progress only on a terminal", async ({ skip }) => {
		const probe = await runCommand(installed, ["sh", "-c", "command -v script"]);
		if (probe.code !== 0) skip("there is no script(1) here to make a terminal");
		const shown = await runCommand(installed, ["script", "-qec", "eids export --out seen.csv", "/dev/null"]);
		expect(shown.out).toMatch(/\r#{30} +100 % \d/);
		const table = await runCommand(installed, ["script", "-qec", "eids projects --limit 1", "/dev/null"]);
		expect(table.out).toMatch(/^id +name +region/m);
	});
});

describe("new changes", () => {
	test("are followed across a lost connection, each once and in order", { tags: ["campaign"] }, async () => {
		await using proxy = await startProxy(world.url);
		using following = followCommand(installed, ["eids", "changes", "--follow", "--after", "0", "--url", proxy.url]);
		const seqs = () => following.lines().map((line) => JSON.parse(line).seq);
		await eventually(async () => expect(seqs()).toEqual(await seqsAfter(0)));
		await proxy.restart();
		await lists.next(["J2002", "J2300"]);
		const newest = await lists.newest();
		await eventually(() => expect(seqs().at(-1)).toBe(newest));
		expect(seqs()).toEqual(await seqsAfter(0));
		expect(await following.interrupt()).toBe("SIGINT");
		expect(following.err()).toBe("eids: the connection was lost; trying again\neids: connected again\n");
		const logged = await eids("changes", "--after", "0", "--all", "--fields", "seq");
		expect(rowsOf(logged.out).map(({ seq }) => seq)).toEqual(seqs());
		const newestFirst = await eids("changes", "--since", "2026-03-01", "--limit", "3");
		expect(rowsOf(newestFirst.out).map(({ seq }) => seq)).toEqual(seqs().slice(-3).toReversed());
	});

	test("that enter or leave a watchlist are followed", async () => {
		const made = await fetch(`${world.url}/watchlists`, {
			method: "POST",
			headers: { "x-api-key": key, "content-type": "application/json" },
			body: JSON.stringify({ name: "Tulsa", filters: { county: "Tulsa" } }),
		});
		const { watchlist_id } = (await made.json()) as { watchlist_id: number };
		const known = await eventually(async () => {
			const shown = (await (await get(`/watchlists/${watchlist_id}`)).json()) as { watchlist: { seq: number | null } };
			return shown.watchlist.seq ?? undefined;
		});
		const args = ["watch", String(watchlist_id), "--after", String(known), "--every", "1"];
		using watching = followCommand(installed, ["eids", ...args, "--fields", "project_id,change_type,event"]);
		await lists.next(["J2006"], { state: "OK", county: "Tulsa" });
		await eventually(() =>
			expect(watching.lines().map((line) => JSON.parse(line))).toContainEqual(
				expect.objectContaining({ project_id: "MISO-J2006", event: "entered" }),
			),
		);
		expect((await eids("watch", "999999")).code).toBe(4);
		const mailed = await eids("watch", String(watchlist_id), "--email", "ann@example.org", "--output", "json");
		expect(JSON.parse(mailed.out)).toMatchObject({ url: "mailto:ann@example.org", digest: "daily", watchlist_id });
		expect([mailed.out.includes("whsec_"), mailed.err]).toEqual([false, expect.stringContaining("open the link")]);
		const filtered = [
			"watch",
			"--state",
			"TX,OK",
			"--email",
			"bob@example.org",
			"--digest",
			"none",
			"--output",
			"json",
		];
		const { filters, digest } = JSON.parse((await eids(...filtered)).out);
		expect([filters, digest]).toEqual([{ state: ["TX", "OK"] }, null]);
		expect((await eids("watch", "--email", "ann@")).err).toContain("must be mailto: followed by an e-mail address");
	});
});

describe("the key", () => {
	test("is stored by login for its service only, in a file that others cannot read", async () => {
		const own = await newKey(world.url);
		const env = { EIDS_API_KEY: "", EIDS_URL: "", XDG_CONFIG_HOME: join(installed.folder, "config") };
		const refused = await eidsWith(env, ["login", "--url", world.url], `${own.slice(0, -1)}_\n`);
		expect([refused.code, existsSync(env.XDG_CONFIG_HOME)]).toEqual([3, false]);
		const kept = await eidsWith(env, ["login", "--url", world.url], `${own}\n`);
		expect([kept.code, kept.out, kept.err.includes(own)]).toEqual([0, "", false]);
		const file = join(env.XDG_CONFIG_HOME, "eids/credentials.json");
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const seen: unknown[] = [];
		await using elsewhere = await listen((asked, answer) => {
			seen.push(asked.headers["x-api-key"]);
			answer.setHeader("content-type", "application/json").end('{"data": [], "meta": {"next_cursor": null}}');
		});
		expect((await eidsWith(env, ["projects", "--url", elsewhere.url])).code).toBe(0);
		expect(seen).toEqual([undefined]);
		await using proxy = await startProxy(world.url);
		expect((await eidsWith({ ...env, EIDS_URL: proxy.url }, ["watch", "1"])).err).toContain("code: key_needed");
		// Watchlists are requested with the key, so they come from the service that the key is stored for.
		expect((await eidsWith(env, ["watch", "999999"])).err).toContain("code: not_found");
		chmodSync(file, 0o644);
		const open = await eidsWith(env, ["projects"]);
		expect([open.code, open.out]).toEqual([2, ""]);
		expect(open.err).toContain("is open to others (mode 644)");
		expect((await eidsWith(env, ["logout"])).code).toBe(0);
		expect(existsSync(file)).toBe(false);
	});
});

async function seqsAfter(after: number): Promise<number[]> {
	const { data } = (await (await get(`/changes?after=${after}&per_page=500`)).json()) as { data: { seq: number }[] };
	return data.map(({ seq }) => seq);
}
