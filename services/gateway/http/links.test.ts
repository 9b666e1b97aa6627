import { describe, expect, test } from "vitest";
import { pageLinks, siteOf } from "./links.ts";

const bytes = (body: object) => Buffer.from(JSON.stringify(body));
const linksOf = (url: string, params: object, body: object) => pageLinks(url, params, bytes(body)).link;

describe("of a list by page", () => {
	const at = (page: number, pages: number) =>
		linksOf(`https://x.example/projects?state=TX&page=${page}`, { page, per_page: 50 }, { data: [], meta: { pages } });

	test("lead to the pages beside it, the first and the last, with the same filters", () => {
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

	test("are none where all is on one page, or nothing", () => {
		for (const pages of [0, 1]) expect(at(1, pages)).toBeUndefined();
	});

	test("beyond the end lead back", () => {
		expect(at(9, 3)).toContain('page=3>; rel="prev"');
	});
});

test("of a list by cursor lead on, until there is no more", () => {
	const at = (next_cursor: string | null) =>
		linksOf(
			"https://x.example/projects?cursor=*&name=%22a%22",
			{ page: 1, per_page: 50, cursor: "*" },
			{ data: [{ name: 'a "next_cursor":"stolen" b' }], meta: { pages: 3, next_cursor } },
		);
	expect(at("abcDEF_-12")).toBe('</projects?cursor=abcDEF_-12&name=%22a%22>; rel="next"');
	expect(at(null)).toBeUndefined();
});

test("are none of what is no list", () => {
	expect(linksOf("https://x.example/stats", {}, { pages: 3 })).toBeUndefined();
});

const sent = (host: string) => siteOf(undefined, { protocol: "http", headers: { host } });

test("the address of the service is the configured one, else the one that the request was sent to", () => {
	expect(siteOf("https://api.example.com", { protocol: "http", headers: { host: "other.example" } })).toBe(
		"https://api.example.com",
	);
	expect(sent("127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
	expect(sent("[::1]:8080")).toBe("http://[::1]:8080");
});

test.each(["", 'a"; rm -rf ~; "', "$(id)", "`id`", "a'b", "a b"])(
	"a host that is no address is localhost: %s",
	(host) => expect(sent(host)).toBe("http://localhost"),
);

test.each(["foo", "http://a", '"'])("a scheme other than http and https is localhost: %s", (protocol) =>
	expect(siteOf(undefined, { protocol: protocol as "http", headers: { host: "127.0.0.1" } })).toBe("http://localhost"),
);
