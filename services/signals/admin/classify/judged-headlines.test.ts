/** Files of headlines, how they are scored, and the real ones that a person labelled (not ours to keep in the repository). */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { readSeed } from "#libs/names/seed.ts";
import { classify } from "../../headlines/classify.ts";
import { createFinder, type FoundDeveloper } from "../../headlines/find-developers.ts";
import { computeScores, formatEvaluation, readHeadlines } from "./judged-headlines.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("columns are found by name, and only the title is required", () => {
	expect(readHeadlines(bytes('x,Title,domain\n1,"Sun, wind",a.com\n'), "f.csv", false).rows).toMatchObject([
		{ title: "Sun, wind", domain: "a.com", url: "", expectedDevelopers: [] },
	]);
});

test("developers are separated by semicolons", () => {
	const text = "title,expected_type,expected_developer\nA,ma,AES; Vistra\n";
	expect(readHeadlines(bytes(text), "f.csv", true).rows).toMatchObject([{ expectedDevelopers: ["AES", "Vistra"] }]);
});

describe("a file written by hand", () => {
	const read = (text: string) => {
		const { rows, unreadRows: unread } = readHeadlines(bytes(text), "f.csv", false);
		return { titles: rows.map(({ title }) => title), unread };
	};

	test("reads a quote inside an unquoted cell literally", () => {
		const text = 'title\nInvenergy "quoted" headline\n"Best" solar farm\n"a ""b"""\n';
		expect(read(text)).toEqual({
			titles: ['Invenergy "quoted" headline', '"Best" solar farm', 'a "b"'],
			unread: [],
		});
	});

	test("loses only the line of an unclosed quote", () => {
		expect(read('title\nA\n"B\nC\nD')).toEqual({
			titles: ["A", "C", "D"],
			unread: [{ line: 3, why: "a quote is not closed" }],
		});
	});

	test("loses only the first line of a quote that closes in a later row", () => {
		expect(read('title,url\n"A,u\nB "v" b,v\nC,w\n')).toEqual({
			titles: ['B "v" b', "C"],
			unread: [{ line: 2, why: "a quote is not closed" }],
		});
	});

	test("omits a row of another width, with its line number", () => {
		expect(read('title,url\n"A\nA",u\n\nB,u,x\nC,u\n')).toEqual({
			titles: ["A\nA", "C"],
			unread: [{ line: 5, why: "3 cells, but the header has 2" }],
		});
	});

	test("is refused if it contains only unclosed quotes", () => {
		expect(() => read(`title\n${'"A'.concat("\n").repeat(101)}`)).toThrow(StructureError);
	});
});

test("a file without titles or the requested labels is refused with the column's name", () => {
	expect(() => readHeadlines(bytes("headline\nA\n"), "f.csv", false)).toThrow(StructureError);
	expect(() => readHeadlines(bytes("title,expected_type\nA,ma\n"), "f.csv", true)).toThrow(/expected_developer/);
});

test("scores count classes per headline and developers individually; each error is listed", () => {
	const found = (canonical: string): FoundDeveloper => ({
		developerId: 1,
		canonical,
		matchedOn: "title",
		confidence: 0.9,
		subject: "us_business",
		matchedText: canonical,
	});
	const rows = [
		{ title: "A", type: "ma", expectedType: "ma", developers: [found("AES")], expectedDevelopers: ["AES", "TVA"] },
		{ title: "B", type: "project", expectedType: "ma", developers: [found("PPL")], expectedDevelopers: [] },
	] as const;
	expect(computeScores(rows)).toEqual({ accuracy: 0.5, precision: 0.5, recall: 0.5 });
	const lines = formatEvaluation(rows);
	expect(lines).toContain("developer TVA not found: A");
	expect(lines).toContain("class project, expected ma: B");
	expect(lines).toContain('developer PPL (title "PPL") not expected: B');
});

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const labelled = resolve(root, "news/labelled_headlines.csv");
const missing = !existsSync(labelled);
if (missing) console.warn(`Tests on real headlines skipped: ${labelled} does not exist (set REAL_DATA_DIR).`);

describe.skipIf(missing)("real labelled headlines", () => {
	test("at least nine classes in ten are right, and hardly any developer is wrong", () => {
		const finder = createFinder(readSeed().map((developer, id) => ({ id, ...developer })));
		const { rows } = readHeadlines(readFileSync(labelled), "labelled_headlines.csv", true);
		const judged = rows.map((row) => ({ ...row, type: classify(row.title), developers: finder.find(row) }));
		const { accuracy, precision, recall } = computeScores(judged);
		expect(rows.length).toBeGreaterThan(100);
		expect(accuracy).toBeGreaterThanOrEqual(0.9);
		expect(precision).toBeGreaterThanOrEqual(0.98);
		// Four expected names in ten are ambiguous and without context: 3.6 drops those.
		expect(recall).toBeGreaterThanOrEqual(0.55);
	});
});
