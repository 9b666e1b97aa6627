import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { readGdeltDoc } from "./json-lists.ts";

const article = {
	url: "https://www.example.com/a",
	url_mobile: "",
	title: "Pine Gate 's lenders take over solar farm",
	seendate: "20260918T031500Z",
	socialimage: "",
	domain: "example.com",
	language: "English",
	sourcecountry: "United States",
};

function read(body: unknown) {
	return readGdeltDoc(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), "doc.json");
}

describe("readGdeltDoc", () => {
	test("reads an article", () => {
		expect(read({ articles: [article] })).toEqual({
			rowsIn: 1,
			records: [
				{
					url: "https://www.example.com/a",
					title: "Pine Gate's lenders take over solar farm",
					domain: "example.com",
					publishedAt: "2026-09-18T03:15:00Z",
					source: "GDELT DOC",
					sourceCountry: "United States",
					organizations: [],
					snippet: null,
				},
			],
			dropped: [],
			notes: [],
		});
	});

	test("an empty object contains no articles", () => {
		for (const body of ["{}", " { } \n", "\ufeff{}", '{"articles": []}']) expect(read(body).rowsIn).toBe(0);
	});

	test.each([
		"Your query was too short or too long.",
		"Please limit requests to one every 5 seconds.",
		"Invalid/Unsupported Country.",
	])("%j is refused with GDELT's message", (sentence) => {
		expect(() => read(`${sentence}\n`)).toThrow(
			new StructureError(`doc.json: the response is not JSON, but "${sentence}"`),
		);
	});

	test("an HTML page is refused with its text", () => {
		const page = "<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>";
		expect(() => read(page)).toThrow('doc.json: the response is not JSON, but "502 Bad Gateway"');
	});

	test("a long other response is quoted briefly", () => {
		for (const body of ["x".repeat(5_000_000), "<".repeat(5_000_000)]) {
			expect(() => read(body)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{20,250}$/) }));
		}
	});

	test("raw control characters in a title are white space", () => {
		const body = JSON.stringify({ articles: [{ ...article, title: "Solar@farm@approved in Ohio" }] });
		const [record] = read(body.replace("@", "\n\u0007").replace("@", "\t")).records;
		expect(record?.title).toBe("Solar farm approved in Ohio");
	});

	test("an invalid backslash is accepted, and real escapes remain", () => {
		const body = JSON.stringify({ articles: [{ ...article, title: 'Judge: "no\u00e9" in AC@DC case' }] });
		expect(read(body.replace("@", "\\").replace("é", "\\u00e9")).records[0]?.title).toBe('Judge: "noé" in AC\\DC case');
	});

	test("invalid UTF-8 loses a character, not the file", () => {
		const body = Buffer.from(JSON.stringify({ articles: [{ ...article, title: "Solar @ farm approved" }] }));
		body[body.indexOf("@")] = 0xe9;
		expect(readGdeltDoc(body, "doc.json").records[0]?.title).toBe("Solar \ufffd farm approved");
	});

	test("every row that is not an article is counted with its reason", () => {
		const { url: _url, ...withoutUrl } = article;
		const articles = [
			article,
			withoutUrl,
			{ ...article, url: "javascript:alert(1)" },
			{ ...article, url: `https://example.com/${"a".repeat(2_000)}` },
			{ ...article, title: " \n " },
			{ ...article, title: 7 },
			{ ...article, title: "x".repeat(10_000_000) },
			{ ...article, seendate: "yesterday" },
			null,
			"text",
		];
		const parsed = read({ articles });
		expect(parsed.rowsIn).toBe(articles.length);
		expect(parsed.records).toHaveLength(1);
		expect(parsed.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["no address", 1],
			["not a web address", 1],
			["address longer than 2000 characters", 1],
			["no title", 2],
			["title longer than 1000 characters", 1],
			["no readable date", 1],
			["not a JSON object", 2],
		]);
		expect(parsed.dropped[1]?.examples).toEqual(["article 3: javascript:alert(1)"]);
		for (const { examples } of parsed.dropped) for (const one of examples) expect(one.length).toBeLessThanOrEqual(200);
	});

	test("a truncated body, and one that is neither an object nor a list, is refused", () => {
		const whole = JSON.stringify({ articles: [article] });
		for (let length = 1; length < whole.length; length += 7) {
			expect(() => read(whole.slice(0, length))).toThrow(StructureError);
		}
		expect(() => read("[]")).toThrow(StructureError);
		expect(() => read("")).toThrow("doc.json: the response is empty");
		expect(() => read({ articles: "none" })).toThrow('doc.json: "articles" is not a list');
	});

	test("a response of 25 MB is read", () => {
		expect(read({ articles: [{ ...article, socialimage: "x".repeat(25 * 1024 * 1024) }] }).records).toHaveLength(1);
	});
});
