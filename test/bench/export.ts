/** `/export/projects` of everything against psql's `\copy` of the same select, each into a file; and what memory that takes. */
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { findProgram } from "../../deploy/local/server-programs.ts";
import { exportSelect } from "../../services/queue-ingest/operations/export-projects.ts";
import { fillTo, loadLists } from "./fill.ts";
import { interleave, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const run = promisify(execFile);
/** Large enough for an answer that is kept in memory to show. */
const size = 200_000;
const rounds = 5;

export async function measureExport(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const psql = findProgram("psql");
	if (psql === undefined) {
		say("psql is not on this machine: the export is not measured.");
		return [];
	}
	await loadLists(bench.sql, say);
	await fillTo(bench.sql, size);
	const [ours, theirs] = [join(bench.directory, "ours.csv"), join(bench.directory, "theirs.csv")];
	const copy = `\\copy (${exportSelect({}).replace(/\s+/g, " ")}) to '${theirs}' with (format csv, header true)`;
	const env = { ...process.env, PGOPTIONS: "-c search_path=queue_ingest -c TimeZone=UTC -c DateStyle=ISO" };
	const theirTurn = () => timed(() => run(psql, [bench.databaseUrl, "-qXc", copy], { env }));
	const memory = new Memory(bench);
	const ourTurn = () => memory.during(() => timed(() => download(`${bench.url}/export/projects`, ours)));
	const took = await interleave({ rounds }, ourTurn, theirTurn);
	if (!readFileSync(ours).equals(readFileSync(theirs))) throw new Error("the export and psql's copy differ");
	const rows = await countLines(ours);
	const perSecond = (ms: number) => (1000 * rows) / ms;
	return [
		{
			measure: `/export/projects of ${rows} rows`,
			unit: "rows/s",
			ours: took.ours.map(perSecond),
			baseline: took.baseline.map(perSecond),
			aim: { atLeast: 0.5 },
		},
		...memory.rows(),
	];
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

function residentMb(pid: number): number {
	const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	return Number(kilobytes) / 1024;
}
