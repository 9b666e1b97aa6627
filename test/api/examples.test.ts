/**
 * Whatever is printed to be copied runs against the sample: in the OpenAPI document, /llms.txt, /llms-full.txt, pages, README.md and docs.
 * Prompts of MCP: test/mcp/tools.test.ts. The guides' code is run by test/web/guides.test.ts, that of docs/archive.md and docs/testcontainers.md by tests of their own.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as otherCommands from "#libs/client/src/cli/others.ts";
import * as rowCommands from "#libs/client/src/cli/rows.ts";
import { operations } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { welcome } from "../../deploy/local/welcome.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { curl, python, sql } from "../../web/pages/explore/snippets.ts";
import { examples as statements } from "../../web/pages/sql/examples.ts";
import { curlOf, pythonOf } from "../../web/pages/sql/statement.ts";
import { archiveToday } from "../support/archive.ts";
import { archivedFile } from "../support/archived-file.ts";
import { aReceipt } from "../support/receipt.ts";
import { startWorld, type World } from "../support/world.ts";
import { text } from "./support/discovery.ts";
import { parseLlmsTxt } from "./support/llms-txt.ts";
import { openShell, type Printed, type Shell } from "./support/run-printed.ts";
import { aDispute, newAddress, ownThings, unlimitedKey } from "./support/walk.ts";

const root = join(import.meta.dirname, "../..");
const aProject = "ERCOT-23INR0907";
/** An address without a server. */
const receiver = "http://127.0.0.1:9/";

let world: World;
let shell: Shell;
let key: string;
let archived: Record<string, string>;
const credits = makeSecret("cr_");
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
	world = await startWorld({ query: true, gateway: { REGISTRATIONS_PER_HOUR: "1000000" } });
	await world.settled();
	await world.extracted();
	key = await unlimitedKey(world);
	archived = await archiveToday(world);
	await world.billingSql`insert into credits (sha256, hint) values (${digestOf(credits)}, ${hintOf(credits)})`;
	shell = await openShell({ KEY: key, CREDITS: credits, EIDS_API_KEY: key, EIDS_URL: world.url });
});
afterAll(async () => {
	shell?.[Symbol.dispose]();
	await world?.[Symbol.asyncDispose]();
});

const headers = () => ({ "x-api-key": key, "content-type": "application/json" });

/** Runs two at once: more statements of one account are refused. */
async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
	const waiting = [...all];
	const work = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await act(next);
	};
	await Promise.all([work(), work()]);
}

/** Rows of an answer that is a list, in JSON or as CSV; undefined where it is none. */
function rowsIn(output: string): number | undefined {
	if (/^[\w"]+(,[\w"]+)+\r\n/.test(output)) return output.trim().split("\r\n").length - 1;
	try {
		const { data, features } = JSON.parse(output);
		return [data, features].find(Array.isArray)?.length;
	} catch {
		return undefined;
	}
}

/** Runs commands of a shell; answers what failed and what had no rows. */
async function faultsOf(commands: readonly Printed[], mayBeEmpty: readonly string[] = []): Promise<string[]> {
	expect(commands.length).toBeGreaterThan(0);
	const ran = await shell.bashAll(commands);
	return commands.flatMap(({ where, code }, at) => {
		const { output = "", failure } = ran[at] ?? {};
		if (failure !== undefined) return [`${where}: ${code}\n${failure}`];
		return rowsIn(output) === 0 && !mayBeEmpty.includes(where) ? [`${where}: ${code}\nno rows`] : [];
	});
}

const endless = (code: string) => (/curl -N /.test(code) ? { isEndless: true } : {});

