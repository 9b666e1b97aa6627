/** Rows a second of each reader of news, filings and ownership, in the worker thread that they are read in. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { recognizeEightK } from "../../services/signals/filings/sources/read-8-k.ts";
import { findFiles } from "../../services/signals/ingest/find-files.ts";
import { readGroups } from "../../services/signals/ingest/read-files.ts";
import { recognizeNews } from "../../services/signals/news/sources/read-news.ts";
import { recognizeFormD } from "../../services/signals/raises/sources/read-form-d.ts";
import type { FileGroup } from "../../services/signals/records/records.ts";
import { zip, zipEntry } from "../../test/support/file-formats.ts";
import { median, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench, Size } from "./system.ts";

const now = "2026-11-20T00:00:00Z";

interface Reading {
	measure: string;
	files: number;
	/** Answers how many rows were read. */
	read(): Promise<number>;
}

export async function measureSources({ size }: Bench, say: (line: string) => void): Promise<Row[]> {
	const real = size.realData ? [...(await signalFiles(size.realData)), ...(await eiaFiles(size.realData))] : [];
	const readings = [...real, gkgFile(size), feed(size)];
	const { rounds, warmUps } = size.turns(5);
	const figures = new Map(readings.map((reading) => [reading, { rows: 0, perSecond: [] as number[] }]));
	// Round by round over all, so that what else the machine does meets all alike.
	for (let round = -warmUps; round < rounds; round++) {
		for (const [reading, figure] of figures) {
			const ms = await timed(async () => {
				figure.rows = await reading.read();
			});
			if (round >= 0) figure.perSecond.push((1000 * figure.rows) / ms);
		}
	}
	say("sources: done");
	return [...figures].map(([{ measure, files }, { rows, perSecond }]) => ({
		measure: `read ${measure}`,
		unit: "rows/s",
		ours: perSecond,
		baseline: [],
		note: `${rows} rows in ${files} files, ${Math.round((1000 * rows) / median(perSecond))} ms`,
	}));
}

const kinds = { "form-d": recognizeFormD, "8-k": recognizeEightK, news: recognizeNews } as const;
type Source = keyof typeof kinds;

const reading = (measure: string, source: Source, files: FileGroup): Reading => ({
	measure,
	files: files.length,
	read: async () => {
		const [content] = await readGroups({ source, groups: [files], now });
		return content !== undefined && "rowsIn" in content ? content.rowsIn : 0;
	},
});

/** The files of the real folders, those of one kind together. */
async function signalFiles(realData: string): Promise<Reading[]> {
	const readings: Reading[] = [];
	for (const [source, folder] of [
		["news", "news"],
		["form-d", "sec"],
		["8-k", "sec"],
	] as const) {
		const byKind = new Map<string, FileGroup>();
		for await (const found of findFiles(source, [join(realData, folder)], () => {})) {
			for (const file of Array.isArray(found) ? found : []) {
				const kind = kinds[source](file) ?? "";
				byKind.set(kind, [...(byKind.get(kind) ?? []), file]);
			}
		}
		for (const [kind, files] of byKind) readings.push(reading(`${source}, ${kind}`, source, files));
	}
	return readings;
}

async function eiaFiles(realData: string): Promise<Reading[]> {
	const folder = join(realData, "eia860", "2020");
	const names = (await readdir(folder)).filter((name) => /^\d/.test(name)).sort();
	return Promise.all(
		names.map(async (name) => {
			const bytes = await readFile(join(folder, name));
			return { measure: `eia860, ${name}`, files: 1, read: async () => (await readEia860({ name, bytes })).rowsIn };
		}),
	);
}

/** A quarter of an hour of GDELT: 1,300 pages with what surrounds a title there. */
function gkgFile({ count }: Size): Reading {
	const row = (at: number) => {
		const cells: Record<number, string> = {
			0: `20260918031500-${at}`,
			1: "20260918031500",
			2: "1",
			3: "example.com",
			4: `https://example.com/energy/${at}`,
			8: "ENV_SOLAR,120;ECON_STOCKMARKET,340;".repeat(100),
			14: "Example Renewables,120;Some Other Company,310;".repeat(20),
			26: `<PAGE_LINKS>${"https://example.com/link;".repeat(60)}</PAGE_LINKS><PAGE_TITLE>Solar farm ${at} comes online</PAGE_TITLE>`,
		};
		return Array.from({ length: 27 }, (_, column) => cells[column] ?? "").join("\t");
	};
	const text = `${Array.from({ length: count(1_300) }, (_, at) => row(at)).join("\n")}\n`;
	const bytes = zip([zipEntry("20260918031500.gkg.csv", Buffer.from(text))]);
	return reading("news, gdelt-gkg (made up)", "news", [{ name: "20260918031500.gkg.csv.zip", bytes }]);
}

function feed({ count }: Size): Reading {
	const item = (at: number) =>
		`<item><title>Solar farm ${at} comes online</title><link>https://example.com/${at}</link><pubDate>Fri, 20 Nov 2026 03:15:00 GMT</pubDate><description>${"Words of an article. ".repeat(20)}</description></item>`;
	const items = Array.from({ length: count(2_000) }, (_, at) => item(at)).join("");
	const bytes = Buffer.from(
		`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`,
	);
	return reading("news, rss (made up)", "news", [{ name: "feed.xml", bytes }]);
}
