import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import { article, developer } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
beforeEach(async () => {
	signals = await openSignals();
	await signals.developers(
		developer({ developer_id: 1, canonical_name: "Pine Gate Renewables" }),
		developer({ developer_id: 2, canonical_name: "Silicon Ranch" }),
	);
});
afterEach(() => signals[Symbol.asyncDispose]());

const bankrupt = article({
	title: "Pine Gate Renewables files for Chapter 11 bankruptcy protection",
	domain: "one.com",
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

	it("choose by developer, class, age and confidence, a page at a time", async () => {
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
		await expect(signals.ask("listEvents", { since: "2026-06-01", days: 9 })).rejects.toThrow(/days/);
		expect(await titles({ days: 60, page: 2, per_page: 1 })).toEqual(["litigation"]);
		expect((await signals.ask("listEvents", { days: 60, page: 9 })).meta).toMatchObject({
			total: 3,
			page: 9,
			pages: 1,
		});
	});

	it("are one developer's by number, by name or by another name of its own", async () => {
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
