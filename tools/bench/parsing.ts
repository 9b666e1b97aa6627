/** Rows a second from a file's bytes to standardised rows, in the worker thread that the ingest reads it in. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import type { Feed, RawFile } from "../../services/queue-ingest/sources/source.ts";
import { queueFeeds, queueFile, queueRows } from "../../test/support/queue-files.ts";
import { median, timed } from "./measure.ts";
import { asFile, pjmList } from "./pjm-list.ts";
import type { Row } from "./report.ts";
import type { Bench, Size } from "./system.ts";

export async function measureParsing({ size }: Bench, say: (line: string) => void): Promise<Row[]> {
	const files = [...(size.realData ? await realFiles(size.realData) : await madeUpFiles(size)), pjmXml(size)];
	const { rounds, warmUps } = size.turns(5);
	const speeds = new Map<string, { file: Listed; rows: number; perSecond: number[] }>();
	// Round by round over all files, so that what else the machine does meets all alike.
	for (let round = -warmUps; round < rounds; round++) {
		for (const file of files) {
			const known = speeds.get(file.path) ?? { file, rows: 0, perSecond: [] };
			const ms = await timed(async () => {
				known.rows = (await parseFile({ ...file, asOf: "2026-07-20T00:00:00Z" })).rowsIn;
			});
			if (round >= 0) known.perSecond.push((1000 * known.rows) / ms);
			speeds.set(file.path, known);
		}
	}
	say("parsing: done");
	return [...speeds.values()].map(({ file, rows, perSecond }) => ({
		measure: `parse ${file.feed} (${formatOf(file.name)})`,
		unit: "rows/s",
		ours: perSecond,
		baseline: [],
		note: `${rows} rows, ${Math.round((1000 * rows) / median(perSecond))} ms, ${basename(file.path)}`,
	}));
}

interface Listed extends RawFile {
	feed: Feed;
	path: string;
}

const formatOf = (name: string): string => name.split(".").at(-1) ?? "";

/** The newest file of each format of each feed. */
async function realFiles(realData: string): Promise<Listed[]> {
	const newest = new Map<string, Listed>();
	for (const { path, source } of (await snapshotFiles(realData)).files) {
		const bytes = await readFile(join(realData, path));
		newest.set(`${source.feed} ${formatOf(path)}`, { feed: source.feed, name: basename(path), path, bytes });
	}
	const place = ({ feed }: Listed) => sources.findIndex((source) => source.feed === feed);
	return [...newest.values()].sort((a, b) => place(a) - place(b));
}

/** The largest number of requests that test/support can make. */
async function madeUpFiles(size: Size): Promise<Listed[]> {
	const made = queueFeeds.map(async (feed) => {
		const file = await queueFile(feed, queueRows(feed, { count: size.count(999) }));
		return { feed, name: file.name, path: `made up, ${feed}`, bytes: file.bytes };
	});
	return Promise.all(made);
}

/** PJM's XML; the real files are only copies in other formats. */
function pjmXml(size: Size): Listed {
	const file = asFile(pjmList(size));
	return { feed: "pjm-serial", path: "written as PJM's XML", ...file };
}