describe("the OpenAPI document", () => {
	interface Operation {
		operationId: string;
		parameters: { name: string; in: string; example?: unknown; schema: { examples?: unknown[]; items?: unknown } }[];
		"x-codeSamples": { label: string; source: string }[];
	}
	/** Operations that the service refuses: where nothing is sold, without a mailed token, or without the account's address. */
	const refused = [
		"buyCredits",
		"startCheckout",
		"recoverKey",
		"confirmEmail",
		"confirmAlerts",
		"stopAlerts",
		"deleteAccount",
	];
	/** The order of running: operations that remove a thing come after those that read it. */
	const late = [/^delete/, /^(change|rotate)Key$/, /^revokeKey$/];
	let listed: (Operation & { path: string })[];

	beforeAll(async () => {
		const { paths } = JSON.parse(await text(world.url, "/openapi.json"));
		listed = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
			Object.values(methods).map((operation) => ({ path, ...operation })),
		);
	});

	/** The samples of a language, about what a new account has, as far as they are of numbers that only an answer tells. */
	async function samplesIn(label: string): Promise<{ key: string; phases: Printed[][] }> {
		const ownKey = await unlimitedKey(world);
		const own: Record<string, string> = {
			...(await ownThings(world.url, ownKey)),
			dispute_id: String(await aDispute(world.url)),
			receipt_id: await aReceipt(world.billingSql),
		};
		const sha256 = {
			getFile: await archivedFile(world.sql, "miso"),
			getFileBytes: await archivedFile(world.sql, "eia860"),
		};
		const samples = listed.flatMap(({ operationId, path, parameters, "x-codeSamples": shown }) => {
			const source = shown.find((sample) => sample.label === label)?.source;
			if (source === undefined || refused.includes(operationId)) return [];
			const given = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
			const at = (values: Record<string, string>) =>
				world.url +
				path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? given[name] ?? ""));
			const code = source
				.replaceAll(
					at({}),
					at({
						...own,
						...(operationId === "getArchiveFile" && archived),
						...(operationId in sha256 && { sha256: sha256[operationId as "getFile"] }),
					}),
				)
				.replace("you@example.com", newAddress())
				.replace("https://example.com/energy-changes", receiver)
				// Two queries of an account may not have the same name.
				.replace("Active requests of a state", operationId);
			const isEndless = operations[operationId as "streamChanges"].eventStream !== undefined;
			return [{ where: operationId, code, ...(isEndless && { isEndless }) }];
		});
		const phaseOf = ({ where }: Printed) => late.findIndex((pattern) => pattern.test(where));
		const phases = [-1, 0, 1, 2].map((phase) => samples.filter((sample) => phaseOf(sample) === phase));
		return { key: ownKey, phases };
	}

	test("every sample calls the address from which the document was requested", () => {
		const sources = listed.flatMap((operation) => operation["x-codeSamples"].map(({ source }) => source));
		expect(sources.length).toBeGreaterThan(3 * httpOperations().length);
		expect(sources.filter((source) => !source.includes(`${world.url}/`))).toEqual([]);
	});

	/** Lists that are empty in the sample, and why. */
	const empty = [
		// Nothing has changed yet.
		"listProjectChanges",
		"getDeveloperHistory",
		"listWatchlistChanges",
		// The lists of the sample are of today and yesterday, and no edition of Berkeley Lab's is in it.
		"compareDays",
		"getReconciliation",
		// The headlines of the sample are about invented developers.
		"listDeveloperEvents",
		// No list says this of any request.
		"listIntegrityFindings",
	];

	test("every curl command succeeds, with rows for a list", async () => {
		const { key: ownKey, phases } = await samplesIn("curl");
		const faults: string[] = [];
		for (const phase of phases)
			faults.push(
				...(await faultsOf(
					phase.map((sample) => ({ ...sample, code: `KEY=${ownKey}\n${sample.code}` })),
					empty,
				)),
			);
		expect(faults).toEqual([]);
	}, 240_000);

	test("every program of JavaScript runs", async () => {
		const { key: ownKey, phases } = await samplesIn("JavaScript");
		expect(await shell.javascript(phases, { KEY: ownKey })).toEqual({});
	}, 240_000);

	test("every program of Python runs", async () => {
		const { key: ownKey, phases } = await samplesIn("Python");
		expect(await shell.python(phases, { KEY: ownKey })).toEqual({});
	}, 240_000);

	test("every statement of DuckDB reads the Parquet file that it names", async () => {
		const { key: ownKey, phases } = await samplesIn("DuckDB");
		const connection = await (await DuckDBInstance.create()).connect();
		const empty: string[] = [];
		const samples = phases.flat().map(({ where, code }) => {
			const [, select = "", address = "", rest = ""] = /^(SELECT .*)'(http[^']+)'(.*)$/m.exec(code) ?? [];
			return { where, select, rest, code: `curl -o ${where}.parquet -H "X-API-Key: ${ownKey}" '${address}'` };
		});
		// DuckDB's own reader of HTTP is an extension that it loads from elsewhere.
		expect(await faultsOf(samples)).toEqual([]);
		for (const { where, select, rest } of samples) {
			const read = await connection.runAndReadAll(`${select}'${join(shell.dir, `${where}.parquet`)}'${rest}`);
			if (read.currentRowCount === 0) empty.push(where);
		}
		expect(empty).toEqual([]);
	});

	test("every example of a parameter is accepted, also as shown by MCP tools", async () => {
		const faults: string[] = [];
		const own = await ownThings(world.url, key);
		const values = listed.flatMap((operation) =>
			operation.parameters.flatMap(({ name, schema }) => {
				const items = schema.items as { examples?: unknown[] } | undefined;
				const values = schema.examples ?? items?.examples ?? [];
				return values.map((value) => ({ operation, name, value: String(value) }));
			}),
		);
		expect(values.length).toBeGreaterThan(50);
		await each(values, async ({ operation: { operationId, path, parameters }, name, value }) => {
			const given = parameters.filter(({ example }) => example !== undefined);
			const at = path.replace(/\{(\w+)\}/g, (_, each: string) => {
				const example = given.find((one) => one.name === each)?.example;
				return encodeURIComponent(own[each] ?? String(example));
			});
			const query = given.filter((one) => one.in === "query").map((one) => [one.name, String(one.example)]);
			const all = new URLSearchParams({ ...Object.fromEntries(query), [name]: value });
			const response = await fetch(`${world.url}${at}?${all}`, { headers: headers() });
			if (!response.ok) faults.push(`${operationId} ${name}=${value}: ${await response.text()}`);
			else await response.body?.cancel();
		});
		expect(faults).toEqual([]);
	});

	test("/llms-full.txt prints the same commands", async () => {
		const fences = [...(await text(world.url, "/llms-full.txt")).matchAll(/^```sh\n(.*?)\n```$/gms)];
		const commands = listed.map((operation) => operation["x-codeSamples"][0]?.source);
		expect(fences.map(([, command]) => command).sort()).toEqual(commands.sort());
	});
});

