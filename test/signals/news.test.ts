import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { copyDevelopers } from "../../services/signals/companies/copies.ts";
import { isMatched, matchAll } from "../../services/signals/ingest/rematch.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import type { Article } from "../../services/signals/records/records.ts";
import { article, developer, orders } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(async () => {
	await signals.clear();
	await signals.developers(
		developer({ developer_id: 1, canonical_name: "Pine Gate Renewables" }),
		developer({ developer_id: 2, canonical_name: "Silicon Ranch" }),
	);
});

const bankrupt = article({
	title: "Pine Gate Renewables files for Chapter 11 bankruptcy protection",
	domain: "one.com",
});

describe("an article", () => {
	it("that names a developer is an event of its class, and is published", async () => {
		await storeArticles(signals.sql, [bankrupt, article({ title: "A story about a county fair in Ohio" })]);
		const { data, meta } = await signals.ask("listEvents");
		expect(meta).toEqual({ total: 1, page: 1, per_page: 50, pages: 1, coverage: { news: "2026-06-20" } });
		expect(data).toEqual([
			{
				developer_canonical: "Pine Gate Renewables",
				event_type: "distress",
				title: bankrupt.title,
				url: bankrupt.url,
				domain: "one.com",
				published_at: "2026-06-20T10:00:00Z",
				source: "GDELT DOC",
				matched_on: "title",
				matched_text: "Pine Gate Renewables",
				match_confidence: 0.9,
				subject: "us_business",
				source_country: "United States",
				copies: 0,
			},
		]);
		const { news } = await signals.announced();
		expect(news).toEqual([
			expect.objectContaining({
				version: 1,
				event_type: "distress",
				seeks_capital: false,
				developers: [
					{
						developer_id: 1,
						developer_canonical: "Pine Gate Renewables",
						matched_on: "title",
						match_confidence: 0.9,
						subject: "us_business",
						bankruptcy: true,
					},
				],
			}),
		]);
	});

	it("delivered again changes and publishes nothing", async () => {
		expect(await storeArticles(signals.sql, [bankrupt])).toEqual({ stored: 1, known: 0 });
		await signals.announced();
		const version = await signals.dataVersion();
		expect(await storeArticles(signals.sql, [bankrupt, { ...bankrupt, url: `${bankrupt.url}?utm_source=x` }])).toEqual({
			stored: 0,
			known: 2,
		});
		expect(await signals.dataVersion()).toBe(version);
		expect((await signals.announced()).news).toEqual([]);
	});

	it("about two developers is two rows, and one event", async () => {
		await storeArticles(signals.sql, [
			article({ title: "Silicon Ranch buys solar portfolio from Pine Gate Renewables" }),
		]);
		const { data } = await signals.ask("listEvents", { event_type: "ma" });
		expect(data.map((row) => row.developer_canonical)).toEqual(["Pine Gate Renewables", "Silicon Ranch"]);
		expect((await signals.announced()).news).toHaveLength(1);
	});

	it("is stored without characters that cannot be stored", async () => {
		const title = "Pine Gate Renewables\u0000 plans \ud800 100 MW";
		await storeArticles(signals.sql, [article({ title, url: "https://x.com/1" })]);
		expect((await signals.ask("listEvents")).meta.total).toBe(1);
	});
});

