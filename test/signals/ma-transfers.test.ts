import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { copyDevelopers } from "../../services/signals/companies/copies.ts";
import { confirmDeals, judgeLists, recordTransfers } from "../../services/signals/deals/reactions.ts";
import { applied, flip, standing } from "./support/flips.ts";
import { type Applied, type Changed, type Deals, openDeals } from "./support/ma.ts";

let deals: Deals;
beforeAll(async () => {
	deals = await openDeals();
});
afterAll(() => deals[Symbol.asyncDispose]());
beforeEach(async () => {
	await deals.clear();
	let id = 1;
	for (const [name, parent] of [
		["Heron Energy", "Heron Corp"],
		["Osprey Power", "private"],
	])
		await deals.sql`
			insert into developers (developer_id, canonical_name, ambiguous, tier, parent_company, known, aliases, prefixes, version)
			values (${id++}, ${name ?? ""}, false, 'major_ipp', ${parent ?? null}, true, '[]', '{}', 1)`;
});

/** A stored headline about a deal that names these developers. */
async function publishDeal(day: string, names: string[]): Promise<void> {
	const [article] = await deals.sql<{ article_id: number }[]>`
		insert into articles (title, url, domain, published_at, source, event_type, seeks_capital, copies, matches, version)
		values ('Osprey buys Heron', 'https://example.org/1', 'example.org', ${day}, 'test', 'ma', false, 0, '[]', 1)
		returning article_id`;
	await deals.sql`
		insert into article_matches (article_id, developer_id, matched_on, matched_text, confidence, subject, published_at, event_type)
		select ${article?.article_id ?? 0}, developer_id, 'title', canonical_name, 0.9, 'us_business', ${day}, 'ma' from developers
		where canonical_name = any(${names}::text[])`;
}

const change = (...events: Changed[]) => deals.deliver(recordTransfers, events);
const apply = (...events: Applied[]) => deals.deliver(judgeLists, events);
const list = async () => (await deals.ask("listMaEvents")).data;

const sold = flip({ number: 1, from: "Heron Energy", to: "Osprey Power" });

