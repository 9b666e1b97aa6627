import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { hosts } from "../../polling/hosts.ts";
import { readRss } from "./rss.ts";

function rss(items: string, head = "<link>https://www.example.com/</link>", declaration = "") {
	return Buffer.from(`${declaration}<rss version="2.0"><channel><title>News</title>${head}${items}</channel></rss>`);
}

function item(parts: Record<string, string> = {}): string {
	const elements = {
		title: "<title>Solar farm approved in Ohio</title>",
		link: "<link>https://www.example.com/a</link>",
		date: "<pubDate>Fri, 18 Sep 2026 03:15:00 GMT</pubDate>",
		...parts,
	};
	return `<item>${Object.values(elements).join("")}</item>`;
}

function first(parts: Record<string, string>, head?: string) {
	return readRss(rss(item(parts), head), "feed.xml").records[0];
}

describe("RSS 2.0", () => {
	test("reads an item", () => {
		const description = "<description><![CDATA[<p>The <b>county</b> board said yes &amp; more.</p>]]></description>";
		const head = "<link>https://www.example.com/</link><language>en-US</language>";
		expect(readRss(rss(item({ description }), head), "feed.xml")).toEqual({
			rowsIn: 1,
			records: [
				{
					url: "https://www.example.com/a",
					title: "Solar farm approved in Ohio",
					domain: "example.com",
					publishedAt: "2026-09-18T03:15:00Z",
					source: "example.com",
					sourceCountry: null,
					organizations: [],
					snippet: "The county board said yes & more.",
				},
			],
			dropped: [],
			notes: [],
		});
	});

	test.each([
		["<title><![CDATA[Ørsted & Eversource sell <em>wind</em> farm]]></title>", "Ørsted & Eversource sell wind farm"],
		["<title>Smith &amp;amp; Sons&amp;#8217; 5 &lt; 6</title>", "Smith & Sons’ 5 < 6"],
		["<title>\n  Solar\n farm </title>", "Solar farm"],
		["<media:title xmlns:media='x'>Picture</media:title><title>Solar farm</title>", "Solar farm"],
	])("the title %j is repaired", (title, expected) => {
		expect(first({ title })?.title).toBe(expected);
	});

	test.each([
		["<guid>https://www.example.com/g</guid>", "https://www.example.com/g"],
		["<guid isPermaLink='true'>https://www.example.com/g</guid>", "https://www.example.com/g"],
		["<link/><guid>https://www.example.com/g</guid>", "https://www.example.com/g"],
		["<link>/news/a?b=1</link>", "https://www.example.com/news/a?b=1"],
		["<link>//cdn.example.com/a</link>", "https://cdn.example.com/a"],
		["<link><![CDATA[ https://example.com/a?b=1&c=2 ]]></link>", "https://example.com/a?b=1&c=2"],
		[
			"<atom:link xmlns:atom='x' rel='self' href='https://example.com/feed'/><link>https://example.com/a</link>",
			"https://example.com/a",
		],
		[
			"<link>https://feeds.example.net/~r/a</link><feedburner:origLink xmlns:feedburner='x'>https://example.com/a</feedburner:origLink>",
			"https://example.com/a",
		],
	])("the address of %s is %s", (link, url) => {
		expect(first({ link })?.url).toBe(url);
	});

	test("a guid that is not an address is ignored", () => {
		for (const link of [
			"<guid isPermaLink='false'>https://example.com/?p=1</guid>",
			"<guid>tag:example.com,2026:1</guid>",
		]) {
			expect(readRss(rss(item({ link })), "feed.xml").dropped).toEqual([
				{ reason: "no address", count: 1, examples: ["entry 1"] },
			]);
		}
	});

	test("an item with a script as its link is not an article", () => {
		const { dropped } = readRss(rss(item({ link: "<link>javascript:alert(1)</link>" })), "feed.xml");
		expect(dropped).toEqual([{ reason: "not a web address", count: 1, examples: ["entry 1: javascript:alert(1)"] }]);
	});

	test("Dublin Core's date replaces a missing or unreadable one", () => {
		const dc = "<dc:date xmlns:dc='x'>2026-09-17T23:15:00-04:00</dc:date>";
		expect(first({ date: dc })?.publishedAt).toBe("2026-09-18T03:15:00Z");
		expect(first({ date: `<pubDate>soon</pubDate>${dc}` })?.publishedAt).toBe("2026-09-18T03:15:00Z");
	});

	test("an item without title or date is counted", () => {
		const { rowsIn, records, dropped } = readRss(rss(item({ title: "" }) + item({ date: "" }) + item()), "feed.xml");
		expect([rowsIn, records.length]).toEqual([3, 1]);
		expect(dropped.map(({ reason }) => reason)).toEqual(["no title", "no readable date"]);
	});

	test("a feed from a known URL has its name, and relative links are completed", () => {
		const [feed] = hosts.feeds;
		const parsed = readRss(rss(item({ link: "<link>/news/a</link>" }), ""), "feed.xml", feed);
		expect(parsed.records[0]).toMatchObject({
			source: "utilitydive.com",
			url: "https://www.utilitydive.com/news/a",
			domain: "utilitydive.com",
		});
	});

	test("without a home page the source is named by the file, and a relative link is dropped", () => {
		const parsed = readRss(rss(item() + item({ link: "<link>/news/a</link>" }), ""), "feed.xml");
		expect(parsed.records.map(({ source }) => source)).toEqual(["feed.xml"]);
		expect(parsed.dropped[0]?.reason).toBe("not a web address");
	});

	test("the encoding is the declared one", () => {
		const title = "<title>Électricité €5</title>";
		for (const [label, bytes] of [
			["ISO-8859-1", [0xc9, 0xe9, 0x80]],
			["windows-1252", [0xc9, 0xe9, 0x80]],
		] as const) {
			const text = rss(
				item({ title: "<title>@lectricit@ @5</title>" }),
				undefined,
				`<?xml version="1.0" encoding="${label}"?>`,
			);
			for (const byte of bytes) text[text.indexOf("@")] = byte;
			expect(readRss(text, "feed.xml").records[0]?.title).toBe("Électricité €5");
		}
		const utf8 = rss(item({ title }), undefined, '\ufeff<?xml version="1.0" encoding="UTF-8"?>');
		expect(readRss(utf8, "feed.xml").records[0]?.title).toBe("Électricité €5");
	});
});