describe("one headline in several places", () => {
	const copies: Article[] = [
		bankrupt,
		{
			...bankrupt,
			url: "https://two.com/x",
			domain: "two.com",
			source: "two.com",
			publishedAt: "2026-06-19T10:00:00Z",
		},
		// The same page by another source, seen later, which knows an organisation.
		{
			...bankrupt,
			url: `${bankrupt.url}/?utm_campaign=a`,
			source: "GDELT GKG",
			publishedAt: "2026-06-21T08:00:00Z",
			sourceCountry: null,
		},
		// More than three days after the first: another article.
		{ ...bankrupt, url: "https://three.com/y", domain: "three.com", publishedAt: "2026-06-22T11:00:00Z" },
	];

	it("is the same two articles in any order of arrival", async () => {
		const outcomes = new Set<string>();
		for (const order of orders(copies)) {
			await signals.sql`truncate articles, appearances, article_matches`;
			for (const one of order) await storeArticles(signals.sql, [one]);
			const { data } = await signals.ask("listEvents");
			outcomes.add(JSON.stringify(data));
			await signals.announced();
		}
		await signals.sql`truncate articles, appearances, article_matches`;
		await storeArticles(signals.sql, copies);
		outcomes.add(JSON.stringify((await signals.ask("listEvents")).data));
		expect(outcomes.size).toBe(1);
		const [both] = [...outcomes].map((json) => JSON.parse(json) as { domain: string; copies: number }[]);
		expect(both?.map(({ domain, copies: n }) => [domain, n])).toEqual([
			["three.com", 0],
			["two.com", 1],
		]);
	});

	it("is published without a developer when another source shows that it was a copy", async () => {
		const late = { ...bankrupt, url: "https://two.com/x", domain: "two.com", publishedAt: "2026-06-25T10:00:00Z" };
		await storeArticles(signals.sql, [bankrupt, late]);
		const [, second] = (await signals.announced()).news;
		expect((await signals.ask("listEvents")).data.map(({ copies: n }) => n)).toEqual([0, 0]);
		await storeArticles(signals.sql, [{ ...late, source: "two.com", publishedAt: "2026-06-20T11:00:00Z" }]);
		const { data } = await signals.ask("listEvents");
		expect(data.map(({ domain, copies: n }) => [domain, n])).toEqual([["one.com", 1]]);
		expect((await signals.announced()).news).toEqual([
			expect.objectContaining({ article_id: second?.article_id, version: 2, developers: [] }),
		]);
	});

	it("keeps its id when an earlier copy replaces it", async () => {
		await storeArticles(signals.sql, [bankrupt]);
		const [published] = (await signals.announced()).news;
		const early = { ...bankrupt, url: "https://two.com/x", domain: "two.com", publishedAt: "2026-06-18T11:00:00Z" };
		await storeArticles(signals.sql, [early]);
		expect((await signals.announced()).news).toEqual([
			expect.objectContaining({ article_id: published?.article_id, version: 2, domain: "two.com" }),
		]);
	});

	it('is folded only where it says enough: two outlets\' "Company announcement" are two', async () => {
		const title = "Silicon Ranch announcement";
		await storeArticles(signals.sql, [article({ title, domain: "a.com" }), article({ title, domain: "b.com" })]);
		expect((await signals.ask("listEvents")).meta.total).toBe(2);
	});
});

describe("a headline's flags", () => {
	it("state whose bankruptcy it reports, and that a company seeks money or a buyer", async () => {
		await storeArticles(signals.sql, [
			article({ title: "Pine Gate Renewables files for Chapter 11 owing Silicon Ranch $9 million" }),
			article({ title: "Silicon Ranch explores strategic alternatives" }),
		]);
		const { news } = await signals.announced();
		expect(
			news.map(({ seeks_capital, developers }) => [
				seeks_capital,
				...developers.map(({ developer_canonical, bankruptcy }) => [developer_canonical, bankruptcy]),
			]),
		).toEqual([
			[false, ["Pine Gate Renewables", true], ["Silicon Ranch", false]],
			[true, ["Silicon Ranch", false]],
		]);
	});

	it("follow the developer's names: a later alias is matched with stored headlines", async () => {
		await storeArticles(signals.sql, [
			article({ title: "Pine Gate files for Chapter 11", organizations: ["pine gate renewables"] }),
		]);
		expect((await signals.announced()).news).toMatchObject([{ version: 1, developers: [{ bankruptcy: false }] }]);
		const aliases = [{ alias: "Pine Gate", ambiguous: false }];
		await signals.developers(developer({ developer_id: 1, canonical_name: "Pine Gate Renewables", aliases }));
		expect((await signals.announced()).news).toMatchObject([
			{ version: 2, developers: [{ developer_id: 1, matched_on: "title", bankruptcy: true }] },
		]);
	});
});

