import { describe, expect, test } from "vitest";
import type { Article } from "../records/records.ts";
import { groupCopies, isGeneric, mergePages, titleKey } from "./syndication.ts";

type Appearance = Pick<Article, "url" | "title" | "publishedAt">;

const headline = "Bankrupt solar developer sells 1 GW portfolio";

function seen(domain: string, publishedAt: string, title = headline): Appearance {
	return { url: `https://www.${domain}/${encodeURIComponent(title)}`, title, publishedAt: `${publishedAt}:00Z` };
}

function permutations<T>(of: readonly T[]): T[][] {
	if (of.length === 0) return [[]];
	return of.flatMap((first, at) => permutations(of.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

/** Each article with its copies, as delivered. */
function fold(
	appearances: readonly Appearance[],
): { article: Appearance | undefined; copies: (Appearance | undefined)[] }[] {
	const rest = { domain: "", source: "", sourceCountry: null, organizations: [], snippet: null };
	const delivered = (page: Appearance) =>
		appearances.find(
			({ url, title, publishedAt }) => url === page.url && title === page.title && publishedAt === page.publishedAt,
		);
	return groupCopies(
		mergePages(
			appearances.map((one) => ({ ...rest, ...one })),
			() => [],
		),
	).map(([first, ...copies]) => ({
		article: delivered(first),
		copies: copies.map(delivered),
	}));
}

describe("titleKey", () => {
	test.each([
		["case and punctuation", "AES Sells 5.7% Stake, Sources Say", "aes sells 5 . 7 % stake sources say"],
		["typographic quotes", "Judge: “No permit” for wind farm", "Judge : No permit for wind farm"],
		["a lost possessive", "Pine Gate’s lenders take over", "Pine Gate lenders take over"],
		["a torn possessive", "Pine Gate 's lenders take over", "Pine Gate lenders take over"],
		["accents", "Ørsted près de vendre une unité", "Orsted pres de vendre une unite"],
		["hyphens", "Coal-dominated state approves wind", "Coal - dominated state approves wind"],
		["an ampersand", "Smith & Sons build a farm", "Smith and Sons build a farm"],
	])("%s does not count", (_what, one, other) => {
		expect(titleKey(one)).toBe(titleKey(other));
	});

	test.each([
		[`${headline} - East Bay Times`, ""],
		[`${headline} – The Mercury News`, "mercurynews.com"],
		[`${headline} | Reuters`, "finance.yahoo.com"],
		[`${headline} | Markets Insider | Reuters`, "markets.businessinsider.com"],
		[`${headline} - Las Vegas Sun News`, "lasvegassun.com"],
		[`${headline} | Utility Dive`, "utilitydive.com"],
		[`${headline} | pv magazine USA`, "pv-magazine-usa.com"],
		[`${headline} - Yahoo Finance | Reuters`, "finance.yahoo.com"],
	])("the outlet of %j is dropped", (title, domain) => {
		expect(titleKey(title, domain)).toBe(titleKey(headline));
	});

	test.each([
		[`${headline} - shares plunge`, "example.com"],
		[`${headline} - what it means for the times`, "example.com"],
		[`${headline} | Texas`, "example.com"],
		["Italy signals slowdown on F - 35 orders", "example.com"],
	])("the part of %j after the dash remains", (title, domain) => {
		expect(titleKey(title, domain)).toBe(titleKey(title.replace(/[-|]/, " ")));
	});

	test("a headline that contains only an outlet remains", () => {
		expect(titleKey("The Nashville Ledger", "nashvilleledger.com")).toBe("the nashville ledger");
	});

	test("letters of every script are kept", () => {
		expect(titleKey("阿联酋启动政府建筑 !")).toBe("阿联酋启动政府建筑");
	});

	test("a headline of megabytes has a short key", () => {
		for (const part of ["solar ", "' s", " - ", " | Times", "' "]) {
			expect(titleKey(part.repeat(2_000_000)).length).toBeLessThanOrEqual(400);
		}
	});

	test("a headline of punctuation has no key", () => {
		expect(titleKey(" … — ! ")).toBe("");
	});
});

describe("isGeneric", () => {
	test("short and recurring headlines are generic", () => {
		expect(isGeneric(titleKey("Company Announcement"))).toBe(true);
		expect(isGeneric(titleKey("Solar farm approved"))).toBe(true);
		expect(isGeneric(titleKey("Combined Notice of Filings #1"))).toBe(true);
		expect(isGeneric(titleKey("County approves solar farm"))).toBe(false);
	});
});

describe("foldCopies", () => {
	test("one headline in three outlets is the earliest article with two copies", () => {
		const first = seen("a.com", "2026-09-18T03:15");
		const folded = fold([
			seen("b.com", "2026-09-18T06:00"),
			first,
			seen("c.com", "2026-09-20T00:00", `${headline} - East Bay Times`),
		]);
		expect(folded).toHaveLength(1);
		expect(folded[0]?.article).toBe(first);
		expect(folded[0]?.copies).toHaveLength(2);
	});

	test("the same headline within three days is a copy, a second later it is another article", () => {
		const first = seen("a.com", "2026-09-18T00:00");
		const at = (publishedAt: string) => ({ ...seen("b.com", "2026-09-18T00:00"), publishedAt });
		expect(fold([first, at("2026-09-21T00:00:00Z")])).toHaveLength(1);
		expect(fold([first, at("2026-09-21T00:00:01Z")])).toHaveLength(2);
	});

	test("the window is that of the kept article, and copies do not extend it", () => {
		const days = ["01", "03", "05", "07"].map((day, at) => seen(`site${at}.com`, `2026-09-${day}T00:00`));
		const folded = fold(days);
		expect(folded.map(({ article, copies }) => [article, copies])).toEqual([
			[days[0], [days[1]]],
			[days[2], [days[3]]],
		]);
	});

	test("an earlier copy that arrives later becomes the kept article, and moves the windows", () => {
		const days = ["03", "05", "07"].map((day, at) => seen(`site${at}.com`, `2026-09-${day}T00:00`));
		const earlier = seen("first.com", "2026-09-01T00:00");
		expect(fold(days).map(({ article }) => article)).toEqual([days[0], days[2]]);
		expect(fold([...days, earlier]).map(({ article }) => article)).toEqual([earlier, days[1]]);
	});

	test("the result is the same for every order of arrival", () => {
		const set = [
			seen("a.com", "2026-09-01T00:00"),
			seen("b.com", "2026-09-03T00:00"),
			seen("c.com", "2026-09-03T00:00"),
			seen("d.com", "2026-09-05T00:00"),
			{ ...seen("a.com", "2026-09-04T00:00"), url: `${seen("a.com", "2026-09-01T00:00").url}?utm_source=x` },
			seen("e.com", "2026-09-01T12:00", "Another headline of some words"),
		];
		const expected = fold(set);
		expect(expected.map(({ copies }) => copies.length)).toEqual([2, 0, 0]);
		for (const order of permutations(set)) expect(fold(order)).toEqual(expected);
	});

	test("at the same time the URL decides", () => {
		const set = ["c.com", "a.com", "b.com"].map((domain) => seen(domain, "2026-09-01T00:00"));
		for (const order of permutations(set)) expect(fold(order)[0]?.article).toBe(set[1]);
	});

	test("the same page is not a copy, and keeps its first headline", () => {
		const first = { ...seen("a.com", "2026-09-01T00:00"), url: "http://m.a.com/x/" };
		const again = { ...seen("a.com", "2026-09-09T00:00", "Updated: another headline"), url: "https://www.a.com/x#top" };
		expect(fold([again, first])).toEqual([{ article: first, copies: [] }]);
	});

	test("a generic headline is merged only within its domain", () => {
		const one = seen("a.com", "2026-09-01T00:00", "Company Announcement");
		const same = { ...seen("a.com", "2026-09-02T00:00", "Company announcement"), url: "https://a.com/2" };
		const other = seen("b.com", "2026-09-01T06:00", "Company Announcement");
		expect(fold([one, same, other])).toEqual([
			{ article: one, copies: [same] },
			{ article: other, copies: [] },
		]);
	});

	test("headlines without words are never merged", () => {
		const one = { ...seen("a.com", "2026-09-01T00:00", "…"), url: "https://a.com/1" };
		const two = { ...seen("a.com", "2026-09-01T00:00", "!"), url: "https://a.com/2" };
		expect(fold([one, two])).toHaveLength(2);
	});

	test("articles without a web address are omitted", () => {
		expect(fold([{ ...seen("a.com", "2026-09-01T00:00"), url: "javascript:alert(1)" }])).toEqual([]);
	});
});