describe("RSS 1.0", () => {
	test("items outside the channel are read", () => {
		const text = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
	<channel rdf:about="https://example.com/rss"><title>News</title><link>https://example.com/</link><dc:language>en</dc:language></channel>
	<item rdf:about="https://example.com/a"><title>Wind farm sold</title><dc:date>2026-09-18</dc:date></item>
	<item rdf:about="https://example.com/b"><title>Wind farm bought</title><link>https://example.com/c</link><dc:date>2026-09-18</dc:date></item>
</rdf:RDF>`;
		const { records } = readRss(Buffer.from(text), "feed.rdf");
		expect(records.map(({ url }) => url)).toEqual(["https://example.com/a", "https://example.com/c"]);
		expect(records[0]).toMatchObject({ source: "example.com", publishedAt: "2026-09-18T00:00:00Z" });
	});
});

describe("Atom", () => {
	const atom = (entry: string, attributes = "") =>
		Buffer.from(`<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>News</title>
			<link rel="self" href="https://feeds.example.net/atom"/><link rel="alternate" href="https://example.com/"/>
			<entry>${entry}</entry></feed>`);
	const updated = "<updated>2026-09-18T03:15:00Z</updated>";

	test("reads an entry", () => {
		const entry = `<title type="html">Storage &amp;amp; solar</title><link rel="edit" href="/edit"/><link href="/a"/>
			<published>2026-09-17T00:00:00Z</published>${updated}<summary>Two plants</summary>`;
		const { records } = readRss(atom(entry, 'xml:lang="en"'), "feed.atom");
		expect(records).toEqual([
			expect.objectContaining({
				url: "https://example.com/a",
				title: "Storage & solar",
				publishedAt: "2026-09-17T00:00:00Z",
				source: "example.com",
				snippet: "Two plants",
			}),
		]);
	});

	test("without a publication date the last change is used", () => {
		const { records } = readRss(atom(`<title>Solar farm</title><link href="/a"/>${updated}`), "feed.atom");
		expect(records[0]?.publishedAt).toBe("2026-09-18T03:15:00Z");
	});

	test("xml:base completes a link", () => {
		const { records } = readRss(
			atom(`<title>Solar farm</title><link href="a"/>${updated}`, 'xml:base="https://base.org/x/"'),
			"f",
		);
		expect(records[0]?.url).toBe("https://base.org/x/a");
	});

	test("text in XHTML is read, but not text around elements", () => {
		const title = (inner: string) =>
			readRss(atom(`<title type="xhtml"><div>${inner}</div></title><link href="/a"/>${updated}`), "feed.atom");
		expect(title("Solar farm sold").records[0]?.title).toBe("Solar farm sold");
		expect(title("AES buys <b>a farm</b> from Google").dropped[0]?.reason).toBe("no title");
	});
});

describe("broken feeds", () => {
	test("exponentially expanding entities are refused", () => {
		const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>`;
		expect(() => readRss(rss(item({ title: "<title>&b;</title>" }), undefined, bomb), "feed.xml")).toThrow(
			StructureError,
		);
		expect(() => readRss(rss(item({ title: "<title>&b;</title>" })), "feed.xml")).toThrow(StructureError);
	});

	test("a feed truncated anywhere is refused", () => {
		const whole = rss(item() + item());
		for (let length = 0; length < whole.length; length += 11) {
			expect(() => readRss(whole.subarray(0, length), "feed.xml")).toThrow(StructureError);
		}
	});

	test("an HTML page, another document and a wrong encoding are refused", () => {
		for (const body of ["<!DOCTYPE html><html></html>", "<rss></rss>", "<opml><body/></opml>", "hello"]) {
			expect(() => readRss(Buffer.from(body), "feed.xml")).toThrow(StructureError);
		}
		expect(() => readRss(Buffer.from([...rss(item()).subarray(0, 60), 0xe9, 0x20]), "feed.xml")).toThrow(
			StructureError,
		);
	});

	test("the length of titles and snippets is limited", () => {
		const long = "<".repeat(1_000_000);
		const title = `<title><![CDATA[${long.repeat(10)}]]></title>`;
		expect(readRss(rss(item({ title })), "feed.xml").dropped[0]?.reason).toBe("title longer than 1000 characters");
		const description = `<description><![CDATA[${long}]]></description>`;
		expect(first({ description })?.snippet?.length).toBeLessThanOrEqual(1_000);
	});
});
