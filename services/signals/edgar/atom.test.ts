import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../test/signals/support/real-files.ts";
import { readAtom, readAtomEntries } from "./feeds.ts";
import { FilingCollector } from "./filing-collector.ts";

const now = new Date("2026-11-20T00:00:00Z");
const bytes = (source: string) => new TextEncoder().encode(source);

interface Entry {
	form?: string;
	company?: string;
	accession?: string;
	filed?: string;
	items?: string[];
}

/** An entry in getcurrent's layout. */
function entry({ form = "8-K", company = "Blue Jay Energy Inc (0000123456) (Filer)", ...rest }: Entry = {}): string {
	const { accession = "0000999999-26-000001", filed = "2026-11-02", items = [] } = rest;
	const listed = items.map((item) => `&lt;br&gt;Item ${item}\n`).join("");
	return `<entry><title>${form} - ${company}</title>
		<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/1/2/3-index.htm"/>
		<summary type="html">\n &lt;b&gt;Filed:&lt;/b&gt; ${filed} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 24 MB\n${listed}</summary>
		<updated>2026-11-02T17:45:00-05:00</updated>
		<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
		<id>urn:tag:sec.gov,2008:accession-number=${accession}</id></entry>`;
}

const feed = (...entries: string[]) =>
	bytes(`<?xml version="1.0" encoding="ISO-8859-1" ?>
		<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>${entries.join("\n")}</feed>`);

function read(source: Uint8Array) {
	const collector = new FilingCollector(now);
	readAtom(source, "page.xml", collector);
	return collector.result();
}

describe("readAtom", () => {
	it("reads an 8-K with its items and the address of its index page", () => {
		const { filings } = read(
			feed(entry({ items: ["1.01: Entry into a Material Definitive Agreement", "9.01: Exhibits"] })),
		);
		expect(filings.records).toEqual([
			{
				accessionNumber: "0000999999-26-000001",
				cik: "123456",
				company: "Blue Jay Energy Inc",
				coFilers: [],
				form: "8-K",
				filingDate: "2026-11-02",
				fileNumber: null,
				reportDate: null,
				items: ["1.01", "9.01"],
				sic: null,
				url: "https://www.sec.gov/Archives/edgar/data/123456/000099999926000001/0000999999-26-000001-index.htm",
				dealText: null,
				subsidiaryBankruptcy: null,
			},
		]);
	});

	it("matches forms exactly: other forms that a prefix filter returns are counted", () => {
		const forms = ["D", "D/A", "DEF 14A", "8-K12B", "8-K/A"];
		const { filings, index } = read(
			feed(...forms.map((form, at) => entry({ form, accession: `0000999999-26-00000${at}` }))),
		);
		expect(index.records.map(({ form }) => form)).toEqual(["D", "D/A"]);
		expect(filings.records.map(({ form }) => form)).toEqual(["8-K/A"]);
		expect(filings.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["form DEF 14A is neither 8-K nor D", 1],
			["form 8-K12B is neither 8-K nor D", 1],
		]);
		expect([index.rowsIn, filings.rowsIn]).toEqual([2, 3]);
	});

	it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]]])(
		"merges the companies of a filing in any order (%j), under the lowest number",
		(order) => {
			const companies = [
				"Jay Texas (0000000300) (Filer)",
				"Jay Corp (0000000100) (Filer)",
				"Jay LLC (0000000200) (Filer)",
			];
			const { filings } = read(feed(...order.map((at) => entry({ company: companies[at] ?? "" }))));
			expect(filings.records.map(({ company, cik }) => [company, cik])).toEqual([["Jay Corp", "100"]]);
			expect(filings.dropped.map(({ count }) => count)).toEqual([2]);
			expect(new Set(filings.records[0]?.coFilers.map(({ company }) => company))).toEqual(
				new Set(["Jay Texas", "Jay LLC"]),
			);
		},
	);

	it("omits filing agents", () => {
		const { filings } = read(feed(entry({ company: "Agent (0000000007) (Filed by)" }), entry()));
		expect(filings.records.map(({ cik }) => cik)).toEqual(["123456"]);
		expect(filings.dropped[0]?.reason).toBe("the company's role is Filed by");
	});

	it("keeps brackets and dashes that are part of a name", () => {
		const { filings } = read(feed(entry({ company: "Jay - Wren (Solar) /DE/ (0000000042) (Subject)" })));
		expect(filings.records[0]?.company).toBe("Jay - Wren (Solar) /DE/");
	});

	it("drops entries without an accession number, a company or a day, and those of the future", () => {
		const rows = [
			entry({ accession: "nonsense" }),
			entry({ company: "Nomatch" }),
			entry({ filed: "2026-12-24" }),
			"<entry><title>8-K</title></entry>",
			entry({ filed: "soon" }).replace(/<updated>.*<\/updated>/, ""),
		];
		const { filings } = read(feed(...rows));
		expect(filings.records).toEqual([]);
		expect(filings.dropped.map(({ reason }) => reason).sort()).toEqual([
			"no company number (CIK)",
			"no readable filing date",
			"no valid accession number",
			"the filing date is in the future",
			"the form is missing or unreadable",
		]);
		expect(filings.rowsIn).toBe(5);
	});

	it("reads a company's own feed, which names the company once", () => {
		const own = bytes(`<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom">
			<company-info><assigned-sic>4911</assigned-sic><cik>0000123456</cik><conformed-name>Blue Jay Energy Inc</conformed-name></company-info>
			<entry><category label="form type" scheme="https://www.sec.gov/" term="8-K"/>
			<content type="text/xml"><accession-number>0000999999-26-000009</accession-number><file-number>001-12345</file-number>
			<filing-date>2026-03-02</filing-date><filing-type>8-K</filing-type><items-desc>items 1.01, 3.02, 8.01and9.01</items-desc></content>
			<title>8-K  - Current report</title><updated>2026-03-02T08:00:00-05:00</updated></entry></feed>`);
		expect(read(own).filings.records[0]).toMatchObject({
			accessionNumber: "0000999999-26-000009",
			cik: "123456",
			company: "Blue Jay Energy Inc",
			sic: "4911",
			fileNumber: "001-12345",
			filingDate: "2026-03-02",
			items: ["1.01", "3.02", "8.01", "9.01"],
		});
	});

	it("reads Latin-1, which the feed declares", () => {
		const source = Buffer.from(
			Buffer.from(feed(entry({ company: "Ørsted (0000000042) (Filer)" }))).toString("utf8"),
			"latin1",
		);
		expect(read(source).filings.records[0]?.company).toBe("Ørsted");
	});

	it.each([
		["the page after the last one, which is HTML", "<!DOCTYPE html><html><body>503 Service Unavailable</body></html>"],
		["a cut feed", '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>8-K'],
		["another feed", '<rss version="2.0"><channel/></rss>'],
		["nothing", ""],
		["entities that a page declares", '<!DOCTYPE feed [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><feed>&b;</feed>'],
	])("refuses %s", (_, source) => {
		expect(() => read(bytes(source))).toThrow(StructureError);
	});

	it("reads an empty feed as no filings", () => {
		expect(read(feed()).filings).toMatchObject({ rowsIn: 0, records: [] });
	});

	it("reads a maliciously slow title and summary quickly", () => {
		const hostile = `${"(".repeat(200_000)} - ${" (1) (".repeat(50_000)}`;
		const { filings } = read(feed(entry({ company: hostile, items: [" ".repeat(300_000)] })));
		expect(filings.rowsIn).toBe(1);
	});
});

