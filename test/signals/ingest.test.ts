import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Pipeline } from "../../services/signals/domain/pipelines.ts";
import { run } from "../../services/signals/ingest.ts";
import { ingestFiles, sumOf } from "../../services/signals/jobs/ingest-files.ts";
import type { FileReport } from "../../services/signals/jobs/record-file.ts";
import { developer } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

const now = () => new Date("2026-11-20T12:00:00Z");
let signals: Signals;
let folder: string;
beforeEach(async () => {
	signals = await openSignals();
	folder = await mkdtemp(join(tmpdir(), "signals-files-"));
});
afterEach(async () => {
	await rm(folder, { recursive: true });
	await signals[Symbol.asyncDispose]();
});

async function ingest(source: Pipeline, paths: string[]): Promise<{ reports: FileReport[]; leftOut: string[] }> {
	const leftOut: string[] = [];
	const options = { now, report: () => {}, leftOut: (path: string) => void leftOut.push(path) };
	return { reports: await ingestFiles(signals.sql, source, paths, options), leftOut };
}

async function file(name: string, content: string): Promise<string> {
	const path = join(folder, name);
	await mkdir(join(path, ".."), { recursive: true });
	await writeFile(path, content);
	return path;
}

const artlist = JSON.stringify({
	articles: [
		{
			url: "https://www.example.com/pine-gate-files",
			url_mobile: "",
			title: "Pine Gate Renewables files for Chapter 11 bankruptcy protection",
			seendate: "20261106T120000Z",
			socialimage: "",
			domain: "example.com",
			language: "English",
			sourcecountry: "United States",
		},
		{ url: "", title: "No address", seendate: "20261106T120000Z", domain: "", language: "English", sourcecountry: "" },
	],
});

