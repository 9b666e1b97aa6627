/** The code of the guides runs as it is printed, against the whole service: `$BASE` is its address, as on the page. */
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Json } from "#libs/contract/index.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { blocksOf } from "../../libs/contract/documents/markdown.ts";
import { newWallet, takenBy } from "../access/support/clients.ts";
import { startGateways, type TestGateways } from "../access/support/gateways.ts";
import { installClient } from "../api/support/installed-client.ts";
import type { World } from "../support/world.ts";
import { test } from "./support.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "web/guides");
const guides = (await readdir(folder)).map((file) => file.replace(".md", ""));

/** Blocks that are not run: commands of programs that are not here, and calls with a token that was bought. */
const shown = new Set(["text"]);

interface Ran {
	/** Output of each block, in order. */
	printed: string[];
	/** Output of the background program when it was stopped. */
	server: string;
}

/** Runs the blocks of a guide one after the other, as one script of a shell that stops at the first that fails. `files` lie beside it. */
async function run(name: string, base: string, env: Record<string, string>, files: string[] = []): Promise<Ran> {
	const text = (await readFile(join(folder, `${name}.md`), "utf8")).replaceAll("$BASE", base);
	const blocks = blocksOf(text).flatMap((block) => (block.kind === "code" ? [block] : []));
	const dir = await mkdtemp(join(tmpdir(), "guide-"));
	try {
		await symlink(join(root, "node_modules"), join(dir, "node_modules"));
		await writeFile(join(dir, "statement.mjs"), statement);
		for (const file of files) await copyFile(file, join(dir, basename(file)));
		const steps: string[] = ["set -eu", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"];
		for (const [place, { language, text }] of blocks.entries()) {
			const [kind = "", ...more] = language.split(" ");
			if (shown.has(kind)) continue;
			steps.push(`printf '\\n=== %s\\n' ${place}`, await step(dir, place, kind, more, text));
		}
		// A posted message may still be on its way.
		steps.push(
			`if [ -f server.txt ]; then for i in $(seq 600); do grep -q webhook.test server.txt && break; sleep 0.1; done; fi`,
		);
		await writeFile(join(dir, "guide.sh"), steps.join("\n"));
		const stdout = await succeeds("bash", ["guide.sh"], dir, env);
		const printed = stdout.split(/\n=== \d+\n/).slice(1);
		return { printed, server: await readFile(join(dir, "server.txt"), "utf8").catch(() => "") };
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

/** A block as a line of the script. */
async function step(dir: string, place: number, kind: string, more: string[], text: string): Promise<string> {
	if (kind === "sh") return text;
	const extension = { js: "mjs", sql: "sql", py: "py" }[kind];
	if (extension === undefined) throw new Error(`no way to run ${kind}`);
	const file = `${place}.${extension}`;
	await writeFile(join(dir, file), text);
	if (kind === "sql") return `node statement.mjs ${file}`;
	if (kind === "js")
		return more.includes("server") ? `node ${file} > server.txt 2>&1 &\n${untilItListens}` : `node ${file}`;
	// Debian's Python has the packages that CI installs. Others may be missing on this machine.
	const python = process.env.PYTHON ?? "/usr/bin/python3";
	const run = `${python} ${file}`;
	if (more.length === 0) return run;
	// Finding a package takes a fraction of the time of importing it.
	const found = `${python} -c 'import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))'`;
	return `if ${found} ${more.join(" ")}; then ${run}; else echo "not run: no Python with ${more.join(", ")}" >&2; fi`;
}

const untilItListens =
	"for i in $(seq 600); do (echo > /dev/tcp/127.0.0.1/$PORT) 2> /dev/null && break; sleep 0.1; done";

/** Prints the rows of a file's statement. */
const statement = `import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
const connection = await (await DuckDBInstance.create()).connect();
const answer = await connection.runAndReadAll(readFileSync(process.argv[2], "utf8"));
for (const row of answer.getRows()) console.log(row.join("|"));
`;

async function succeeds(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<string> {
	const path = `${dirname(process.execPath)}${delimiter}${env.PATH ?? process.env.PATH}`;
	const child = spawn(command, args, { cwd, env: { ...process.env, NODE_OPTIONS: "", ...env, PATH: path } });
	const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
	if (child.exitCode === null) await new Promise((resolve) => child.once("close", resolve));
	const missing = /^not run: .*\n/gm;
	for (const [line] of err.matchAll(missing)) console.warn(line.trim());
	// The line of `eids` about a file that it wrote.
	const written = /^\S+: [\d,]+ bytes\n/gm;
	expect([child.exitCode, err.replace(missing, "").replace(written, "")], out).toEqual([0, ""]);
	return out;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
	let text = "";
	for await (const chunk of stream) text += chunk;
	return text;
}

describe("with the sample", () => {
	let world: World;
	let key: string;
	test.beforeAll(async ({ readOnlyWorld }) => {
		world = readOnlyWorld;
		const response = await fetch(`${world.url}/register`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ email: "guides@example.org" }),
		});
		key = ((await response.json()) as { key: string }).key;
	});

	const answer = async <T>(path: string): Promise<T> => (await (await fetch(world.url + path)).json()) as T;
	const runs = (name: string, env: Record<string, string> = {}, files: string[] = []) =>
		run(name, world.url, { KEY: key, ...env }, files);

	test("the notebook's counts equal the service's, and it has no stored output", async () => {
		const text = await readFile(join(root, "docs/notebook.ipynb"), "utf8");
		const { cells } = JSON.parse(text) as { cells: { cell_type: string; source: string[]; outputs?: unknown[] }[] };
		const code = cells.filter(({ cell_type }) => cell_type === "code");
		expect(code.flatMap(({ outputs }) => outputs ?? [])).toEqual([]);
		const dir = await mkdtemp(join(tmpdir(), "notebook-"));
		try {
			const program = code.map(({ source }) => source.join("")).join("\n\n");
			await writeFile(join(dir, "run.sh"), await step(dir, 0, "py", ["pandas"], program));
			const printed = await succeeds("bash", ["run.sh"], dir, { EIDS_URL: world.url, EIDS_API_KEY: key });
			if (printed === "") return;
			const { data } = await answer<{ data: { total_projects: number; by_iso: { iso: string; count: number }[] } }>(
				"/stats",
			);
			expect(printed).toContain(`${data.total_projects} requests, `);
			for (const { iso, count } of data.by_iso)
				expect(printed).toMatch(new RegExp(`^${iso} +${count} +${count}$`, "m"));
		} finally {
			await rm(dir, { recursive: true, force: true });
		}
	});

	test("a first call, a key, its limits, and a list from end to end", async () => {
		const { printed } = await runs("start");
		expect(printed[1]).toContain("did you mean");
		expect(printed[3]).toContain("ratelimit-policy");
		const { meta } = await answer<{ meta: { total: number } }>("/developers?per_page=1");
		expect(printed[4]?.trim().split("\n")).toHaveLength(meta.total);
	});

	test("the cookbook answers its fifteen questions, each differently", async () => {
		const { printed } = await runs("cookbook", { RECEIVER: "http://127.0.0.1:9/" });
		const [, withdrawals = "", webhook = "", then = "", ahead = "", station = "", months = "", developer = ""] =
			printed;
		expect(withdrawals).toMatch(/^developer,requests,mw\r\n/);
		expect(JSON.parse(webhook)).toMatchObject({ secret: expect.stringMatching(/^whsec_/), proven: false });
		expect(JSON.parse(then)).toMatchObject({ now: expect.any(Number), lists: [null, expect.any(String)] });
		expect(JSON.parse(ahead.split("\n")[0] ?? "")).toHaveProperty("ahead");
		expect(station).toContain('"poi_id":"CAISO-sce-windhub-230kv"');
		expect(months.match(/^type_std,requests,months\r$/gm)).toHaveLength(2);
		expect(developer).toContain('"canonical_name": "Invenergy"');
		const [pair = "", stuck = "", credit = "", centres = ""] = printed.slice(8);
		expect(JSON.parse(pair)).toHaveLength(2);
		expect(stuck).toMatch(/^\d+\nid,name,/);
		expect(JSON.parse(credit)).toMatchObject({ status: expect.any(String), citations: expect.any(Array) });
		expect(centres).toContain('"not_published_by"');
	});

	test("changes are followed to the end, and a copy has every request", async () => {
		const { printed } = await runs("feed");
		// Numbers of raw changes, which are not asked for, are passed over.
		const { data, next } = await answer<{ data: unknown[]; next: number }>("/changes?after=0&per_page=500");
		expect(printed[1]).toContain(`${data.length} changes, the last is ${next}`);
		const { meta } = await answer<{ meta: { total: number } }>("/projects?per_page=1");
		expect(printed[2]).toContain(`${meta.total} requests`);
	});

	test("a list is filtered, paged and revalidated", async () => {
		const { printed } = await runs("lists");
		expect(printed[0]?.trim().split("\n").length).toBeGreaterThan(1);
		expect(printed[1]).toMatch(/^\d+ MW are active/);
		expect(printed[3]).toBe("304\n");
	});

	test("a file matches its manifest, and DuckDB reads it", async () => {
		const { printed } = await runs("files");
		expect(printed[1]).toContain("projects.parquet: OK");
		const { data } = await answer<{ data: { by_iso: { iso: string }[] } }>("/stats");
		expect(printed[2]).toBe("resumed\n");
		expect(printed[3]?.trim().split("\n").length).toBeLessThanOrEqual(data.by_iso.length);
		expect(printed.at(-1)).toBe("0\n");
	});

	test("eids is installed, makes a request, writes a file, and exits with a code for failures", async () => {
		using client = await installClient();
		const tarball = (await readdir(client.folder)).find((name) => name.endsWith(".tgz")) ?? "";
		const prefix = join(client.folder, "global");
		const env = {
			PATH: `${join(prefix, "bin")}${delimiter}${process.env.PATH}`,
			NPM_CONFIG_PREFIX: prefix,
			NPM_CONFIG_OFFLINE: "true",
			NPM_CONFIG_UPDATE_NOTIFIER: "false",
			XDG_CONFIG_HOME: client.folder,
		};
		const { printed } = await runs("cli", env, [join(client.folder, tarball)]);
		expect(printed[0]).toMatch(/^1\.0\.0$/m);
		const rows = (printed[2] ?? "")
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		const { data, meta } = await answer<{ data: { id: string }[]; meta: { total: number } }>(
			"/projects?state=TX&status=Active&fields=name,capacity_mw",
		);
		const changes = await answer<{ total: number }>("/changes?since_days=7&per_page=1");
		expect(rows).toHaveLength(meta.total + changes.total + 1);
		expect(rows[0]).toEqual(expect.objectContaining({ id: expect.any(String), capacity_mw: expect.any(Number) }));
		expect(data.map(({ id }) => id)).toContain(rows[0].id);
		expect(rows.at(-1)).toMatchObject({ project_id: "ERCOT-23INR0907", investability_score: expect.any(Number) });
		expect(printed[3]).toMatch(/^region,n\r\n/);
		const inTexas = await answer<{ meta: { total: number } }>("/projects?state=TX&per_page=1");
		expect(printed[5]).toBe(`${inTexas.meta.total}\n`);
		expect(printed[6]).toMatch(/^exit code 4\neids: .+\n {2}code: not_found\n/);
	});

	test("a day, a history, and what differs", async () => {
		const { printed } = await runs("past");
		const { data } = await answer<{ data: { total_projects: number } }>("/stats");
		expect(printed[0]).toContain(`"requests": ${data.total_projects}`);
		expect(printed[1]).toContain("status");
		expect(printed[2]).toContain("null -> Active: ");
	});

	test("statements as JSON, from a program, and as a file", async () => {
		const { printed } = await runs("sql");
		expect(printed[0]).toContain("capacity_mw DOUBLE MW");
		expect(JSON.parse(printed[1]?.split("\n")[0] ?? "")).toMatchObject({ region: expect.any(String) });
		expect(printed[2]).toContain("median_score");
		expect(printed[3]).toMatch(/^id,name,capacity_mw/);
	});

	test("a stream from its beginning", async () => {
		const { printed } = await runs("streams");
		expect(printed[0]).toContain("event: change.recorded");
		expect(printed[1]?.trim().split("\n")).toHaveLength(3);
	});

	test("a webhook is created, and its messages are verified", async () => {
		const port = String(await freePort());
		const { server } = await runs("webhooks", { PORT: port, RECEIVER: `http://127.0.0.1:${port}/` });
		expect(server).toContain("webhook.test");
	});

	test("a client of MCP lists tools and calls one", async () => {
		const { printed } = await runs("agents");
		expect(printed[0]).toMatch(/^\d+ tools\n/);
		expect(printed[0]).toContain('"capacity_mw"');
	});
});

describe("when payment is required", () => {
	let gateways: TestGateways;
	beforeAll(async () => {
		const page = { data: [], meta: { total: 0, page: 1, per_page: 1, pages: 0 } };
		gateways = await startGateways({
			pay: ["x402", "mpp", "card"],
			owner: { listProjects: async () => ({ json: JSON.stringify(page) as Json<never>, dataVersion: 1 }) },
		});
	});
	afterAll(() => gateways?.[Symbol.asyncDispose]());

	test("a 402 states its price, and a wallet pays it", async () => {
		const wallet = newWallet(gateways.payments);
		const { printed } = await run("payment", gateways.url, { WALLET_KEY: wallet.key });
		expect(printed[0]).toContain('"price_usd": 0.01');
		expect(printed[1]).toContain('"valid_until"');
		expect(printed[2]).toBe("200 true\n");
		expect(takenBy(gateways)).toBe(10_000);
	});
});

test("every guide with code is run", async () => {
	const source = await readFile(import.meta.filename, "utf8");
	for (const name of guides)
		if (/^```(?!text)./m.test(await readFile(join(folder, `${name}.md`), "utf8")))
			expect(source).toMatch(new RegExp(`runs?\\("${name}"`));
});
