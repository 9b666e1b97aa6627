/** Form D is taken in as SEC publishes it: day by day, filing by filing, set by set, each once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeArchive } from "#libs/files/archive.ts";
import { refreshJobs } from "../../services/signals/ingest/refresh.ts";
import { eventually } from "../support/eventually.ts";
import { atomEntry, atomPage, type Publishers, startPublishers } from "./support/publishers.ts";
import { samplePrimaryDoc } from "./support/sample-filing.ts";
import { openSignals, type Signals } from "./support/signals.ts";

/** Wednesday; in New York it is morning. */
const now = "2026-11-18T15:00:00Z";
const later = "2026-11-18T17:30:00Z";
const indexes = "/sec/Archives/edgar/daily-index/2026/QTR4";
const listing = "/sec/data-research/sec-markets-data/form-d-data-sets";

let signals: Signals;
let publishers: Publishers;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(async () => {
	await signals.clear();
	publishers = await startPublishers();
	await signals.sql`insert into cursors (feed, position) values ('form-d/daily-index', '2026-11-12')`;
});
afterEach(() => publishers[Symbol.asyncDispose]());

const turn = (at = now, signal?: AbortSignal) => publishers.turn(signals.sql, "form-d", at, signal);
const accession = (number: number) => `0000123450-26-00000${number}`;

function index(day: string, ...numbers: number[]): string {
	const rows = numbers.map(
		(number) => `12345${number}|Heron Wind ${number} LLC|D|${day}|edgar/data/12345${number}/${accession(number)}.txt\n`,
	);
	return `Description:           Daily Index\n \nCIK|Company Name|Form Type|Date Filed|File Name\n${"-".repeat(80)}\n${rows.join("")}`;
}

/** Serves a day's index. */
function day(date: string, ...numbers: number[]): void {
	publishers.files.set(`${indexes}/master.${date}.idx`, { body: index(date, ...numbers) });
}

/** Serves a filing's document; answers its path. */
function document(number: number, name = `Heron Wind ${number} LLC`): string {
	const path = `/sec/Archives/edgar/data/12345${number}/${accession(number).replaceAll("-", "")}/primary_doc.xml`;
	publishers.files.set(path, { body: samplePrimaryDoc({ name, cik: `000012345${number}` }) });
	return path;
}

async function position(): Promise<string | undefined> {
	const [row] = await signals.sql<
		{ position: string }[]
	>`select position from cursors where feed = 'form-d/daily-index'`;
	return row?.position;
}

const indexed = () => signals.sql<{ accession_number: string; state: string; attempts: number }[]>`
	select accession_number, state, attempts from indexed_filings order by accession_number`;
const raises = () => signals.sql<{ accession_number: string; filing_date: string; issuer_name: string }[]>`
	select accession_number, filing_date, issuer_name from raises order by accession_number`;

