import { describe, expect, test } from "vitest";
import { canonicalUrl, domainOf } from "./canonical-url.ts";

describe("canonicalUrl", () => {
	test.each([
		["the host's case", "https://WWW.Utilitydive.COM/News/A", "https://utilitydive.com/News/A"],
		["http and https", "http://utilitydive.com/news/a", "https://utilitydive.com/news/a"],
		["the mobile host", "https://m.metroseoul.co.kr/article/1", "https://metroseoul.co.kr/article/1"],
		["the AMP host", "https://amp.cnn.com/cnn/a", "https://cnn.com/cnn/a"],
		["stacked prefixes", "https://www.m.example.com/a", "https://example.com/a"],
		["numbered www", "https://www1.folha.uol.com.br/a.shtml", "https://folha.uol.com.br/a.shtml"],
		["the fragment", "https://example.com/a#comments", "https://example.com/a"],
		["trailing slashes", "https://example.com/a//", "https://example.com/a"],
		["the slash of a bare host", "https://example.com/", "https://example.com"],
		["the default port", "https://www.timminspress.com:443/life", "https://timminspress.com/life"],
		["the other scheme's port", "http://example.com:443/life", "https://example.com/life"],
		["a user", "https://user:secret@example.com/a", "https://example.com/a"],
		["the dot at the end of a host", "https://example.com./a", "https://example.com/a"],
		["white space around", "  https://example.com/a\n", "https://example.com/a"],
		["campaigns", "https://example.com/a?utm_source=x&UTM_Medium=y&fbclid=z", "https://example.com/a"],
		["an empty query", "https://example.com/a?", "https://example.com/a"],
	])("%s does not count", (_what, url, expected) => {
		expect(canonicalUrl(url)).toBe(expected);
	});

	test("parameters that identify the page remain unchanged", () => {
		expect(canonicalUrl("https://example.com/show?id=7&utm_source=x&q=a%20b+c")).toBe(
			"https://example.com/show?id=7&q=a%20b+c",
		);
	});

	test("a non-default port remains", () => {
		expect(canonicalUrl("https://example.com:8443/a")).toBe("https://example.com:8443/a");
	});

	test("the case of a path matters", () => {
		expect(canonicalUrl("https://example.com/A")).not.toBe(canonicalUrl("https://example.com/a"));
	});

	test("a canonical URL remains unchanged", () => {
		const once = canonicalUrl("http://www.example.com/é/?b=1&utm_id=2#x");
		expect(once).not.toBeNull();
		expect(canonicalUrl(once ?? "")).toBe(once);
	});

	test.each([
		"javascript:alert(1)",
		"data:text/html,x",
		"ftp://example.com/a",
		"file:///etc/passwd",
		"//example.com/a",
		"/news/a",
		"example.com/a",
		"https://",
		"https://localhost/a",
		"https://exa mple.com/a",
		"",
	])("%j is not a web address", (url) => {
		expect(canonicalUrl(url)).toBeNull();
		expect(domainOf(url)).toBeNull();
	});

	test("a URL has at most 2,000 characters", () => {
		const start = "https://example.com/";
		expect(canonicalUrl(start + "a".repeat(2_000 - start.length))).toHaveLength(2_000);
		expect(canonicalUrl(start + "a".repeat(2_001 - start.length))).toBeNull();
		expect(canonicalUrl(start + "/".repeat(10_000_000))).toBeNull();
		expect(canonicalUrl(start + "é".repeat(1_000))).toBeNull();
	});
});

describe("domainOf", () => {
	test("is the host without its prefix", () => {
		expect(domainOf("https://www.Example.co.uk:8080/a")).toBe("example.co.uk");
		expect(domainOf("https://m.example.com/a")).toBe("example.com");
		expect(domainOf("https://news.example.com/a")).toBe("news.example.com");
	});

	test("a prefix that is the whole name remains", () => {
		expect(domainOf("https://m.me/a")).toBe("m.me");
		expect(domainOf("https://www.amp.dev/a")).toBe("amp.dev");
		expect(domainOf("https://mexico.com/a")).toBe("mexico.com");
	});
});
