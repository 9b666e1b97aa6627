/**
 * `/export/projects` of everything, as CSV and as Parquet, against psql's `\copy` of the same select, each into a file; and what memory
 * that takes, one at a time and ten at once.
 */
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { operations } from "#libs/contract/index.ts";
import { exportedColumns } from "#libs/contract/operations/projects/project-columns.ts";
import { asText, fileSelect } from "#libs/parquet/select.ts";
import { findProgram } from "../../deploy/local/server-programs.ts";
import { projectSelect } from "../../services/queue-ingest/extracts/export-operations.ts";
import { eventually } from "../../test/support/eventually.ts";
import { exportAtOnce, measured, residentMb } from "./export-memory.ts";
import { fill } from "./fill.ts";
import { takeTurns, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const run = promisify(execFile);

export async function measureExport(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const psql = findProgram("psql");
	if (psql === undefined) {
		say("psql is not on this machine: the export is not measured.");
		return [];
	}
	await fill(bench, say, bench.size.exported);
	const at = (name: string) => join(bench.directory, name);
	const params = operations.exportProjects.params.parse({});
	const file = { columns: exportedColumns(params), by: ["id"] };
	const select = await asText(bench.sql, fileSelect(params, file, projectSelect(params)));
	const copy = `\\copy (${select}) to '${at("theirs.csv")}' with (format csv, header true)`;
	const env = { ...process.env, PGOPTIONS: "-c search_path=queue_ingest -c TimeZone=UTC -c DateStyle=ISO" };
	const memory = new Memory(bench);
	const write = (format: "csv" | "parquet") =>
		download(`${bench.url}/export/projects?format=${format}`, at(`ours.${format}`));
	const writeByPsql = () => run(psql, [bench.databaseUrl, "-qXc", copy], { env });
	const took = await takeTurns(bench.size.turns(5), {
		csv: () => memory.during(() => timed(() => write("csv"))),
		parquet: () => memory.during(() => timed(() => write("parquet"))),
		psql: () => timed(writeByPsql),
	});
	const isEqual = () => readFileSync(at("ours.csv")).equals(readFileSync(at("theirs.csv")));
	// A score that was computed between the two is only in the later one: then both are written again.
	await eventually(async () => {
		if (isEqual()) return true;
		await write("csv");
		await writeByPsql();
		if (!isEqual()) throw new Error("the export and psql's copy differ");
		return true;
	});
	const rows = await countLines(at("ours.csv"));
	const perSecond = (ms: number) => (1000 * rows) / ms;
	const ofPsql = { unit: "rows/s", baseline: took.psql.map(perSecond) };
	const megabytes = (name: string) => (statSync(at(name)).size / 1e6).toFixed(1);
	return [
		{
			measure: `/export/projects of ${rows} rows as CSV`,
			...ofPsql,
			ours: took.csv.map(perSecond),
			aim: { atLeast: 0.5 },
			note: `the baseline is psql's \\copy of the same; ${megabytes("ours.csv")} MB`,
		},
		{
			measure: "  as Parquet",
			...ofPsql,
			ours: took.parquet.map(perSecond),
			note: `${megabytes("ours.parquet")} MB`,
		},
		...memory.rows(),
		...(await measureAtOnce(bench, "csv")),
		...(await measureAtOnce(bench, "parquet")),
	];
}

/** Ten callers, one of them slow, one leaving midway; each service against what it was after the turns above. */
async function measureAtOnce(bench: Bench, format: string): Promise<Row[]> {
	const growth = await exportAtOnce(bench, `/export/projects?format=${format}`);
	return measured.map((name) => ({
		measure: `memory of ${name} with ten at once as ${format}, against before`,
		unit: "MB",
		ours: [growth[name].most],
		baseline: [growth[name].before],
		note: `grew by ${Math.round(growth[name].most - growth[name].before)}; aim: less than 50`,
	}));
}

async function download(url: string, path: string): Promise<void> {
	const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
		get(url, resolve).on("error", reject);
	});
	await pipeline(response, createWriteStream(path));
}

/** Without the header; the text of a cell may hold line ends, which both files then do. */
async function countLines(path: string): Promise<number> {
	let lines = -1;
	for await (const chunk of createReadStream(path))
		for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
	return lines;
}

/** Resident memory of the two services while they export (MB): the most of each turn, beside what it was before the first. */
class Memory {
	readonly #pids: Record<string, number>;
	readonly #before: Record<string, number>;
	readonly #most: Record<string, number[]> = {};

	constructor(bench: Bench) {
		this.#pids = { gateway: bench.pidOf("gateway"), "queue-ingest": bench.pidOf("queue-ingest") };
		this.#before = this.#now();
	}

	async during<T>(work: () => Promise<T>): Promise<T> {
		const most = this.#now();
		const timer = setInterval(() => {
			for (const [name, now] of Object.entries(this.#now())) most[name] = Math.max(most[name] ?? 0, now);
		}, 20);
		try {
			return await work();
		} finally {
			clearInterval(timer);
			for (const [name, value] of Object.entries(most)) this.#most[name] = [...(this.#most[name] ?? []), value];
		}
	}

	rows(): Row[] {
		return Object.keys(this.#pids).map((name) => ({
			measure: `memory of ${name} while exporting, against before`,
			unit: "MB",
			ours: this.#most[name] ?? [],
			baseline: [this.#before[name] ?? 0],
			note: `turn by turn: ${(this.#most[name] ?? []).map(Math.round).join(", ")}; after: ${Math.round(this.#now()[name] ?? 0)}`,
		}));
	}

	#now(): Record<string, number> {
		return Object.fromEntries(Object.entries(this.#pids).map(([name, pid]) => [name, residentMb(pid)]));
	}
}