describe("the daily indexes", () => {
	it("are read from the cursor to yesterday, without weekends, and the filings that they name are fetched", async () => {
		day("20261113", 1);
		day("20261116", 2);
		day("20261117", 3);
		for (const number of [1, 2, 3]) document(number);
		const looks = await turn();
		expect(looks["daily-index"]).toMatchObject({ outcome: "applied", stored: 3 });
		expect(publishers.askedFor("daily-index")).toEqual(
			["12", "13", "16", "17"].map((date) => `${indexes}/master.202611${date}.idx`),
		);
		expect(await raises()).toMatchObject([
			{ accession_number: accession(1), filing_date: "2026-11-13", issuer_name: "Heron Wind 1 LLC" },
			{ accession_number: accession(2), filing_date: "2026-11-16" },
			{ accession_number: accession(3), filing_date: "2026-11-17" },
		]);
		expect(await position()).toBe("2026-11-18");
	});

	it("of a day without one are awaited until a later one exists", async () => {
		day("20261112", 1);
		day("20261113", 2);
		await turn();
		expect(await position()).toBe("2026-11-14");
		day("20261117", 3);
		publishers.askedFor("");
		await turn(later);
		expect(publishers.askedFor("daily-index")).toHaveLength(2);
		expect(await position()).toBe("2026-11-18");
	});

	it("of a day long ago are skipped", async () => {
		await signals.sql`update cursors set position = '2026-11-09'`;
		await turn();
		expect(await position()).toBe("2026-11-14");
	});

	it("continue where a run ended between two of them", async () => {
		const stop = new AbortController();
		day("20261112", 1);
		day("20261116", 3);
		day("20261117", 4);
		publishers.files.set(`${indexes}/master.20261113.idx`, () => {
			stop.abort(new Error("killed"));
			return { body: index("20261113", 2) };
		});
		await expect(turn(now, stop.signal)).rejects.toThrow();
		expect(await position()).toBe("2026-11-13");
		publishers.askedFor("");
		day("20261113", 2);
		await turn(later);
		expect(publishers.askedFor("daily-index")).toEqual(
			["13", "16", "17"].map((date) => `${indexes}/master.202611${date}.idx`),
		);
		expect(await indexed()).toHaveLength(4);
	});

	it("that are truncated are refused, not skipped, and stop nothing else", async () => {
		publishers.files.set(`${indexes}/master.20261116.idx`, { body: index("20261116", 2).slice(0, -20) });
		day("20261113", 1);
		document(1);
		const looks = await turn();
		expect(looks["daily-index"]).toMatchObject({ outcome: "applied", reason: expect.stringContaining("20261116") });
		expect(looks.documents).toMatchObject({ outcome: "applied", stored: 1 });
		expect(await position()).toBe("2026-11-14");
		day("20261116", 2);
		await turn(later);
		expect((await indexed()).map((row) => row.accession_number)).toEqual([accession(1), accession(2)]);
	});
});

