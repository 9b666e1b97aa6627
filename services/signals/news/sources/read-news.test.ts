import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { storeArchive } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { groupCopies, mergePages } from "../syndication.ts";
import { type NewsKind, readNews, recognizeNews } from "./read-news.ts";

function file(text: string, name = "file") {
	return { name, bytes: Buffer.from(text) };
}

const gkgRow = `20260918031500-1\t20260918031500\t1\t${"\t".repeat(23)}\n`;

describe("recogniseNews", () => {
	test.each<[string, NewsKind]>([
		["{}", "gdelt-doc"],
		['\ufeff{ "articles": [] }', "gdelt-doc"],
		['{"count":1,"total_pages":1,"results":[{"html_url":"https://www.federalregister.gov/d/1"}]}', "federal-register"],
		[gkgRow, "gdelt-gkg"],
		["url,title,date\n", "article-table"],
		["title,url\n", "article-table"],
		["\ttableId\tdataType\tEmpty\n", "article-table"],
		['<?xml version="1.0"?>\n<!-- made by x -->\n<rss version="2.0"><channel/></rss>', "rss"],
		['<feed xmlns="http://www.w3.org/2005/Atom"></feed>', "rss"],
		['<rdf:RDF xmlns:rdf="x"></rdf:RDF>', "rss"],
	])("%j is %s", (text, kind) => {
		expect(recognizeNews(file(text))).toBe(kind);
	});

	test("an archive is recognised by its name or that of the file in it", () => {
		const archive = (entry: string, name: string) => ({
			name,
			bytes: storeArchive(new Map([[entry, Buffer.from(gkgRow)]])),
		});
		expect(recognizeNews(archive("20260918031500.gkg.csv", "download"))).toBe("gdelt-gkg");
		expect(recognizeNews(archive("x", "20260918031500.gkg.csv.zip"))).toBe("gdelt-gkg");
		expect(recognizeNews(archive("xl/workbook.xml", "queue.xlsx"))).toBeNull();
	});

	test.each([
		"",
		" \n",
		"PK\u0003\u0004",
		"Please limit requests to one every 5 seconds.",
		"<!DOCTYPE html><html><body>rss</body></html>",
		'<feed xmlns="x"><title>Latest Filings</title><link href="/cgi-bin/browse-edgar?action=getcurrent"/></feed>',
		"<edgarSubmission></edgarSubmission>",
		'{"cik":"1","filings":{}}',
		"[1,2]",
		"Project,County\nBlue Jay,Kern\n",
		'"never closed',
		"\u0000\u0001\u0002",
		"<".repeat(1_000_000),
		",".repeat(1_000_000),
	])("%.60j is not news", (text) => {
		expect(recognizeNews(file(text))).toBeNull();
	});
});

describe("readNews", () => {
	test("a sentence instead of a file is quoted", async () => {
		const sentence = "Please limit requests to one every 5 seconds.";
		await expect(readNews(file(sentence, "doc.json"))).rejects.toThrow(
			new StructureError(`doc.json: is not a known kind of news file; it begins with "${sentence}"`),
		);
	});

	test("a file of more than 64 MB is refused", async () => {
		const bytes = new Uint8Array(64 * 1024 * 1024 + 1);
		await expect(readNews({ name: "x", bytes })).rejects.toThrow("is larger than");
	});
});

const folder = join(process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../../shared/data"), "news");
const missing = !existsSync(folder);
if (missing) console.warn(`Tests on real files skipped: ${folder} does not exist (set REAL_DATA_DIR).`);

describe.skipIf(missing)("real files of news", () => {
	const read = (name: string) => readNews({ name, bytes: readFileSync(join(folder, name)) });

	test.each([
		["artlist_250.derived.json", 250, 250],
		["artlist_energy_titles_250.derived.json", 250, 250],
		["gdelt_articles_davidwrauch.csv", 15, 15],
		["gdelt_artlist_2026-03_civic-lenses.csv", 1_347, 1_347],
		["gdelt_artlist_companies_2025_kylie-l.csv", 8_986, 8_982],
		["labelled_headlines.csv", 136, 0],
		["gdeltPyR_mentionssamp.csv", 1_635, 0],
		["GDELT_2.0_Events_Column_Labels_Header_Row_Sep2016.csv", 61, 0],
		["GDELT_2.0_gkg_Column_Labels.tsv", 27, 0],
	])("%s: %i rows, %i articles, every row accounted for", async (name, rowsIn, records) => {
		const parsed = await read(name);
		const dropped = parsed.dropped.reduce((sum, { count }) => sum + count, 0);
		expect([parsed.rowsIn, parsed.records.length, dropped]).toEqual([rowsIn, records, rowsIn - records]);
	});

	test("every file of the folder is recognised", () => {
		const unknown = readdirSync(folder).filter((name) => {
			return recognizeNews({ name, bytes: readFileSync(join(folder, name)) }) === null;
		});
		expect(unknown).toEqual([]);
	});

	test("the first article has the values in the file", async () => {
		const { records } = await read("artlist_energy_titles_250.derived.json");
		expect(records[0]).toMatchObject({
			title: "Novel court action launched against EPA permit for data centre group power plant",
			domain: "thejournal.ie",
			publishedAt: "2025-09-26T23:15:00Z",
			sourceCountry: null,
		});
	});

	test("the four rows without a title are dropped from the company list", async () => {
		const { dropped, records } = await read("gdelt_artlist_companies_2025_kylie-l.csv");
		expect(dropped.map(({ reason, count }) => [reason, count])).toEqual([["no title", 4]]);
		const times = records.map(({ publishedAt }) => publishedAt).toSorted();
		expect([times[0]?.slice(0, 10), times.at(-1)?.slice(0, 10)]).toEqual(["2025-08-06", "2025-10-29"]);
	});

	test("merging the lists keeps every page once, in any order", async () => {
		const { records } = await read("gdelt_artlist_2026-03_civic-lenses.csv");
		const folded = groupCopies(mergePages(records, () => []));
		const pages = folded.reduce((sum, { length }) => sum + length, 0);
		// 1,325 addresses; three pages are there by http and https, or with and without :443.
		expect(pages).toBe(1_322);
		expect(groupCopies(mergePages(records.toReversed(), () => []))).toEqual(folded);
	});
});
