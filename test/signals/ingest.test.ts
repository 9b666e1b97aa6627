import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { tryLock } from "#libs/postgres/lock.ts";
import { run } from "../../services/signals/admin/ingest.ts";
import { ingestFiles, sumReports } from "../../services/signals/ingest/ingest-files.ts";
import type { Pipeline } from "../../services/signals/records/records.ts";
import type { FileReport } from "../../services/signals/records/source-files.ts";
import { developer } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

const now = () => new Date("2026-11-20T12:00:00Z");
let signals: Signals;
let folder: string;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(async () => {
	await signals.clear();
	folder = await mkdtemp(join(tmpdir(), "signals-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function ingest(source: Pipeline, paths: string[]): Promise<{ reports: FileReport[]; reportSkipped: string[] }> {
	const reportSkipped: string[] = [];
	const options = {
		now,
		report: () => {},
		reportSkipped: (path: string, why: string) => void reportSkipped.push(`${path}: ${why}`),
	};
	return { reports: await ingestFiles(signals.sql, source, paths, options), reportSkipped };
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
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

const masterIndex = `CIK|Company Name|Form Type|Date Filed|File Name\n${"-".repeat(80)}\n`;

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");

const lines = (...rows: string[]) => rows.map((row) => `${row.replaceAll("|", "\t")}\n`).join("");
/** One filing whose amount is no amount, and a person of another. */
const tsv = {
	submissions: lines(
		"ACCESSIONNUMBER|FILE_NUM|FILING_DATE|SUBMISSIONTYPE|TESTORLIVE",
		"0001900001-26-000001|021-1|05-MAR-2026|D|LIVE",
	),
	issuers: lines(
		"ACCESSIONNUMBER|IS_PRIMARYISSUER_FLAG|CIK|ENTITYNAME|STREET1|CITY|STATEORCOUNTRY",
		"0001900001-26-000001|YES|1900001|Harvest Lane Holdings LLC|1 Main St|Nashville|TN",
	),
	offerings: lines(
		"ACCESSIONNUMBER|INDUSTRYGROUPTYPE|ISAMENDMENT|SALE_DATE|TOTALOFFERINGAMOUNT|TOTALAMOUNTSOLD",
		"0001900001-26-000001|Other Energy|false|2026-02-20|1000|999999999999999",
	),
	persons: lines("ACCESSIONNUMBER|RELATEDPERSON_SEQ_KEY|FIRSTNAME|LASTNAME", "0001900001-26-000009|1|Ann|Example"),
};

const entry = (form: string, number: number) => `<entry>
	<title>${form} - Harvest Lane Holdings LLC (0001900001) (Filer)</title>
	<summary type="html">&lt;b&gt;Filed:&lt;/b&gt; 2026-03-02 &lt;b&gt;AccNo:&lt;/b&gt; 0001900001-26-00000${number}</summary>
	<category label="form type" term="${form}"/>
	<id>urn:tag:sec.gov,2008:accession-number=0001900001-26-00000${number}</id></entry>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/cgi-bin/browse-edgar"/>${entry("D", 1)}${entry("8-K", 2)}</feed>`;
const submissions = JSON.stringify({
	cik: "1900001",
	name: "Harvest Lane Holdings LLC",
	filings: {
		recent: {
			accessionNumber: ["0001900001-26-000003", "0001900001-26-000004"],
			filingDate: ["2026-04-02", "2026-04-03"],
			form: ["D/A", "8-K"],
		},
	},
});

describe("a file ingested by hand", () => {
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
		signals.now = "2026-11-07T12:00:00Z";
		expect((await signals.ask("listSignalPipelines")).pipelines.map(({ status }) => status)).toEqual([
			"NEVER",
			"NEVER",
			"NEVER",
		]);
		await ingest("news", [path]);
		const version = await signals.dataVersion();
		const { reports } = await ingest("news", [path]);
		expect(sumReports("news", reports)).toEqual({
			source: "news",
			files: 1,
			rows_in: 2,
			stored: 0,
			known: 1,
			dropped: 1,
			notes: 0,
			outcome: "unchanged",
			reason: null,
		});
		expect(await signals.dataVersion()).toBe(version);
		const news = async () => (await signals.ask("listSignalPipelines")).pipelines[0];
		expect(await news()).toEqual({
			pipeline: "news",
			last_success: "2026-11-06T12:00:00Z",
			age_hours: 24,
			max_age_hours: 48,
			status: "FRESH",
			state: "unchanged",
		});
		signals.now = "2026-11-08T12:01:00Z";
		expect(await news()).toMatchObject({ status: "STALE" });
	});

	it("loaded today is as old as its newest record, and does not make the pipeline older", async () => {
		const of = async () => (await signals.ask("listSignalPipelines")).pipelines[0];
		const dated = (day: string) => artlist.replaceAll(/\d{8}T\d{6}Z/g, `${day}T120000Z`);
		signals.now = "2026-11-20T12:00:00Z";
		await ingest("news", [await file("old.json", dated("20240301"))]);
		expect(await of()).toMatchObject({ last_success: "2024-03-01T12:00:00Z", status: "STALE", state: "ok" });
		await ingest("news", [await file("new.json", dated("20261119").replaceAll("pine-gate-files", "again"))]);
		expect(await of()).toMatchObject({ last_success: "2026-11-19T12:00:00Z", status: "FRESH" });
		await ingest("news", [await file("old.json", dated("20240301"))]);
		expect(await of()).toMatchObject({ last_success: "2026-11-19T12:00:00Z", status: "FRESH" });
	});

	it.each([
		["news", "list.json", artlist.slice(0, -30)],
		["news", "page.html", "<!doctype html><title>Please limit requests to one every 5 seconds</title>"],
		["news", "empty.json", ""],
		["8-k", "feed.json", '{"cik": 1, "filings": '],
		["form-d", "primary_doc.xml", "<?xml version='1.0'?><edgarSubmission><submissionType>D</submissionType>"],
	] as const)(
		"that is incomplete is refused with a reason, and nothing is stored: %s %s",
		async (source, name, content) => {
			const { reports } = await ingest(source, [await file(name, content)]);
			expect(reports).toEqual([
				expect.objectContaining({ name, outcome: "refused", stored: 0, reason: expect.stringContaining(name) }),
			]);
			expect(sumReports(source, reports)).toMatchObject({ outcome: "refused", files: 1, reason: reports[0]?.reason });
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

	it("that is intact but of another kind in a folder is skipped with a note", async () => {
		await file("a/list.json", artlist);
		const others = [
			[await file("b/README.txt", "About these files"), "contains the text: About these files"],
			[await file("b/lines.csv", "station,kind,since\nA,wind,2020\n"), "is a table with other columns"],
			[await file("b/master.idx", masterIndex), "is a form-d file"],
			[await file("b/notes.md", "nothing of ours"), "contains the text: nothing of ours"],
			[await file("b/other.json", '{"rates": [1]}'), "is JSON of another kind"],
			[await file("b/other.xml", "<rates><rate/></rates>"), "is XML of another kind (<rates>)"],
		];
		const { reports, reportSkipped } = await ingest("news", [folder]);
		expect(reports.map(({ name }) => name)).toEqual(["list.json"]);
		expect(reportSkipped).toEqual(others.map(([path, why]) => `${path}: ${why}`));
	});

	it.each([
		["form-d", "CIK0000000001.json", "<!DOCTYPE html><title>Undeclared automated tool</title>", "is an HTML page"],
		["form-d", "primary_doc.xml", "<?xml version='1.0'?><!DOCTYPE html><html></html>", "is an HTML page"],
		["form-d", "master.20260102.idx", "<html>Access denied</html>", "is an HTML page"],
		["form-d", "2026q1_d.zip", "PK\x03\x04cut", "is a truncated archive"],
		["form-d", "CIK0000000001.json", utf16('{"cik": 1}'), "is not UTF-8 text"],
		["8-k", "CIK0000000001.json", '{"filings": {"rec', "is truncated"],
		["8-k", "feed.xml", "<Error><Code>AccessDenied</Code></Error>", "contains the text: AccessDenied"],
		["8-k", "CIK0000000001.json", '{"message": "Too many requests"}', "Too many requests"],
		["8-k", "0000000001-26-000001.txt", "", "is empty"],
		[
			"news",
			"list.json",
			"Your query was too short or too long.\n",
			"contains the text: Your query was too short or too long.",
		],
		["news", "20260102030000.gkg.csv.zip", "<html>502</html>", "is an HTML page"],
		["news", "feed.xml", "<rss-like><channel>", "is truncated: it does not end with </rss-like>"],
	] as const)("that is broken in a folder of %s is refused: %s", async (source, name, content, reason) => {
		const path = await file(`deep/${name}`, content);
		const { reports, reportSkipped } = await ingest(source, [folder]);
		expect(reportSkipped).toEqual([]);
		expect(reports).toEqual([
			expect.objectContaining({ name, outcome: "refused", reason: expect.stringContaining(reason) }),
		]);
		expect(sumReports(source, reports)).toMatchObject({ outcome: "refused", reason: expect.stringContaining(reason) });
		expect(await signals.sql`select name, reason from source_files`).toEqual([{ name, reason: reports[0]?.reason }]);
		expect((await ingest(source, [path])).reports[0]?.reason).toBe(reports[0]?.reason);
	});

	it("in a folder is refused if it is larger than any file of the source", async () => {
		await truncate(await file("masterfilelist.txt", "150383 x http://example.com\n"), 64 * 1024 ** 2 + 1);
		expect((await ingest("news", [folder])).reports).toMatchObject([
			{ name: "masterfilelist.txt", outcome: "refused", reason: expect.stringContaining("67108865 bytes") },
		]);
	});

	it("of 25 MB is ingested", async () => {
		const path = await file("list.json", artlist + " ".repeat(25 * 1024 * 1024));
		expect((await ingest("news", [path])).reports).toMatchObject([{ outcome: "applied", stored: 1 }]);
	});

	it("reports values that stored filings lack", async () => {
		await file("set/FORMDSUBMISSION.tsv", tsv.submissions);
		await file("set/ISSUERS.tsv", tsv.issuers);
		await file("set/OFFERING.tsv", tsv.offerings);
		await file("set/RELATEDPERSONS.tsv", tsv.persons);
		const errors = vi.spyOn(console, "error").mockImplementation(() => {});
		const printed = vi.spyOn(console, "log").mockImplementation(() => {});
		expect(await run(["--source", "form-d", "set"], { POSTGRES_URL: signals.url, INIT_CWD: folder })).toBe(0);
		const notes = [
			{
				reason: "a row of RELATEDPERSONS belongs to no filing of the set",
				count: 1,
				examples: ["RELATEDPERSONS.tsv, line 2"],
			},
			{
				reason: "total amount sold is not plausible and was left out",
				count: 1,
				examples: ["0001900001-26-000001: 999999999999999"],
			},
		];
		expect(await signals.sql`select rows_in, stored, dropped, notes from source_files`).toEqual([
			{ rows_in: 1, stored: 1, dropped: [], notes },
		]);
		expect(errors.mock.calls.flat().join("\n")).toContain(
			"; noted 1: a row of RELATEDPERSONS belongs to no filing of the set; noted 1: total amount sold is not plausible",
		);
		expect(JSON.parse(String(printed.mock.calls[0]?.[0]))).toMatchObject({ rows_in: 1, dropped: 0, notes: 2 });
		errors.mockRestore();
		printed.mockRestore();
	});

	it.each(["form-d", "8-k"] as const)("of EDGAR's lists adds Form D filings to the index under %s", async (source) => {
		const { reports } = await ingest(source, [
			await file("latest.xml", atom),
			await file("CIK0001900001.json", submissions),
		]);
		expect(reports.map(({ rows_in }) => rows_in)).toEqual([2, 2]);
		const known =
			await signals.sql`select accession_number, form, company from indexed_filings order by accession_number`;
		expect(known).toEqual([
			{ accession_number: "0001900001-26-000001", form: "D", company: "Harvest Lane Holdings LLC" },
			{ accession_number: "0001900001-26-000003", form: "D/A", company: "Harvest Lane Holdings LLC" },
		]);
		const [filings] = await signals.sql<{ count: number }[]>`select count(*)::integer as count from filings`;
		const dropped = reports.map((report) => report.dropped.map(({ reason, count }) => [reason, count]));
		const left = source === "form-d" ? [["form 8-K is neither D nor D/A", 1]] : [];
		expect([filings?.count, dropped]).toEqual([source === "form-d" ? 0 : 2, [left, left]]);
	});

	it("from the command line reports by its exit code and a last line of JSON", async () => {
		const printed = vi.spyOn(console, "log").mockImplementation(() => {});
		const errors = vi.spyOn(console, "error").mockImplementation(() => {});
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
		expect(errors.mock.calls.map(([line]) => String(line))[0]).toContain("list.json: applied, 2 rows, 1 stored");
		printed.mockRestore();
		errors.mockRestore();
	});
});

describe("ingest --live", () => {
	let errors: string[];
	beforeEach(() => {
		errors = [];
		vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
	});
	const call = (args: string[], contact?: string) =>
		run(args, { POSTGRES_URL: signals.url, ...(contact !== undefined && { CONTACT: contact }) });

	it.each([
		["without a contact", undefined, "CONTACT is not set"],
		["with a contact that names no address", "Example Org", "CONTACT must be an organization and an e-mail address"],
	])("sends SEC no request %s", async (_, contact, sentence) => {
		expect(await call(["--source", "form-d", "--live"], contact)).toBe(1);
		expect(errors).toEqual([expect.stringContaining(sentence)]);
		expect(await signals.sql`select from hosts`).toHaveLength(0);
	});

	it("leaves polling to the replica that has begun", async () => {
		await using lock = await tryLock(signals.sql, "job:signals:refresh-news");
		expect(lock).toBeDefined();
		expect(await call(["--source", "news", "--live"])).toBe(1);
		expect(errors).toEqual([expect.stringContaining("the running system is polling this source")]);
		expect(await signals.sql`select from hosts`).toHaveLength(0);
	});

	it("accepts no files with it", async () => {
		expect(await call(["--source", "news", "--live", "file.json"])).toBe(1);
		expect(errors).toEqual(["--live and files cannot be combined"]);
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
		"of %s are ingested completely: each row is stored, known or dropped, and a second time nothing changes",
		async (source, name) => {
			await signals.developers(developer({ developer_id: 1, canonical_name: "NextEra Energy" }));
			const path = join(real, name);
			const { reports } = await ingest(source, [path]);
			expect(reports.length).toBeGreaterThan(3);
			expect(reports.filter(({ outcome }) => outcome === "refused")).toEqual([]);
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
				sumReports(source, reports),
				reports.filter(({ outcome }) => outcome === "refused").map(({ reason }) => reason),
			);
		},
		120_000,
	);
});
