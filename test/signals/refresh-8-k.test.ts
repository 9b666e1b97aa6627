/** 8-Ks are taken in from the feed of the latest, the lists of known issuers and the search for distress. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { atomEntry, atomPage, type Publishers, startPublishers } from "./support/publishers.ts";
import { openSignals, type Signals } from "./support/signals.ts";

const now = "2026-11-18T15:00:00Z";
const nextDay = "2026-11-19T15:00:00Z";
/** NextEra Energy, of the list of issuers. */
const list = "/data/submissions/CIK0000753308.json";
const olderPage = "/data/submissions/CIK0000753308-submissions-001.json";

let signals: Signals;
let publishers: Publishers;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(async () => {
	await signals.clear();
	publishers = await startPublishers();
	for (const item of ["1.03", "2.06", "3.01"])
		await signals.sql`insert into cursors (feed, position) values (${`8-k/search/${item}`}, '2026-11-18')`;
});
afterEach(() => publishers[Symbol.asyncDispose]());

const turn = (at = now, signal?: AbortSignal) => publishers.turn(signals.sql, "8-k", at, signal);
const accession = (number: number) => `0000753308-26-${String(number).padStart(6, "0")}`;
const filings = () => signals.sql<{ accession_number: string; item_codes: string[]; issuer_name: string }[]>`
	select accession_number, item_codes, issuer_name from filings order by accession_number`;
const numbers = async () => (await filings()).map((row) => row.accession_number);

const columns = (...filed: number[]) => ({
	accessionNumber: filed.map(accession),
	filingDate: filed.map(() => "2026-10-05"),
	reportDate: filed.map(() => "2026-10-01"),
	form: filed.map(() => "8-K"),
	items: filed.map(() => "2.03,9.01"),
	primaryDocument: filed.map((number) => `jay-${number}.htm`),
});

function submissions(filed: number[], older: string[] = []): string {
	const files = older.map((name) => ({ name, filingCount: 1, filingFrom: "2001-01-01", filingTo: "2020-01-01" }));
	return JSON.stringify({
		cik: "0000753308",
		entityType: "operating",
		name: "NEXTERA ENERGY INC",
		sic: "4911",
		filings: { recent: columns(...filed), files },
	});
}

describe("the list of an issuer", () => {
	it("is requested again after half a day, and only if it has changed", async () => {
		const known: unknown[] = [];
		publishers.files.set(list, (request) => {
			known.push(request.headers["if-none-match"]);
			return known.at(-1) === '"v1"' ? { status: 304 } : { body: submissions([1, 2]), headers: { etag: '"v1"' } };
		});
		await turn();
		expect(await filings()).toMatchObject([
			{ accession_number: accession(1), item_codes: ["2.03", "9.01"], issuer_name: "NEXTERA ENERGY INC" },
			{ accession_number: accession(2) },
		]);
		await turn("2026-11-18T16:00:00Z");
		expect(publishers.askedFor(list)).toHaveLength(1);
		const before = await Promise.all([filings(), signals.dataVersion()]);
		for (let round = 0; round < 4; round++) await turn(nextDay);
		expect(publishers.askedFor(list)).toHaveLength(1);
		expect(await Promise.all([filings(), signals.dataVersion()])).toEqual(before);
		expect(known).toEqual([undefined, '"v1"']);
	});

	it("loads its older pages once; the next run continues an interrupted one", async () => {
		publishers.files.set(list, { body: submissions([5], ["CIK0000753308-submissions-001.json", "../x.json"]) });
		publishers.files.set(olderPage, { status: 429 });
		expect((await turn()).issuers).toMatchObject({ outcome: "busy", stored: 1 });
		publishers.files.set(olderPage, { body: JSON.stringify(columns(3, 4)) });
		await signals.sql`update hosts set cooling_until = '-infinity'`;
		publishers.askedFor("");
		expect((await turn()).issuers).toMatchObject({ stored: 2 });
		expect(await numbers()).toEqual([3, 4, 5].map(accession));
		expect(publishers.askedFor("submissions-001")).toEqual([olderPage]);
		for (let round = 0; round < 4; round++) await turn(nextDay);
		expect(publishers.askedFor("submissions-001")).toEqual([]);
	});

	it("does not block the others if it is truncated", async () => {
		publishers.files.set(list, { body: submissions([1]).slice(0, 200) });
		publishers.files.set("/data/submissions/CIK0001326160.json", {
			body: submissions([2]).replaceAll("0000753308", "0001326160"),
		});
		expect((await turn()).issuers).toMatchObject({
			outcome: "applied",
			stored: 1,
			reason: expect.stringContaining("CIK0000753308.json"),
		});
	});

	it("is one of twenty-five per run", async () => {
		await turn();
		expect(publishers.askedFor("/data/")).toHaveLength(25);
		await turn();
		expect(new Set(publishers.askedFor("/data/")).size).toBe(25);
	});
});