describe("the documents", () => {
	it("that are absent are requested five times, at growing intervals, and are then missing", async () => {
		day("20261117", 1);
		const looks: number[] = [];
		for (const hour of [15, 16, 17, 18, 20, 22]) {
			await turn(`2026-11-18T${hour}:30:00Z`);
			looks.push(publishers.askedFor("primary_doc").length);
		}
		expect(looks).toEqual([1, 1, 0, 1, 0, 1]);
		expect(await indexed()).toMatchObject([{ state: "known", attempts: 4 }]);
		await turn("2026-11-19T06:30:00Z");
		expect(await indexed()).toMatchObject([{ state: "missing", attempts: 5 }]);
	});

	it("that are truncated do not block the others", async () => {
		day("20261117", 1, 2, 3);
		document(1);
		const path = document(2);
		document(3);
		publishers.files.set(path, { body: samplePrimaryDoc().slice(0, 900) });
		const looks = await turn();
		expect(looks.documents).toMatchObject({
			outcome: "applied",
			stored: 2,
			reason: expect.stringContaining(accession(2)),
		});
		expect(await indexed()).toMatchObject([{ state: "stored" }, { state: "known", attempts: 1 }, { state: "stored" }]);
	});

	it("before a refusal are stored, and SEC receives no more requests", async () => {
		day("20261117", 1, 2, 3);
		document(3);
		publishers.files.set(document(2), { status: 429 });
		const looks = await turn();
		expect(looks.documents).toMatchObject({ outcome: "busy", stored: 1 });
		expect(looks["data-sets"]).toMatchObject({ outcome: "busy" });
		expect((await raises()).map((row) => row.accession_number)).toEqual([accession(3)]);
		expect((await indexed()).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
		publishers.askedFor("");
		await turn(later);
		expect(publishers.asked).toEqual([]);
		const [pipeline] = await signals.sql`select last_outcome from pipelines where pipeline = 'form-d'`;
		expect(pipeline).toEqual({ last_outcome: "applied" });
	});
});

describe("the latest filings", () => {
	const page = (start: number) =>
		`/sec/cgi-bin/browse-edgar?action=getcurrent&type=D&count=100&start=${start}&owner=include&output=atom`;
	const other = (at: number) =>
		atomEntry(
			"DEF 14A",
			`Plover ${at} (0000${String(at).padStart(6, "0")})`,
			`0000999999-26-${String(at).padStart(6, "0")}`,
		);

	const others = (first: number, count = 100) => Array.from({ length: count }, (_, at) => other(first + at));
	const filing = atomEntry("D", "Heron Wind 1 LLC (0000123451)", accession(1));

	it("are read page by page past other forms, until a page is short", async () => {
		publishers.files.set(page(0), atomPage(others(1)));
		publishers.files.set(page(100), atomPage([filing, ...others(200, 99)]));
		publishers.files.set(page(200), atomPage(others(300, 30)));
		document(1);
		const looks = await turn();
		expect(looks.latest).toMatchObject({ outcome: "applied", stored: 1, reason: null });
		expect(publishers.askedFor("getcurrent")).toEqual([page(0), page(100), page(200)]);
		expect(await raises()).toMatchObject([{ accession_number: accession(1), filing_date: "2026-11-18" }]);
	});

	it("are continued in the next run if EDGAR is overloaded between two pages", async () => {
		publishers.files.set(page(0), atomPage(others(1)));
		publishers.files.set(page(100), { status: 503, body: "<html>" });
		expect((await turn()).latest).toMatchObject({ outcome: "busy" });
		publishers.files.set(page(100), atomPage([filing]));
		await signals.sql`update hosts set cooling_until = '-infinity'`;
		expect((await turn(later)).latest).toMatchObject({ outcome: "applied", stored: 1 });
	});
});

describe("the quarterly data sets", () => {
	const table = (columns: Record<string, string>) =>
		Buffer.from(`${Object.keys(columns).join("\t")}\n${Object.values(columns).join("\t")}\n`);
	const set = (number: number) => {
		const key = { ACCESSIONNUMBER: `0000123450-24-00000${number}` };
		return storeArchive(
			new Map([
				[
					"D/FORMDSUBMISSION.tsv",
					table({ ...key, FILE_NUM: "021-1", FILING_DATE: "05-MAR-2024", SUBMISSIONTYPE: "D", TESTORLIVE: "LIVE" }),
				],
				[
					"D/ISSUERS.tsv",
					table({
						...key,
						IS_PRIMARYISSUER_FLAG: "YES",
						CIK: "0000123450",
						ENTITYNAME: "Heron Wind LLC",
						STREET1: "1 Wren St",
						CITY: "Austin",
						STATEORCOUNTRY: "TX",
					}),
				],
				[
					"D/OFFERING.tsv",
					table({
						...key,
						INDUSTRYGROUPTYPE: "Other Energy",
						ISAMENDMENT: "false",
						SALE_DATE: "2024-02-28",
						TOTALOFFERINGAMOUNT: "100",
						TOTALAMOUNTSOLD: "50",
					}),
				],
				["D/RELATEDPERSONS.tsv", table({ ...key, RELATEDPERSON_SEQ_KEY: "1", FIRSTNAME: "Ada", LASTNAME: "Marsh" })],
			]),
		);
	};

	it("are found by the page's links, the oldest first, one per run, each once", async () => {
		publishers.files.set(listing, {
			body: `<a href="/sec/files/new-folder/2024q2_d.zip">Q2</a> <a class="x" href='/sec/files/old/2024q1_d.zip'>Q1</a>
				<a href="https://elsewhere.example/files/2008q1_d_0.zip">another's</a> <a href="/sec/files/readme.pdf">Readme</a>`,
		});
		publishers.files.set("/sec/files/old/2024q1_d.zip", { body: set(1) });
		publishers.files.set("/sec/files/new-folder/2024q2_d.zip", { body: set(2) });
		for (const at of [now, later, "2026-11-18T19:00:00Z"]) await turn(at);
		expect(publishers.askedFor(".zip")).toEqual(["/sec/files/old/2024q1_d.zip", "/sec/files/new-folder/2024q2_d.zip"]);
		expect((await raises()).map((row) => row.accession_number)).toEqual([
			"0000123450-24-000001",
			"0000123450-24-000002",
		]);
	});

	it("that are truncated are retried after a day", async () => {
		publishers.files.set(listing, { body: `<a href="/sec/files/2024q1_d.zip">Q1</a>` });
		publishers.files.set("/sec/files/2024q1_d.zip", { body: set(1).subarray(0, 300) });
		const looks = await turn();
		expect(looks["data-sets"]).toMatchObject({ outcome: "refused" });
		await turn(later);
		expect(publishers.askedFor(".zip")).toHaveLength(1);
		await turn("2026-11-19T17:30:00Z");
		expect(publishers.askedFor(".zip")).toHaveLength(1);
	});
});

describe("a run", () => {
	it("that is repeated, even from the beginning, stores nothing twice", async () => {
		day("20261116", 1);
		day("20261117", 2);
		document(1);
		document(2);
		await turn();
		const before = await Promise.all([raises(), indexed(), signals.announced()]);
		expect(before[2].raises).toHaveLength(2);
		await signals.sql`update cursors set position = '2026-11-12'`;
		const looks = await turn(later);
		expect(looks["daily-index"]).toMatchObject({ outcome: "unchanged", stored: 0, known: 2 });
		expect([await raises(), await indexed()]).toEqual(before.slice(0, 2));
		expect(await signals.announced()).toEqual({ news: [], raises: [], filings: [] });
	});

	it("identifies the client to the SEC", async () => {
		await turn();
		const agents = new Set(publishers.headers.map((headers) => headers["user-agent"]));
		expect([...agents]).toEqual(["Example Org data@example.org"]);
	});

	it("in which everything fails records the reason, and the pipeline is failing", async () => {
		publishers.files.set(`${indexes}/master.20261112.idx`, { status: 400 });
		await turn();
		const [look] = await signals.sql`select outcome, reason from looks where feed = 'form-d/daily-index'`;
		expect(look).toEqual({ outcome: "refused", reason: "publishers responded with HTTP 400" });
		expect((await signals.ask("listSignalPipelines")).pipelines.find((one) => one.pipeline === "form-d")).toMatchObject(
			{
				state: "failing",
			},
		);
	});

	it("is done by one replica, and not by another shortly after", async () => {
		day("20261116", 1);
		day("20261117", 2);
		document(1);
		document(2);
		let runs = 0;
		const debug = (said: { job?: string }, line?: string) =>
			void (said.job === "refresh-form-d" && line === "a job ran" && runs++);
		const log = { debug, info() {}, warn() {}, error() {} };
		const options = { ...publishers.options(now), log, everyMs: 5 };
		const jobs = [...refreshJobs(signals.sql, options), ...refreshJobs(signals.sql, options)];
		await eventually(() => runs >= 6);
		await Promise.all(jobs.map((job) => job[Symbol.asyncDispose]()));
		const files = publishers.asked.filter((path) => /daily-index|primary_doc|getcurrent&type=D|data-sets/.test(path));
		expect(files).toHaveLength(new Set(files).size);
		expect(await raises()).toHaveLength(2);
	});

	it("is skipped without a contact, which is logged once", async () => {
		const lines: unknown[] = [];
		const base = publishers.options(now);
		const log = { debug() {}, warn() {}, error() {}, info: (...words: unknown[]) => void lines.push(words.at(-1)) };
		const jobs = refreshJobs(signals.sql, { ...base, log, contact: undefined, everyMs: 5 });
		await eventually(async () => (await signals.sql`select from looks where feed = 'news/search'`).count === 1);
		await Promise.all(jobs.map((job) => job[Symbol.asyncDispose]()));
		expect(publishers.asked.filter((path) => /^\/(sec|data|search)\//.test(path))).toEqual([]);
		expect(lines.filter((line) => String(line).includes("CONTACT"))).toHaveLength(1);
	});
});
