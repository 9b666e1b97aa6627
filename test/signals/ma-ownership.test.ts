import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordOwnership } from "../../services/signals/deals/record-ownership.ts";
import { type Deals, type Owned, openDeals } from "./support/ma.ts";
import { owned, owner } from "./support/owned.ts";

let deals: Deals;
beforeAll(async () => {
	deals = await openDeals();
});
afterAll(() => deals[Symbol.asyncDispose]());
beforeEach(() => deals.clear());

const record = (...events: Owned[]) => deals.deliver(recordOwnership, events);
const [alpha, beta, gamma] = [owner("Alpha Power"), owner("Beta Renewables"), owner("Gamma Wind Inc", 1, null)];

describe("yearly ownership", () => {
	it("that changes between two years is an event, served and published with a version", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		const { data, meta } = await deals.ask("listMaEvents");
		expect(meta).toEqual({ total: 1, page: 1, per_page: 50, pages: 1 });
		expect(data).toEqual([
			{
				event_type: "ownership_change",
				asset_class: "operating",
				effective_date: "2025-12-31",
				plant_id_eia: 60001,
				generator_id: "GEN1",
				queue_id: null,
				region: null,
				asset_name: "Sandy Ridge",
				capacity_mw: 100.5,
				technology: "Solar Photovoltaic",
				state: "TX",
				seller: "Alpha Power",
				seller_canonical: "Alpha Power",
				buyer: "Beta Renewables",
				buyer_canonical: "Beta Renewables",
				fraction_owned: 1,
				source: "eia_860_ownership",
				confidence: "high",
				reason: "buyer and seller are filed and are known developers, and at least half was sold",
			},
		]);
		expect(await deals.published()).toMatchObject([
			{ version: 1, plant_id_eia: 60001, project_id: null, buyer: "Beta Renewables", retracted: false },
		]);
	});

	it.each([
		["in order", [2023, 2024, 2025]],
		["newest first", [2025, 2024, 2023]],
		["the middle last", [2023, 2025, 2024]],
	])("is compared with the year before and the year after: %s", async (_, years) => {
		const owners = new Map([
			[2023, alpha],
			[2024, beta],
			[2025, gamma],
		]);
		for (const year of years) await record(owned(year, [owners.get(year) ?? alpha]));
		const { data } = await deals.ask("listMaEvents");
		expect(data.map((one) => [one.effective_date, one.seller, one.buyer])).toEqual([
			["2025-12-31", "Beta Renewables", "Gamma Wind Inc"],
			["2024-12-31", "Alpha Power", "Beta Renewables"],
		]);
		expect(await deals.published()).toHaveLength(2);
	});

	it("is not compared between years that are not consecutive", async () => {
		await record(owned(2023, [alpha]), owned(2025, [beta]));
		expect((await deals.ask("listMaEvents")).data).toEqual([]);
	});

	it("that is delivered again, or republished under another id, publishes nothing and keeps the data version", async () => {
		const events = [owned(2024, [alpha]), owned(2025, [beta])];
		await record(...events);
		await deals.published();
		const before = await deals.dataVersion();
		await record(...events);
		await record(...events.map((one) => ({ ...one, id: `${one.id}:again` })));
		await record(...events.map((one) => ({ ...one, id: `${one.id}:newer`, version: 2 })));
		expect(await deals.published()).toEqual([]);
		expect(await deals.dataVersion()).toBe(before);
	});

	it("keeps the newer version, in any order of arrival, also within one delivery", async () => {
		const first = owned(2025, [beta]);
		const second = owned(2025, [gamma], { version: 2 });
		await record(owned(2024, [alpha]), second, first);
		await record({ ...first, id: "late" });
		expect((await deals.ask("listMaEvents")).data).toMatchObject([{ buyer: "Gamma Wind Inc" }]);
	});

	it("that is corrected retracts its event and publishes the new one", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		const [wrong] = await deals.published();
		await record(owned(2025, [gamma], { version: 2 }));
		expect((await deals.ask("listMaEvents")).data).toMatchObject([{ buyer: "Gamma Wind Inc", confidence: "medium" }]);
		const published = await deals.published();
		expect(published).toHaveLength(2);
		expect(published.find(({ retracted }) => retracted)).toMatchObject({
			ma_event_id: wrong?.ma_event_id,
			version: 2,
			buyer: "Beta Renewables",
		});
		expect(published.find(({ retracted }) => !retracted)).toMatchObject({ version: 1, buyer: "Gamma Wind Inc" });
	});

	it("that is corrected back raises the version of the event it had", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		await record(owned(2025, [alpha], { version: 2 }));
		await record(owned(2025, [beta], { version: 3 }));
		const published = await deals.published();
		expect(published.map(({ version, retracted }) => [version, retracted])).toEqual([
			[1, false],
			[2, true],
			[3, false],
		]);
		expect(new Set(published.map(({ ma_event_id }) => ma_event_id)).size).toBe(1);
		expect((await deals.ask("summariseMaEvents")).total).toBe(1);
	});

	it("with a corrected share is the same event in a new version", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		await record(owned(2025, [owner("Alpha Power", 0.4), owner("Beta Renewables", 0.6)], { version: 2 }));
		expect((await deals.published()).map(({ version, fraction_owned }) => [version, fraction_owned])).toEqual([
			[1, 1],
			[2, 0.6],
		]);
	});

	it("whose report was retracted has no event", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		await record(owned(2025, [], { version: 2 }));
		expect((await deals.ask("listMaEvents")).data).toEqual([]);
	});

	it("of a plant's other generators, when loaded, lowers the confidence of its event", async () => {
		await record(owned(2024, [alpha]), owned(2025, [beta]));
		await record(owned(2024, [alpha], { generator_id: "GEN2" }), owned(2025, [alpha], { generator_id: "GEN2" }));
		expect((await deals.published()).map(({ version, confidence }) => [version, confidence])).toEqual([
			[1, "high"],
			[2, "low"],
		]);
	});

	it("of one plant arriving in two concurrent transactions is compared as a whole", async () => {
		await record(owned(2024, [alpha]), owned(2024, [alpha], { generator_id: "GEN2" }));
		const late = owned(2025, [alpha], { generator_id: "GEN2" });
		await deals.meanwhile(
			(tx) => recordOwnership.handler(tx, [owned(2025, [beta])]),
			() => record(late),
		);
		expect((await deals.ask("listMaEvents")).data.map(({ confidence }) => confidence)).toEqual(["low"]);
	});
});