describeRealFiles("sec/getcurrent-2025-12-12", (files) => {
	it("contain 5,057 distinct entries: 8-K 283, 8-K/A 6, D 172, D/A 129", () => {
		const entries = files().flatMap(({ name, bytes }) => readAtomEntries(bytes, name));
		const distinct = new Map(
			entries.map((one) => [[one.accessionNumber, one.form, one.role, one.companies[0]?.cik].join(), one]),
		);
		const count = (form: string) => [...distinct.values()].filter((one) => one.form === form).length;
		expect([entries.length, distinct.size]).toEqual([5100, 5057]);
		expect(["8-K", "8-K/A", "D", "D/A"].map(count)).toEqual([283, 6, 172, 129]);
	});

	it("yield one record per filing, and account for every entry", () => {
		const collector = new FilingCollector(now);
		for (const { name, bytes } of files()) readAtom(bytes, name, collector);
		const { filings, index } = collector.result();
		const counted = [...filings.dropped, ...index.dropped].reduce((sum, { count }) => sum + count, 0);
		expect([filings.rowsIn, index.rowsIn]).toEqual([4799, 301]);
		expect(filings.records.length + index.records.length + counted).toBe(5100);
		const forms = (form: string) => [...filings.records, ...index.records].filter((one) => one.form === form).length;
		expect(["8-K", "8-K/A", "D", "D/A"].map(forms)).toEqual([275, 6, 172, 125]);
		const entergy = filings.records.find(({ cik }) => cik === "65984");
		expect(entergy?.company).toBe("ENTERGY CORP /DE/");
		expect(entergy?.coFilers).toContainEqual({ cik: "1427437", company: "ENTERGY TEXAS, INC." });
		expect(filings.records.find(({ company }) => company === "Velo3D, Inc.")?.items).toEqual([
			"1.01",
			"2.01",
			"2.03",
			"5.02",
			"9.01",
		]);
	});
});