describe("names that are added or changed later", () => {
	it("are matched with stored headlines, and only differences are published", async () => {
		const longroad = article({ title: "Longroad Energy reaches financial close on 400 MW Arizona solar project" });
		await storeArticles(signals.sql, [bankrupt, longroad]);
		await signals.announced();
		await signals.developers(developer({ developer_id: 3, canonical_name: "Longroad Energy" }));
		expect((await signals.announced()).news.map(({ title, version }) => [title, version])).toEqual([
			[longroad.title, 2],
		]);
		expect((await signals.ask("listEvents", { event_type: "financing" })).meta.total).toBe(1);
		// A name that is taken back takes the match with it: published as naming no developer.
		await signals.developers(developer({ developer_id: 3, canonical_name: "Another Company" }));
		expect((await signals.announced()).news).toEqual([
			expect.objectContaining({ title: longroad.title, version: 3, developers: [] }),
		]);
		expect((await signals.ask("listEvents", { event_type: "financing" })).meta.total).toBe(0);
	});

	it("yield the same events as if they had been known before", async () => {
		const longroad = developer({ developer_id: 3, canonical_name: "Longroad Energy" });
		const stories = [bankrupt, article({ title: "Longroad Energy closes $300 million financing" })];
		await using late = await openSignals();
		await storeArticles(late.sql, stories);
		await late.developers(longroad, developer({ developer_id: 1, canonical_name: "Pine Gate Renewables" }));
		await signals.developers(longroad);
		await storeArticles(signals.sql, stories);
		const { data } = await late.ask("listEvents");
		expect(data).toHaveLength(2);
		expect(data).toEqual((await signals.ask("listEvents")).data);
	});

	it("retain a match in a description whose text is not stored", async () => {
		const snippet = "The secretive words of an author about Silicon Ranch, a rival.";
		await storeArticles(signals.sql, [article({ title: "Solar in the south", snippet })]);
		const before = await signals.ask("listEvents");
		expect(before.data).toEqual([expect.objectContaining({ matched_on: "body", matched_text: "Silicon Ranch" })]);
		await signals.developers(developer({ developer_id: 3, canonical_name: "Longroad Energy" }));
		expect(await signals.ask("listEvents")).toEqual(before);
		const rows = await signals.sql<{ text: string }[]>`select to_jsonb(a)::text as text from appearances a`;
		expect(rows.map(({ text }) => text).join()).not.toContain("secretive");
	});

	it("continue where an ended process had stopped", async () => {
		const title = (at: number) => `Longroad Energy plans solar farm number ${at} in Arizona`;
		await storeArticles(
			signals.sql,
			Array.from({ length: 1_100 }, (_, at) => article({ title: title(at) })),
		);
		const longroad = developer({ developer_id: 3, canonical_name: "Longroad Energy" });
		await signals.sql.begin((tx) => copyDevelopers.handler(tx, [longroad]));
		const matched = async () => (await signals.ask("listEvents", { developer: "Longroad Energy" })).meta.total;
		await expect(matchAll(signals.sql, AbortSignal.abort())).rejects.toThrow();
		expect([await matched(), await isMatched(signals.sql)]).toEqual([1_000, false]);
		await matchAll(signals.sql);
		expect([await matched(), await isMatched(signals.sql)]).toEqual([1_100, true]);
		const { news } = await signals.announced();
		expect(new Set(news.map(({ article_id }) => article_id)).size).toBe(news.length);
	});

	it("are not matched again if only the portfolio changes", async () => {
		await storeArticles(signals.sql, [bankrupt]);
		const pine = developer({ developer_id: 1, canonical_name: "Pine Gate Renewables", tier: "independent" });
		await signals.sql.begin((tx) => copyDevelopers.handler(tx, [pine]));
		expect(await isMatched(signals.sql)).toBe(true);
		expect(await signals.sql`select tier from developers where developer_id = 1`).toEqual([{ tier: "independent" }]);
	});

	it("are not changed by an older version of a developer", async () => {
		const [version] = await signals.sql<{ version: number }[]>`select version from developers where developer_id = 1`;
		const before = await signals.dataVersion();
		const old = { ...developer({ developer_id: 1, canonical_name: "Old Name" }), version: (version?.version ?? 0) - 1 };
		await signals.developers({ ...old, version: Math.max(old.version, 1) });
		expect(await signals.sql`select canonical_name from developers where developer_id = 1`).toEqual([
			{ canonical_name: "Pine Gate Renewables" },
		]);
		expect(await signals.dataVersion()).toBe(before);
	});
});