describe("the latest 8-Ks", () => {
	const page = (start: number) =>
		`/sec/cgi-bin/browse-edgar?action=getcurrent&type=8-K&count=100&start=${start}&owner=include&output=atom`;
	const entries = (first: number, count: number, accepted = "2026-11-18T09:30:00-05:00") =>
		Array.from({ length: count }, (_, at) =>
			atomEntry("8-K", "Blue Jay Energy Inc (0000123456)", accession(first + at), ["2.03"]).replace(
				/<updated>[^<]*/,
				`<updated>${accepted}`,
			),
		);

	it("are read back to the last complete poll", async () => {
		publishers.files.set(page(0), atomPage(entries(1, 100)));
		publishers.files.set(page(100), atomPage(entries(101, 7)));
		await turn();
		expect(await numbers()).toHaveLength(107);
		expect(publishers.askedFor("getcurrent")).toEqual([page(0), page(100)]);
		await turn("2026-11-18T15:10:00Z");
		expect(publishers.askedFor("getcurrent")).toEqual([page(0)]);
		publishers.files.set(page(0), atomPage(entries(201, 100, "2026-11-18T10:50:00-05:00")));
		publishers.files.set(page(100), atomPage([...entries(301, 1, "2026-11-18T10:45:00-05:00"), ...entries(1, 99)]));
		publishers.files.set(page(200), atomPage(entries(8, 100)));
		await turn("2026-11-18T15:55:00Z");
		expect(publishers.askedFor("getcurrent")).toEqual([page(0), page(100), page(200)]);
		expect(await numbers()).toHaveLength(208);
	});

	it("of the second page are read by the next run if one ended after storing the first", async () => {
		const stop = new AbortController();
		publishers.files.set(page(0), atomPage(entries(1, 100)));
		publishers.files.set(page(100), () => {
			stop.abort(new Error("killed"));
			return {};
		});
		await expect(turn(now, stop.signal)).rejects.toThrow();
		expect(await numbers()).toHaveLength(100);
		publishers.files.set(page(100), atomPage(entries(101, 7)));
		for (const at of ["2026-11-18T16:00:00Z", "2026-11-18T16:10:00Z"])
			expect((await turn(at)).latest).toMatchObject({ reason: null });
		expect(await numbers()).toHaveLength(107);
		expect(publishers.askedFor("getcurrent")).toEqual([page(0), page(100), page(0), page(100), page(0)]);
	});

	it("are refused if an HTML page is returned", async () => {
		publishers.files.set(page(0), {
			body: "<html><body>Your request originates from an undeclared tool</body></html>",
		});
		expect((await turn()).latest).toMatchObject({ outcome: "refused" });
	});
});

describe("the search for distress", () => {
	const hit = (number: number) => ({
		_id: `${accession(number)}:jay.htm`,
		_source: {
			ciks: ["0000123456"],
			display_names: ["Blue Jay Energy Inc  (BJAY)  (CIK 0000123456)"],
			file_date: "2026-10-02",
			form: "8-K",
			adsh: accession(number),
			file_type: "8-K",
			items: ["1.03"],
		},
	});
	const found = (...hits: object[]) =>
		JSON.stringify({ took: 1, timed_out: false, _shards: { failed: 0 }, hits: { hits } });
	const cursor = async () =>
		(await signals.sql`select position from cursors where feed = '8-k/search/1.03'`)[0]?.position;

	it("continues month by month to yesterday, page by page", async () => {
		await signals.sql`update cursors set position = '2026-10-01' where feed = '8-k/search/1.03'`;
		publishers.files.set("/search/LATEST/search-index", (request) => {
			const query = new URL(request.url ?? "", "http://x").searchParams;
			if (query.get("startdt") !== "2026-10-01") return { body: found() };
			const isFirst = query.get("from") === "0";
			return { body: found(...(isFirst ? Array.from({ length: 100 }, (_, at) => hit(at + 1)) : [hit(101)])) };
		});
		expect((await turn()).search).toMatchObject({ outcome: "applied", stored: 101 });
		const ranges = publishers.askedFor("search-index").map((path) => /startdt=.*/.exec(path)?.[0]);
		expect(ranges).toEqual([
			"startdt=2026-10-01&enddt=2026-10-30&from=0",
			"startdt=2026-10-01&enddt=2026-10-30&from=100",
			"startdt=2026-10-31&enddt=2026-11-17&from=0",
		]);
		expect(await cursor()).toBe("2026-11-18");
		expect((await turn()).search).toMatchObject({ outcome: "unchanged", stored: 0 });
		expect(publishers.askedFor("search-index")).toEqual([]);
	});

	it("that failed is repeated from the same cursor", async () => {
		await signals.sql`update cursors set position = '2026-11-10' where feed = '8-k/search/1.03'`;
		publishers.files.set("/search/LATEST/search-index", {
			body: JSON.stringify({ timed_out: true, hits: { hits: [] } }),
		});
		expect((await turn()).search).toMatchObject({ outcome: "refused" });
		expect(await cursor()).toBe("2026-11-10");
	});
});