describe("a project whose developer changed", () => {
	it("is an event on the list's day, published with its project", async () => {
		await change(sold);
		await apply(applied(1));
		expect(await list()).toEqual([
			{
				event_type: "queue_developer_change",
				asset_class: "queue_project",
				effective_date: "2026-03-01",
				plant_id_eia: null,
				generator_id: null,
				queue_id: "J1",
				region: "MISO",
				asset_name: "Sandy Ridge",
				capacity_mw: 150.5,
				technology: "Solar",
				state: "IL",
				seller: "Heron Energy",
				seller_canonical: "Heron Energy",
				buyer: "Osprey Power",
				buyer_canonical: "Osprey Power",
				fraction_owned: null,
				source: "queue_snapshots",
				confidence: "medium",
				reason: "both sides are known developers; no headline reports a deal",
			},
		]);
		expect(await deals.published()).toMatchObject([
			{ version: 1, project_id: "MISO-J1", region: "MISO", plant_id_eia: null, retracted: false },
		]);
		expect(await deals.ask("listMaEvents", { region: "MISO", event_type: "queue_developer_change" })).toMatchObject({
			meta: { total: 1 },
		});
	});

	it("is judged once, whether its list or its change arrives last, and however often", async () => {
		const other = flip({ number: 2, from: "Osprey Power", to: "Heron Energy" });
		await change(sold);
		expect(await list()).toEqual([]);
		await apply(applied(2));
		expect(await list()).toEqual([]);
		await change(other);
		expect(await list()).toHaveLength(2);
		await deals.published();
		await change(sold, other);
		await apply(applied(2));
		await change({ ...sold, id: "again" });
		await apply({ ...applied(2), id: "again" });
		expect(await deals.published()).toEqual([]);
		expect(await list()).toHaveLength(2);
	});

	it("beyond the number that the list counted, arriving after its judgement, changes nothing", async () => {
		await change(sold);
		await apply(applied(1));
		await deals.published();
		await change(flip({ number: 2, from: "Heron Energy", to: "Osprey Power" }));
		expect(await list()).toHaveLength(1);
		expect(await deals.published()).toEqual([]);
	});

	it("is judged when the list and the change arrive at the same time", async () => {
		await deals.meanwhile(
			(tx) => recordTransfers.handler(tx, [sold]),
			() => apply(applied(1)),
		);
		expect(await list()).toHaveLength(1);
	});

	it("has high confidence if a headline about a deal names both within 180 days", async () => {
		await publishDeal("2025-09-03", ["Heron Energy", "Osprey Power"]);
		await change(sold);
		await apply(applied(1));
		expect(await list()).toMatchObject([{ confidence: "high" }]);
		// 181 days after the headline.
		await change(flip({ number: 2, from: "Heron Energy", to: "Osprey Power", snapshot: 8, day: "2026-03-04" }));
		await apply(applied(1, { snapshot_id: 8, as_of: "2026-03-04T06:00:00Z" }));
		expect(await list()).toMatchObject([{ confidence: "medium" }, { confidence: "high" }]);
	});

	it("gets high confidence if the headline arrives after the list, and is published again", async () => {
		await change(sold);
		await apply(applied(1));
		await deals.published();
		const headline = (id: string, published_at: string, names: string[]) => ({
			id,
			occurred_at: published_at,
			version: 1,
			article_id: 1,
			title: "Osprey buys a project of Heron's",
			url: "https://example.org/2",
			domain: "example.org",
			published_at,
			event_type: "ma" as const,
			seeks_capital: false,
			developers: names.map((developer_canonical, at) => ({
				developer_id: at + 1,
				developer_canonical,
				matched_on: "title" as const,
				match_confidence: 0.9,
				subject: "us_business" as const,
				bankruptcy: false,
			})),
		});
		await publishDeal("2025-08-01", ["Heron Energy", "Osprey Power"]);
		await publishDeal("2026-03-02", ["Heron Energy"]);
		await deals.deliver(confirmDeals, [
			headline("too-early", "2025-08-01T00:00:00Z", ["Heron Energy", "Osprey Power"]),
			headline("one-side", "2026-03-02T00:00:00Z", ["Heron Energy"]),
		]);
		expect(await list()).toMatchObject([{ confidence: "medium" }]);
		await publishDeal("2026-03-02", ["Osprey Power", "Heron Energy"]);
		await deals.deliver(confirmDeals, [headline("both", "2026-03-02T00:00:00Z", ["Osprey Power", "Heron Energy"])]);
		await deals.deliver(confirmDeals, [headline("again", "2026-03-03T00:00:00Z", ["Osprey Power", "Heron Energy"])]);
		expect(await list()).toMatchObject([{ confidence: "high" }]);
		expect(await deals.published()).toMatchObject([{ confidence: "high", version: 2, retracted: false }]);
	});

	it("is judged again when a party becomes known after the list, and retracted if both are one company", async () => {
		const eagle = { ...sold.project, developer: "Eagle Grid", developer_canonical: "Eagle Grid" };
		await change({ ...sold, project: eagle });
		await apply(applied(1));
		expect(await list()).toMatchObject([{ confidence: "low" }]);
		await deals.published();
		const known = (version: number, parent_company: string | null) => ({
			id: `eagle-${version}`,
			occurred_at: "2026-03-02T00:00:00Z",
			version,
			developer_id: 900,
			canonical_name: "Eagle Grid",
			ambiguous: false,
			tier: "major_ipp" as const,
			company_kind: "sponsor" as const,
			headquarters_state: null,
			parent_company,
			known: true,
			aliases: [],
			prefixes: [],
			identifiers: [],
			portfolio: {
				...{ total_projects: 0, total_capacity_mw: 0, operating_capacity_mw: 0, in_construction_mw: 0 },
				...{ active_capacity_mw: 0, withdrawn_projects: 0, operational_projects: 0, completion_rate: null },
				...{ states_active: [], primary_technologies: [] },
			},
		});
		await deals.deliver(copyDevelopers, [known(1, null)]);
		expect(await list()).toMatchObject([{ confidence: "medium", buyer_canonical: "Eagle Grid" }]);
		await deals.deliver(copyDevelopers, [known(2, "Heron Corp")]);
		expect(await list()).toEqual([]);
		expect((await deals.published()).map((one) => [one.confidence, one.retracted])).toEqual([
			["medium", false],
			["medium", true],
		]);
	});

	it("is not an event if the name is new, removed or only spelled differently, or the project withdrawn", async () => {
		await change(
			flip({ number: 1, from: null, to: "Heron Energy" }),
			flip({ number: 2, from: "Heron Energy", to: null }),
			flip({ number: 3, from: "Sandy Solar LLC", to: "SANDY SOLAR, L.L.C." }),
			flip({ number: 4, from: "Heron Energy", to: "Osprey Power", project: { status_std: "Withdrawn" } }),
		);
		await apply(applied(4));
		expect(await list()).toEqual([]);
		expect(await deals.published()).toEqual([]);
	});

	it("in error, corrected by a later list, has its event retracted", async () => {
		await change(sold);
		await apply(applied(1));
		await change(flip({ number: 1, from: "Osprey Power", to: "Heron Energy", snapshot: 8, correction: true }));
		await apply(applied(1, { snapshot_id: 8 }));
		expect(await list()).toEqual([]);
		expect((await deals.published()).map(({ version, retracted }) => [version, retracted])).toEqual([
			[1, false],
			[2, true],
		]);
	});
});