test("every question of /llms.txt has an answer, and every link resolves", async () => {
	const { sections } = parseLlmsTxt(await text(world.url, "/llms.txt"));
	const questions = sections.get("Questions and their calls") ?? [];
	expect(questions).toHaveLength(10);
	expect(await faultsOf(questions.map(({ title, url }) => ({ where: title, code: `curl '${url}'` })))).toEqual([]);
	const links = [...new Set([...sections.values()].flat().map(({ url }) => url.replace(/#.*/, "")))];
	expect(links.length).toBeGreaterThan(30);
	const faults: unknown[] = [];
	await each(links, async (link) => {
		const response = await fetch(link);
		await response.body?.cancel();
		if (response.status !== 200) faults.push([link, response.status]);
	});
	expect(faults).toEqual([]);
});

describe("pages", () => {
	/** The commands in the source of the pages, with what a reader without a key and filters sees in them. */
	async function commandsOfPages(): Promise<Printed[]> {
		const files = (await readdir(join(root, "web/pages"), { recursive: true })).filter((name) => name.endsWith(".tsx"));
		const found: Printed[] = [];
		for (const file of files) {
			const source = (await readFile(join(root, "web/pages", file), "utf8"))
				.replaceAll(/\{`|`\}|\$\{(header|key|dayQuery\(as_of\))\}/g, "")
				.replaceAll(/\$?\{location\.origin\}/g, world.url)
				.replaceAll(/\$\{id\}|\{ids\.join\(\)\}/g, aProject);
			for (const [code] of source.matchAll(/curl[^'\n]*'http[^'\n]*'/g)) found.push({ where: file, code });
			expect(source.match(/\bcurl /g)?.length ?? 0, file).toBe(found.filter(({ where }) => where === file).length);
		}
		return found;
	}

	test("every command succeeds", async () => {
		const commands = await commandsOfPages();
		expect(commands.map(({ where }) => where)).toContain("home/main.tsx");
		expect(commands.length).toBeGreaterThanOrEqual(5);
		expect(await faultsOf(commands, ["reconciliation/main.tsx"])).toEqual([]);
	});

	test("/docs/events prints a command that opens a stream", async () => {
		const page = await text(world.url, "/docs/events");
		const [, code = ""] = /<pre><code>(curl -N [^<]+)<\/code>/.exec(page) ?? [];
		const command = code.replaceAll("&quot;", '"').replaceAll("&#34;", '"').replaceAll("&amp;", "&");
		expect(await faultsOf([{ where: "/docs/events", code: `BASE=${world.url}\n${command}`, isEndless: true }])).toEqual(
			[],
		);
	});

	const views = [
		{ filters: {}, as_of: undefined, bbox: undefined },
		{
			filters: { state: "TX", fuel_type: "Solar", status: "Active", capacity_min: "20" },
			as_of: undefined,
			bbox: undefined,
		},
		{ filters: { region: "ERCOT,MISO", q: "so" }, as_of: today, bbox: undefined },
		{ filters: { status: "Active" }, as_of: undefined, bbox: "-107,25,-93,37" },
	];

	test("/explore offers commands, statements and files with rows", async () => {
		const requests = views.map((view) => ({ ...view, filters: { ...view.filters }, origin: world.url }));
		const commands = requests.map((view) => ({ where: JSON.stringify(view.filters), code: curl(view) }));
		expect(await faultsOf(commands)).toEqual([]);
		expect(await emptyOf(requests.map((view) => ({ sql: sql(view), database: "master" })))).toEqual([]);
		const programs = requests.map((view) => ({ where: JSON.stringify(view.filters), code: python(view) }));
		const hasPandas = (await shell.bash({ where: "pandas", code: "python3 -c 'import pandas'" })).failure === undefined;
		if (hasPandas) expect(await shell.python([programs])).toEqual({});
		else console.warn("SKIPPED: no Python with pandas here; the files that its programs read are fetched");
		const files = programs.map(({ where, code }) => ({ where, code: `curl ${/"http[^"]+"/.exec(code)?.[0]}` }));
		expect(await faultsOf(files)).toEqual([]);
	});

	test("/sql offers statements with rows, also as commands and programs", async () => {
		const caller = { origin: world.url, hasKey: true };
		const commands = statements.map((statement) => ({ where: statement.title, code: curlOf(statement, caller) }));
		expect(await faultsOf(commands)).toEqual([]);
		const programs = statements.map((statement) => ({ where: statement.title, code: pythonOf(statement, caller) }));
		expect(await shell.python([programs])).toEqual({});
	});
});

/** Statements that are refused or find nothing. */
async function emptyOf(all: readonly { sql: string; database: string }[]): Promise<unknown[]> {
	expect(all.length).toBeGreaterThan(0);
	const faults: unknown[] = [];
	await each(all, async ({ sql, database }) => {
		const body = JSON.stringify({ sql, database });
		const response = await fetch(`${world.url}/query`, { method: "POST", headers: headers(), body });
		const answer = await response.text();
		if (!response.ok || rowsIn(answer) === 0) faults.push([sql, response.status, answer.slice(0, 300)]);
	});
	return faults;
}

describe("README.md, docs and guides", () => {
	const read = async () => {
		const docs = (await readdir(join(root, "docs")))
			.filter((name) => name.endsWith(".md"))
			.map((name) => `docs/${name}`);
		const guides = (await readdir(join(root, "web/guides"))).map((name) => `web/guides/${name}`);
		return Promise.all(
			["README.md", ...docs, ...guides].map(async (where) => ({
				where,
				text: await readFile(join(root, where), "utf8"),
			})),
		);
	};
	const fencesIn = (text: string, language: string) =>
		[...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
	/** Code that stands in a sentence. */
	const spansIn = (text: string) =>
		[...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
	/** An address, a key and a receiver of the reader's. */
	const here = (code: string) =>
		code
			.replaceAll(/http:\/\/127\.0\.0\.1:80[89]0/g, world.url)
			.replaceAll("pk_...", key)
			.replaceAll(/you@example\.org/g, newAddress())
			.replaceAll(/https:\/\/desk\.example\.com\/[\w/-]*/g, receiver);
	/** Fills in what a printed address leaves open: a request, a developer, a day that the lists have. */
	const filled = (address: string) =>
		address.replaceAll(/\{(project_)?id\}/g, aProject).replaceAll(/\d{4}-\d\d-\d\d/g, today);

	test("every curl command answers", async () => {
		const commands = (await read()).flatMap(({ where, text }) => {
			if (where.startsWith("web/guides")) return [];
			// A fence is run whole where its lines belong together, but not what starts and restores systems.
			const fenced = fencesIn(text, "sh").flatMap((code) =>
				/^[^#\n]*\S.*\bcurl /m.test(code.replaceAll(/^curl /gm, "")) && !/\bnpm\b/.test(code)
					? [code]
					: (code.match(/^curl (?:.*\\\n)*.*$/gm) ?? []),
			);
			const inline = spansIn(text).filter((code) => /^curl .*http/.test(code));
			return [...fenced, ...inline].map((code) => ({ where, code: here(code), ...endless(code) }));
		});
		expect(commands.length).toBeGreaterThan(18);
		expect(await faultsOf(commands)).toEqual([]);
	});

	test("the response in README.md has the fields of the real one", async () => {
		const [{ text } = { text: "" }] = await read();
		const shown = JSON.parse(fencesIn(text, "json")[0] ?? "");
		const command = fencesIn(text, "sh").flatMap((code) => code.match(/^curl .*\/changes.*$/gm) ?? [])[0] ?? "";
		const { output } = await shell.bash({ where: "README.md", code: here(command) });
		const answer = JSON.parse(output);
		expect(Object.keys(answer)).toEqual(expect.arrayContaining(Object.keys(shown)));
		expect(Object.keys(answer.data[0])).toEqual(expect.arrayContaining(Object.keys(shown.data[0])));
	});

	test("every URL of docs/integrations.md returns what its tool reads", async () => {
		const text = await readFile(join(root, "docs/integrations.md"), "utf8");
		const addresses = text.match(/http:\/\/127\.0\.0\.1:8080\/[^\s"'`]+/g) ?? [];
		const found: Record<string, RegExp> = {
			csv: /^"?id"?,.*\n.+\n/,
			parquet: /^PAR1.*PAR1$/s,
			xlsx: /^PK.*sheet2\.xml/s,
			geojson: /"Point"/,
			atom: /<feed .*<\/feed>/s,
			ics: /BEGIN:VEVENT/,
		};
		const read = new Set<string>();
		await each(addresses, async (address) => {
			const [, extension = ""] = /\.(\w+)\?/.exec(address) ?? [];
			const response = await fetch(here(address), { headers: { "x-api-key": key } });
			expect([address, response.status]).toEqual([address, 200]);
			const body = Buffer.from(await response.arrayBuffer()).toString("latin1");
			expect(found[extension]?.test(body), `${address}: ${body.slice(0, 200)}`).toBe(true);
			read.add(extension);
		});
		expect([...read].sort()).toEqual(Object.keys(found).sort());
	});

	test("every URL with values, and every body shown with its path, succeeds", async () => {
		const gets = new Set<string>();
		const posts = new Map<string, [method: string, path: string]>();
		for (const { where, text } of await read()) {
			if (where === "docs/reliability.md") continue;
			for (const span of spansIn(text)) {
				const [, address] = /^(?:GET )?(\/[\w/{}.-]+\?[\w]+=[^`=]*[\w*][^`]*)$/.exec(span) ?? [];
				if (address !== undefined && !/=(&|$)|SEQ|\$\{|healthz|_id\}\/run|^\/mcp/.test(address))
					gets.add(filled(address));
			}
			for (const [, method = "", path = "", body = ""] of text.matchAll(
				/`(?:GET`, `)?(POST|PATCH) (\/[\w/]+)`[^`|\n]{0,80}`(\{"[^`]+\})`/g,
			))
				if (!body.includes("…")) posts.set(body, [method, path]);
		}
		expect([gets.size, posts.size]).toEqual([
			expect.toSatisfy((size) => size > 8),
			expect.toSatisfy((size) => size > 3),
		]);
		const faults: unknown[] = [];
		await each([...gets], async (address) => {
			const response = await fetch(world.url + address, { headers: headers() });
			if (!response.ok) faults.push([address, response.status, (await response.text()).slice(0, 300)]);
			else await response.body?.cancel();
		});
		// Each has a key of its own: one of them limits what a key may take in a day.
		const own = { ...headers(), "x-api-key": await unlimitedKey(world), "x-credit-token": credits };
		await each([...posts], async ([body, [method, path]]) => {
			const response = await fetch(world.url + path, { method, headers: own, body: filled(body) });
			if (!response.ok) faults.push([path, body, response.status, (await response.text()).slice(0, 300)]);
		});
		expect(faults).toEqual([]);
	});

	test("every statement in running text finds rows", async () => {
		const spans = (await read())
			.filter(({ where }) => where !== "docs/backups.md")
			.flatMap(({ text }) => spansIn(text));
		const all = spans.filter((code) => /^select /i.test(code)).map((sql) => ({ sql: filled(sql), database: "master" }));
		expect(await emptyOf(all)).toEqual([]);
	});

	test("the program of the client's README runs", async () => {
		const [code = ""] = fencesIn(await readFile(join(root, "libs/client/README.md"), "utf8"), "ts");
		const { failure, output } = await shell.node("client.ts", here(code));
		expect(failure).toBeUndefined();
		expect(output.trim().split("\n").length).toBeGreaterThan(10);
	});

	test("every command of docs/cli.md and of its help runs with eids, except those that follow changes (cli.test.ts)", async () => {
		const fences = fencesIn(await readFile(join(root, "docs/cli.md"), "utf8"), "sh");
		const printed = [
			...fences,
			...Object.values({ ...otherCommands, ...rowCommands }).flatMap((one) => ("examples" in one ? one.examples : [])),
		];
		const all = printed.flatMap((code) => code.match(/^eids .*$/gm) ?? []);
		const ending = all.filter((code) => !/ --follow| watch | log(in|out)/.test(code));
		expect(ending.length).toBeGreaterThan(10);
		await writeFile(join(shell.dir, "statement.sql"), "select region, count(*) as n from projects group by region");
		expect(await faultsOf(ending.map((code) => ({ where: "eids", code: filled(code) })))).toEqual([]);
	});
});

test("every command that npm run up prints succeeds, with a new key if one is needed", async () => {
	const linesOf = (settings: NodeJS.ProcessEnv) =>
		welcome(world.url, settings, false).match(/^ {2}(?:curl|KEY=).*$/gm) ?? [];
	const where = "npm run up";
	expect(await faultsOf(linesOf({}).map((code) => ({ where, code })))).toEqual([]);
	expect(await faultsOf([{ where, code: linesOf({ KEYLESS: "closed" }).join("\n") }])).toEqual([]);
});

describe("the description of SQL", () => {
	test("every function shown with a call returns rows", async () => {
		const { macros } = JSON.parse(await text(world.url, "/query/schema"));
		const all = macros.map(({ database, example }: Record<string, string>) => ({
			sql: `select * from ${example?.replaceAll(/\d{4}-\d\d-\d\d/g, today)} limit 1`,
			database: database ?? "",
		}));
		expect(await emptyOf(all)).toEqual([]);
	});
});