describe("a file taken in by hand", () => {
	it("is stored, and every row of it is accounted for", async () => {
		const path = await file("list.json", artlist);
		const { reports } = await ingest("news", [path]);
		expect(reports).toEqual([
			expect.objectContaining({ name: "list.json", rows_in: 2, stored: 1, known: 0, outcome: "applied", reason: null }),
		]);
		expect(reports[0]?.dropped).toEqual([expect.objectContaining({ reason: "no address", count: 1 })]);
		expect(await signals.sql`select source, name, rows_in, stored, outcome, dropped from source_files`).toEqual([
			{ source: "news", name: "list.json", rows_in: 2, stored: 1, outcome: "applied", dropped: reports[0]?.dropped },
		]);
	});

	it("a second time is unchanged, and its pipeline is fresh", async () => {
		const path = await file("list.json", artlist);
		signals.now = "2026-11-21T12:00:00Z";
		expect((await signals.ask("listSignalPipelines")).pipelines.map(({ status }) => status)).toEqual([
			"NEVER",
			"NEVER",
			"NEVER",
		]);
		await ingest("news", [path]);
		const version = await signals.dataVersion();
		const { reports } = await ingest("news", [path]);
		expect(sumOf("news", reports)).toEqual({
			source: "news",
			files: 1,
			rows_in: 2,
			stored: 0,
			known: 1,
			dropped: 1,
			outcome: "unchanged",
			reason: null,
		});
		expect(await signals.dataVersion()).toBe(version);
		const news = async () => (await signals.ask("listSignalPipelines")).pipelines[0];
		expect(await news()).toEqual({
			pipeline: "news",
			last_success: "2026-11-20T12:00:00Z",
			age_hours: 24,
			max_age_hours: 48,
			status: "FRESH",
			state: "unchanged",
		});
		signals.now = "2026-11-22T12:01:00Z";
		expect(await news()).toMatchObject({ status: "STALE" });
	});

	it.each([
		["news", "list.json", artlist.slice(0, -30)],
		["news", "page.html", "<!doctype html><title>Please limit requests to one every 5 seconds</title>"],
		["news", "empty.json", ""],
		["8-k", "feed.json", '{"cik": 1, "filings": '],
		["form-d", "primary_doc.xml", "<?xml version='1.0'?><edgarSubmission><submissionType>D</submissionType>"],
	] as const)(
		"that is not whole is refused with its reason, and nothing of it is stored: %s %s",
		async (source, name, content) => {
			const { reports } = await ingest(source, [await file(name, content)]);
			expect(reports).toEqual([
				expect.objectContaining({ name, outcome: "refused", stored: 0, reason: expect.stringContaining(name) }),
			]);
			expect(sumOf(source, reports)).toMatchObject({ outcome: "refused", files: 1, reason: reports[0]?.reason });
			expect(await signals.sql`select outcome, reason from source_files`).toEqual([
				{ outcome: "refused", reason: reports[0]?.reason },
			]);
			const [left] = await signals.sql`
			select (select count(*) from appearances) + (select count(*) from raises) + (select count(*) from filings) as rows`;
			expect(left).toEqual({ rows: 0 });
			expect(
				(await signals.ask("listSignalPipelines")).pipelines.find(({ pipeline }) => pipeline === source),
			).toMatchObject({
				status: "NEVER",
				state: "failing",
			});
		},
	);

	it("of another source in a folder is left out, and said", async () => {
		await file("a/list.json", artlist);
		const other = await file("b/notes.txt", "nothing of ours");
		const { reports, leftOut } = await ingest("news", [folder]);
		expect([reports.length, leftOut]).toEqual([1, [other]]);
	});

	it("from the command line answers by its exit code and a last line of JSON", async () => {
		const printed = vi.spyOn(console, "log").mockImplementation(() => {});
		const said = vi.spyOn(console, "error").mockImplementation(() => {});
		const env = { POSTGRES_URL: signals.url, INIT_CWD: folder };
		await file("list.json", artlist);
		await file("cut.json", artlist.slice(0, -30));
		expect(await run(["--source", "news", "list.json"], env)).toBe(0);
		expect(await run(["--source", "news", "list.json", "cut.json"], env)).toBe(3);
		expect(await run(["--source", "news", "missing.json"], env)).toBe(3);
		expect(await run(["--source", "radio", "list.json"], env)).toBe(1);
		expect(await run(["--source", "news"], env)).toBe(1);
		const lines = printed.mock.calls.map(([line]) => JSON.parse(String(line)) as { outcome: string });
		expect(lines.map(({ outcome }) => outcome)).toEqual(["applied", "refused", "refused"]);
		expect(said.mock.calls.map(([line]) => String(line))[0]).toContain("list.json: applied, 2 rows, 1 stored");
		printed.mockRestore();
		said.mockRestore();
	});
});

const real = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const missing = !existsSync(join(real, "sec")) || !existsSync(join(real, "news"));
if (missing) console.warn(`Skipped: real filings and news, as ${real} holds none (set REAL_DATA_DIR).`);

describe.skipIf(missing)("the real folders", () => {
	it.each([
		["form-d", "sec"],
		["8-k", "sec"],
		["news", "news"],
	] as const)(
		"of %s are taken in whole: each row is stored, known or dropped, and a second time nothing changes",
		async (source, name) => {
			await signals.developers(developer({ developer_id: 1, canonical_name: "NextEra Energy" }));
			const path = join(real, name);
			const { reports } = await ingest(source, [path]);
			expect(reports.length).toBeGreaterThan(3);
			for (const report of reports) {
				const dropped = report.dropped.reduce((sum, { count }) => sum + count, 0);
				expect([report.name, report.stored + report.known + dropped]).toEqual([report.name, report.rows_in]);
			}
			await signals.announced();
			const version = await signals.dataVersion();
			const again = await ingest(source, [path]);
			expect(again.reports.filter(({ stored }) => stored > 0)).toEqual([]);
			expect(await signals.dataVersion()).toBe(version);
			console.warn(
				source,
				sumOf(source, reports),
				reports.filter(({ outcome }) => outcome === "refused").map(({ reason }) => reason),
			);
		},
		120_000,
	);
});