describe("a list", () => {
	it("without a change of developer is judged and not stored", async () => {
		const before = await deals.dataVersion();
		await apply(applied(0));
		expect(await deals.dataVersion()).toBe(before);
	});

	it("with more than 2 % of changes has its deals held back for review, with the reason", async () => {
		const wave = Array.from({ length: 21 }, (_, at) =>
			flip({ number: at, from: `Heron ${at} Inc`, to: `Osprey ${at} Inc` }),
		);
		await change(...wave);
		await apply(applied(21));
		expect(await list()).toEqual([]);
		expect(await deals.published()).toEqual([]);
		expect((await deals.ask("listMaReviews")).data).toEqual([
			{
				region: "MISO",
				as_of: "2026-03-01T06:00:00Z",
				kind: "recode",
				old_developer: null,
				new_developer: null,
				projects: 21,
				reason: "more than 2 % of 1000 rows changed their developer at once: 21 deals are held back",
			},
		]);
	});

	const renamed = Array.from({ length: 5 }, (_, at) => flip({ number: at, from: "Heron Energy", to: "Kestrel Power" }));

	it("that shows five projects of a vanished name under one other reports one candidate rename", async () => {
		await change(...renamed);
		await apply(applied(5));
		expect(await list()).toEqual([]);
		expect((await deals.ask("listMaReviews")).data).toMatchObject([
			{ kind: "rename", old_developer: "Heron Energy", new_developer: "Kestrel Power", projects: 5 },
		]);
	});

	it("that still contains the old name in the same region has deals", async () => {
		await change(standing(50, "HERON ENERGY"));
		await change(...renamed);
		await apply(applied(5));
		expect(await list()).toHaveLength(5);
	});

	it("of another region, or a missing project, does not count for the old name", async () => {
		const elsewhere = standing(50, "Heron Energy");
		elsewhere.project.region = "PJM";
		const missing = standing(51, "Heron Energy");
		missing.project.missing_since = "2026-02-01T06:00:00Z";
		await change(elsewhere, missing);
		await change(...renamed);
		await apply(applied(5));
		expect(await list()).toEqual([]);
	});
});
