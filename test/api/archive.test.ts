/** The archive over HTTP: every day is made again from its files, by the query of docs/archive.md, and is what `/projects` answered on it. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { ArchiveFile } from "#libs/contract/exports/archive.ts";
import { operations } from "#libs/contract/index.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { projectColumns } from "#libs/contract/operations/projects/project-columns.ts";
import { archiveDays } from "../../services/queue-ingest/history/dated-files/archive-days.ts";
import { openArchive } from "../../services/queue-ingest/history/dated-files/bucket.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { releaseData } from "../../tools/release-data/main.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { eventually } from "../support/eventually.ts";
import { type JsonRow, readParquet } from "../support/export-files.ts";
import { startWorld, type World } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

let world: World;
let key: string;
let folder: string;
/** Responses of `/projects` at the end of each day. */
const states = new Map<string, JsonRow[]>();
const one = { number: "J100", poi: "Panther 230kV Substation" };
const other = (number: string, more: Partial<MisoRow> = {}) => ({ number, ...more });

beforeAll(async () => {
	world = await startWorld({ data: "none" });
	key = await unlimitedKey(world);
	folder = await mkdtemp(join(tmpdir(), "archive-test-"));
	await live();
	await download();
}, 120_000);
afterAll(async () => {
	await world?.[Symbol.asyncDispose]();
	if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
	fetch(world.url + path, { method, headers: { "x-api-key": key, ...headers } });

/** Takes in the list of a day at six o'clock, and keeps what `/projects` answers once all have done with it. */
async function take(day: string, rows: MisoRow[]): Promise<void> {
	const asOf = `${day}T06:00:00Z`;
	world.clock.now = new Date(asOf);
	const file = misoJson([...rows, ...standing()]);
	const files = [{ ...file, path: file.name }];
	const { outcome } = await ingestSnapshot(world.sql, { region: "MISO", files, asOf, now: () => new Date(asOf) });
	expect([day, outcome]).toEqual([day, "applied"]);
	// The database has a clock of its own.
	await world.sql`update snapshots set finished_at = as_of`;
	await keep(day);
}

async function keep(day: string): Promise<void> {
	await world.settled();
	const rows: JsonRow[] = [];
	await eventually(async () => {
		const answer = await get("/projects?population=all&include_unlisted=true&per_page=500");
		const { data } = (await answer.json()) as { data: JsonRow[] };
		rows.splice(0, rows.length, ...data);
		const [row] = await world.sql<{ version: number }[]>`select version from data_version`;
		return answer.headers.get("x-data-version") === String(row?.version);
	});
	states.set(day, rows);
}

const archive = async (time: string) =>
	archiveDays(world.sql, await openArchive(world.bus), {
		now: () => new Date(time),
		dir: tmpdir(),
		signal: new AbortController().signal,
	});

/** Two months, a day in which nothing was archived, a request that is gone. */
async function live(): Promise<void> {
	expect(await archive("2026-10-29T00:00:05Z")).toEqual([]);
	await take("2026-10-29", [one]);
	expect(await archive("2026-10-30T00:00:05Z")).toEqual(["2026-10-29"]);
	await take("2026-10-30", [{ ...one, summer: 120 }, other("J101")]);
	expect(await archive("2026-10-31T00:00:05Z")).toEqual(["2026-10-30"]);
	expect(await archive("2026-10-31T23:59:59Z")).toEqual([]);
	await keep("2026-10-31");
	expect(await archive("2026-11-01T00:00:05Z")).toEqual(["2026-10-31"]);
	await take("2026-11-01", [{ ...one, summer: 120, phase: "Phase 3" }, other("J101"), other("J102", { summer: 75 })]);
	expect(await archive("2026-11-02T00:00:05Z")).toEqual(["2026-11-01"]);
	// Not archived before there are newer lists.
	await take("2026-11-02", [{ ...one, summer: 90, phase: "Phase 3" }, other("J102", { summer: 75 })]);
	await take("2026-11-03", [{ ...one, summer: 60, phase: "GIA" }, other("J102", { summer: 75 }), other("J103")]);
	expect(await archive("2026-11-04T00:00:05Z")).toEqual(["2026-11-02", "2026-11-03"]);
	await world.sql`delete from project_aliases where project_id = 'MISO-J102'`;
	await world.sql`delete from projects where id = 'MISO-J102'`;
	await take("2026-11-04", [{ ...one, summer: 60, phase: "GIA", county: "Sangamon" }, other("J103")]);
	expect(await archive("2026-11-05T00:00:05Z")).toEqual(["2026-11-04"]);
}

async function listed(): Promise<ArchiveFile[]> {
	const answer = await get("/archive/");
	expect(answer.status).toBe(200);
	return operations.listArchive.reply.parse(await answer.json()).files;
}

async function download(): Promise<void> {
	for (const { name } of await listed()) {
		const path = join(folder, "archive", name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, Buffer.from(await (await get(`/archive/${name}`)).arrayBuffer()));
	}
}

/** The documented query, of another day. */
async function rebuilt(day: string): Promise<JsonRow[]> {
	const page = await readFile(join(import.meta.dirname, "../../docs/archive.md"), "utf8");
	const query = /```sql\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
	const statement = query
		.replace("'archive/projects/*/2026-11*.parquet'", `'${folder}/archive/projects/*/${day.slice(0, 7)}*.parquet'`)
		.replace("2026-11-25", day);
	expect(statement).not.toBe(query);
	const instance = await DuckDBInstance.create(":memory:");
	const connection = await instance.connect();
	await connection.run("set TimeZone = 'UTC'");
	await connection.run(
		`copy (${statement.replace(/;\s*$/, "")}) to '${folder}/day.parquet' (format parquet, compression zstd)`,
	);
	connection.closeSync();
	const { rows } = await readParquet(await readFile(join(folder, "day.parquet")));
	return rows.map((row) => Object.fromEntries(projectColumns().map(({ name }) => [name, row[name] ?? null])));
}

/** Fields that are computed after a version of a request is written. */
const derived = [
	"tax_credit",
	"effective_credit",
	"estimated_credit",
	"investab",
	"p_cod",
	"energy_comm",
	"low_income",
	"domestic",
];
const filed = (rows: JsonRow[]) =>
	rows.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([name]) => !derived.some((word) => name.startsWith(word)))),
	);

test.each(["2026-10-29", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-03", "2026-11-04"])(
	"the file of %s equals the response of /projects on that day",
	async (day) => {
		expect(states.get(day)?.length).toBeGreaterThan(20);
		expect(await rebuilt(day)).toEqual(states.get(day));
	},
);

test("a day archived after newer lists has the state of that day", async () => {
	expect(filed(await rebuilt("2026-11-02"))).toEqual(filed(states.get("2026-11-02") ?? []));
});

test("the list names every file with its hash and range of changes, and each file matches", async () => {
	const files = await listed();
	expect(files.map(({ name }) => name)).toEqual([
		"changes/delta/2026-10-29.parquet",
		"projects/full/2026-10.parquet",
		...["2026-10-30", "2026-10-31", "2026-11-01"].flatMap((day) => [
			`changes/delta/${day}.parquet`,
			`projects/delta/${day}.parquet`,
		]),
		"projects/full/2026-11.parquet",
		...["2026-11-02", "2026-11-03", "2026-11-04"].flatMap((day) => [
			`changes/delta/${day}.parquet`,
			`projects/delta/${day}.parquet`,
		]),
	]);
	for (const { name, bytes, sha256, rows, seq, schema_version } of files) {
		const answer = await get(`/archive/${name}`);
		const body = Buffer.from(await answer.arrayBuffer());
		expect([name, body.length, createHash("sha256").update(body).digest("hex")]).toEqual([name, bytes, sha256]);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"content-type": "application/vnd.apache.parquet",
			"content-disposition": `attachment; filename="${name.split("/").at(-1)}"`,
			etag: `"${sha256}"`,
			"x-seq": String(seq),
			"x-schema-version": schema_version,
		});
		expect([name, Number((await readParquet(body)).metadata.num_rows)]).toEqual([name, rows]);
	}
	const [delta] = files.filter(({ name }) => name === "projects/delta/2026-10-31.parquet");
	expect(delta?.rows).toBe(0);
});

test("the changes of all days form the log, each once", async () => {
	const rows: JsonRow[] = [];
	let reached = 0;
	for (const { name, after_seq, seq } of (await listed()).filter(({ dataset }) => dataset === "changes")) {
		expect([name, after_seq]).toEqual([name, reached]);
		reached = seq;
		rows.push(...(await readParquet(await readFile(join(folder, "archive", name)), changeTable.columns())).rows);
	}
	const log = (await (await get("/changes?after=0&include=row&per_page=500")).json()) as { data: JsonRow[] };
	expect(rows).toEqual(log.data.map(({ project: _, ...change }) => change));
	expect(rows.length).toBeGreaterThan(5);
});

test("a request that no longer exists is a row with only its id", async () => {
	const { rows } = await readParquet(await readFile(join(folder, "archive/projects/delta/2026-11-04.parquet")));
	const gone = rows.find(({ deleted }) => deleted === true) ?? {};
	expect(
		Object.keys(gone)
			.filter((name) => gone[name] !== null)
			.sort(),
	).toEqual(["day", "deleted", "id"]);
	expect(gone.id).toBe("MISO-J102");
});

test("a file supports ranges and HEAD, and a client that has it gets 304", async () => {
	const [{ name, bytes, sha256 } = { name: "", bytes: 0, sha256: "" }] = await listed();
	const whole = await readFile(join(folder, "archive", name));
	const part = await get(`/archive/${name}`, { range: "bytes=10-19", "if-range": `"${sha256}"` });
	expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-19/${bytes}`]);
	expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
	const head = await get(`/archive/${name}`, {}, "HEAD");
	expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes)]);
	expect((await get(`/archive/${name}`, { "if-none-match": `"${sha256}"` })).status).toBe(304);
	expect((await get(`/archive/${name}`, { range: `bytes=${bytes}-` })).status).toBe(416);
});

