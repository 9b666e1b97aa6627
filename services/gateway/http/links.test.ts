import { describe, expect, test } from "vitest";
import { pageLinks, siteOf } from "./links.ts";

const bytes = (body: object) => Buffer.from(JSON.stringify(body));
const linksOf = (url: string, params: object, body: object) => pageLinks(url, params, bytes(body)).link;

describe("the links of a paged list", () => {
	const at = (page: number, pages: number) =>
		linksOf(`https://x.example/projects?state=TX&page=${page}`, { page, per_page: 50 }, { data: [], meta: { pages } });

	test("lead to the previous, next, first and last page with the same filters", () => {
		expect(at(2, 3)).toBe(
			[
				'</projects?state=TX&page=1>; rel="first"',
				'</projects?state=TX&page=1>; rel="prev"',
				'</projects?state=TX&page=3>; rel="next"',
				'</projects?state=TX&page=3>; rel="last"',
			].join(", "),
		);
		expect(at(1, 3)).not.toContain("prev");
		expect(at(3, 3)).not.toContain("next");
	});

	test("are absent if the list has one page or none", () => {
		for (const pages of [0, 1]) expect(at(1, pages)).toBeUndefined();
	});

	test("beyond the end lead back to the last page", () => {
		expect(at(9, 3)).toContain('page=3>; rel="prev"');
	});
});

test("a list read by cursor links to the next page until the end", () => {
	const at = (next_cursor: string | null) =>
		linksOf(
			"https://x.example/projects?cursor=*&name=%22a%22",
			{ page: 1, per_page: 50, cursor: "*" },
			{ data: [{ name: 'a "next_cursor":"stolen" b' }], meta: { pages: 3, next_cursor } },
		);
	expect(at("abcDEF_-12")).toBe('</projects?cursor=abcDEF_-12&name=%22a%22>; rel="next"');
	expect(at(null)).toBeUndefined();
});

test("a response that is not a list has no links", () => {
	expect(linksOf("https://x.example/stats", {}, { pages: 3 })).toBeUndefined();
});

const sent = (host: string) => siteOf(undefined, { protocol: "http", headers: { host } });

test("the address of the service is the configured one, else that of the request", () => {
	expect(siteOf("https://api.example.com", { protocol: "http", headers: { host: "other.example" } })).toBe(
		"https://api.example.com",
	);
	expect(sent("127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
	expect(sent("[::1]:8080")).toBe("http://[::1]:8080");
});

test.each(["", 'a"; rm -rf ~; "', "$(id)", "`id`", "a'b", "a b"])("an invalid host becomes localhost: %s", (host) =>
	expect(sent(host)).toBe("http://localhost"),
);

test.each(["foo", "http://a", '"'])("a scheme other than http and https becomes localhost: %s", (protocol) =>
	expect(siteOf(undefined, { protocol: protocol as "http", headers: { host: "127.0.0.1" } })).toBe("http://localhost"),
);