describe("the lists of news", () => {
	beforeEach(async () => {
		await storeArticles(signals.sql, [
			bankrupt,
			article({ title: "Pine Gate Renewables sued by supplier over invoices", publishedAt: "2026-06-01T00:00:00Z" }),
			article({ title: "Silicon Ranch raises $500 million from AIP Management", publishedAt: "2026-05-15T00:00:00Z" }),
		]);
	});

	it("count classes and developers within the requested days", async () => {
		expect(await signals.ask("summariseEvents", { days: 60 })).toEqual({
			total_events: 3,
			days: 60,
			by_type: [
				{ event_type: "distress", count: 1, developers: 1 },
				{ event_type: "litigation", count: 1, developers: 1 },
				{ event_type: "financing", count: 1, developers: 1 },
			],
			top_developers: [
				{
					developer_canonical: "Pine Gate Renewables",
					events: 2,
					distress: 1,
					financing: 0,
					litigation: 1,
					latest_event: "2026-06-20T10:00:00Z",
				},
				{
					developer_canonical: "Silicon Ranch",
					events: 1,
					distress: 0,
					financing: 1,
					litigation: 0,
					latest_event: "2026-05-15T00:00:00Z",
				},
			],
		});
		expect((await signals.ask("summariseEvents", { developer: "silicon" })).total_events).toBe(0);
	});

	it("leave out news of a worldwide parent unless it is requested", async () => {
		const aliases = [{ alias: "ExxonMobil", ambiguous: false }];
		await signals.developers(
			developer({ developer_id: 3, canonical_name: "ExxonMobil Low Carbon Solutions", aliases }),
		);
		await storeArticles(signals.sql, [
			article({ title: "ExxonMobil to cut 2,000 jobs worldwide" }),
			article({ title: "ExxonMobil plans hydrogen plant in Texas" }),
		]);
		const listed = async (include_parent?: string) => {
			const params = { developer_id: "3", days: 60, include_parent };
			const { data } = await signals.ask("listDeveloperEvents", params);
			const { total_events } = await signals.ask("summariseEvents", { days: 60, developer: "exxon", include_parent });
			const { meta } = await signals.ask("listEvents", { days: 60, developer: "exxon", include_parent });
			return [total_events, meta.total, data.map(({ event_type, subject }) => [event_type, subject]).sort()];
		};
		expect(await listed()).toEqual([1, 1, [["project", "us_business"]]]);
		const both = [
			2,
			2,
			[
				["distress", "parent"],
				["project", "us_business"],
			],
		];
		expect(await listed("true")).toEqual(both);
		const { news } = await signals.announced();
		expect(news.flatMap(({ developers }) => developers.map(({ subject }) => subject)).sort()).toEqual([
			"parent",
			...Array(4).fill("us_business"),
		]);
	});

	it("filter by developer, class, age and confidence, with pages", async () => {
		const titles = async (params: Parameters<typeof signals.ask<"listEvents">>[1]) =>
			(await signals.ask("listEvents", params)).data.map(({ event_type }) => event_type);
		expect(await titles({ days: 60 })).toEqual(["distress", "litigation", "financing"]);
		expect(await titles({ days: 60, developer: "pine gate" })).toEqual(["distress", "litigation"]);
		expect(await titles({ days: 60, developer: "%" })).toEqual([]);
		expect(await titles({ days: 60, event_type: "litigation" })).toEqual(["litigation"]);
		expect(await titles({ days: 60, min_confidence: 0.95 })).toEqual([]);
		expect(await titles({ days: 20 })).toEqual(["distress"]);
		expect(await titles({ until: "2026-06-01" })).toEqual(["litigation", "financing"]);
		expect(await titles({ since: "2026-06-01", until: "2026-06-01" })).toEqual(["litigation"]);
		const later = await signals.ask("listEvents", { since: "2026-06-21" });
		expect(later).toMatchObject({ data: [], meta: { total: 0, coverage: { news: "2026-06-20" } } });
		await expect(signals.ask("listEvents", { since: "2026-06-01", days: 9 })).rejects.toThrow(/days/);
		expect(await titles({ days: 60, page: 2, per_page: 1 })).toEqual(["litigation"]);
		expect((await signals.ask("listEvents", { days: 60, page: 9 })).meta).toMatchObject({
			total: 3,
			page: 9,
			pages: 1,
		});
	});

	it("select a developer by number, name or alias", async () => {
		await signals.developers(
			developer({
				developer_id: 2,
				canonical_name: "Silicon Ranch",
				aliases: [{ alias: "SR Corp", ambiguous: false }],
			}),
		);
		for (const developer_id of ["2", "silicon ranch", "SR Corp"]) {
			const found = await signals.ask("listDeveloperEvents", { developer_id });
			expect([found.developer, found.data.length]).toEqual(["Silicon Ranch", 1]);
		}
		await expect(signals.ask("listDeveloperEvents", { developer_id: "Unknown" })).rejects.toMatchObject({
			status: 404,
		});
		await expect(signals.ask("listDeveloperEvents", { developer_id: "999" })).rejects.toMatchObject({ status: 404 });
	});
});