test.each([
	["projects/full/2026-09.parquet", 404],
	["changes/full/2026-11.parquet", 404],
	["projects/delta/2026-11.csv", 422],
	["projects/deltas/2026-11-01.parquet", 422],
	["developers/full/2026-11.parquet", 422],
	["manifest.json", 404],
	["projects/full/..%2Fmanifest.json", 422],
])("/archive/%s is a %i", async (name, status) => {
	expect((await get(`/archive/${name}`)).status).toBe(status);
});

test("releases are the exports of one state of the data, reproducible, with what changed between two of them", async () => {
	const release = (name: string, since?: string) =>
		releaseData({
			out: join(folder, name),
			since: since && join(folder, since),
			url: world.url,
			key,
			doi: "10.1/eids",
		});
	const { version, files } = await release("first");
	expect(files.map(({ name }) => name).sort()).toEqual(
		["changes", "developers", "plants", "prices", "projects", "scores"].map((name) => `${name}.parquet`),
	);
	await take("2026-11-05", [
		{ ...one, summer: 90, phase: "GIA", county: "Sangamon" },
		{ ...other("J103"), status: "Withdrawn", withdrawn: "2026-11-05" },
		other("J104", { poi: '=HYPERLINK("x")|y', summer: 700 }),
	]);
	await release("second", "first");
	await release("again", "first");
	const text = (name: string, file: string) => readFile(join(folder, name, file), "utf8");
	expect(await text("again", "SHA256SUMS")).toBe(await text("second", "SHA256SUMS"));
	await promisify(execFile)("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: join(folder, "again") });

	const differences: Record<string, string>[] = parse(await text("second", "changelog.csv"), { columns: true });
	const idsOf = (kind: string) => new Set(differences.filter((each) => each.kind === kind).map(({ id }) => id));
	expect([idsOf("added"), idsOf("withdrawn"), idsOf("removed")]).toEqual([
		...[new Set(["MISO-J104"]), new Set(["MISO-J103"]), new Set()],
	]);
	expect(differences.filter(({ id, field }) => id === "MISO-J104" || field === "capacity_mw")).toEqual([
		expect.objectContaining({ kind: "added", name: expect.not.stringMatching(/^=/) }),
		expect.objectContaining({ kind: "changed", id: "MISO-J100", before: "60.0", after: "90.0" }),
	]);
	const changelog = await text("second", "CHANGELOG.md");
	expect(changelog).toContain(`| MISO | 1 | 1 | ${idsOf("changed").size} | 0 |\n| all | 1 | 1 |`);
	expect(changelog).toMatch(/^\| MISO-J104 \| MISO \| .*\\\|y \| 700 \|$/m);
	expect(differences).toContainEqual(
		expect.objectContaining({ kind: "withdrawn", id: "MISO-J103", field: "status_std", after: "Withdrawn" }),
	);

	const dataset = JSON.parse(await text("second", "dataset.jsonld"));
	const page = await (await fetch(world.url, { headers: { accept: "text/html" } })).text();
	const [, onPage = ""] = /<script type="application\/ld\+json">(.+)<\/script>/.exec(page) ?? [];
	const { distribution, ...described } = JSON.parse(onPage);
	expect(distribution).toContainEqual(expect.objectContaining({ contentUrl: "/export/projects.parquet" }));
	expect(dataset).toMatchObject({
		...{ "@type": "Dataset", name: described.name, description: described.description, version: expect.any(String) },
		identifier: "https://doi.org/10.1/eids",
		isBasedOn: expect.arrayContaining([
			expect.objectContaining({ creator: expect.objectContaining({ name: "Midcontinent ISO" }) }),
		]),
	});
	const sums = await text("second", "SHA256SUMS");
	for (const { contentUrl, sha256 } of dataset.distribution) expect(sums).toContain(`${sha256}  ${contentUrl}\n`);
	expect(files.find(({ name }) => name === "changes.parquet")?.address).not.toMatch(/DUKE|SOCO|TVA/);
	expect(parseYaml(await text("second", "CITATION.cff"), { version: "1.1" })).toMatchObject({
		...{ "cff-version": "1.2.0", type: "dataset", doi: "10.1/eids", version: dataset.version },
		references: expect.arrayContaining([expect.objectContaining({ type: "data" })]),
	});
	expect(await text("second", "README.md")).toContain(`list what changed since the release ${version}`);

	await expect(release("second")).rejects.toThrow("exists");
	await writeFile(join(folder, "first/README.md"), "other");
	await expect(release("third", "first")).rejects.toThrow("differs from its SHA256SUMS");
});
