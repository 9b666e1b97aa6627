import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordOwnership } from "../../services/signals/deals/record-ownership.ts";
import { type Deals, type Owned, openDeals } from "./support/ma.ts";
import { type Owner, owned, owner } from "./support/owned.ts";

let deals: Deals;
beforeAll(async () => {
	deals = await openDeals();
});
afterAll(() => deals[Symbol.asyncDispose]());
beforeEach(() => deals.clear());

const record = (...events: Owned[]) => deals.deliver(recordOwnership, events);
const [alpha, beta, gamma] = [owner("Alpha Power"), owner("Beta Renewables"), owner("Gamma Wind Inc", 1, null)];

describe("the responses", () => {
	beforeEach(async () => {
		const plant = (plant_id: number, year: number, one: Owner, more: Partial<Owned> = {}) =>
			owned(year, [one], { plant_id, plant_name: `Plant ${plant_id}`, ...more });
		await record(
			plant(1, 2023, alpha),
			plant(1, 2024, beta),
			plant(1, 2023, alpha, { generator_id: "GEN2" }),
			plant(1, 2024, beta, { generator_id: "GEN2" }),
			plant(2, 2024, alpha, { technology: "Onshore Wind Turbine" }),
			plant(2, 2025, gamma, { technology: "Onshore Wind Turbine" }),
			plant(3, 2024, gamma),
			plant(3, 2025, owner("Delta Ventures Inc", 1, null)),
			plant(4, 2024, beta, { source: "eia_860_operator" }),
			plant(4, 2025, alpha, { source: "eia_860_operator" }),
			plant(5, 2024, alpha),
			plant(5, 2025, beta),
		);
	});

	it.each([
		["all of them, the newest first", {}, [5, 4, 3, 2, 1, 1]],
		["of a developer on either side, in any case", { developer: "BETA renewables" }, [5, 4, 1, 1]],
		["of a part of a developer's name, none", { developer: "Beta" }, []],
		["of high confidence", { min_confidence: "high" }, [5, 1, 1]],
		["of medium confidence and above", { min_confidence: "medium" }, [5, 3, 2, 1, 1]],
		["of low confidence and above", { min_confidence: "low" }, [5, 4, 3, 2, 1, 1]],
		["with a known developer on a side", { matched_only: true }, [5, 4, 2, 1, 1]],
		["of a technology, any part in any case", { technology: "WIND" }, [2]],
		["of a technology, where % is no wildcard", { technology: "w%d" }, []],
		["since a day, inclusive", { since: "2025-12-31" }, [5, 4, 3, 2]],
		["since the day after", { since: "2026-01-01" }, []],
		["of a kind", { event_type: "queue_developer_change" }, []],
		["of a kind since a day", { event_type: "ownership_change", since: "2026-01-01" }, []],
		["of a region, of which plants have none", { region: "PJM" }, []],
	] as const)("%s", async (_, params, plants) => {
		const { data, meta } = await deals.ask("listMaEvents", { ...params });
		expect(data.map(({ plant_id_eia }) => plant_id_eia).sort()).toEqual([...plants].sort());
		expect(meta.total).toBe(plants.length);
		const ofKinds = {
			ownership_change: "2025-12-31",
			...(!("event_type" in params) && { queue_developer_change: null }),
		};
		expect(meta.coverage).toEqual("since" in params ? ofKinds : undefined);
	});

	it("are paged without gaps or repeats", async () => {
		const pages = await Promise.all([1, 2, 3].map((page) => deals.ask("listMaEvents", { page, per_page: 4 })));
		expect(pages.map(({ data }) => data.length)).toEqual([4, 2, 0]);
		expect(pages[0]?.meta).toEqual({ total: 6, page: 1, per_page: 4, pages: 2 });
		expect(pages[0]?.data[0]?.effective_date).toBe("2025-12-31");
		expect(pages[1]?.data.at(-1)?.effective_date).toBe("2024-12-31");
	});

	it("summarise by kind and confidence, and count each acquirer's plants once, without low confidence and unknown parties", async () => {
		expect(await deals.ask("summariseMaEvents")).toEqual({
			total: 6,
			by_type: { ownership_change: 6 },
			by_confidence: { high: 3, medium: 2, low: 1 },
			top_acquirers: [{ developer: "Beta Renewables", acquisitions: 2 }],
		});
	});
});

it("without an event the replies are empty", async () => {
	expect(await deals.ask("listMaEvents")).toEqual({ data: [], meta: { total: 0, page: 1, per_page: 50, pages: 0 } });
	expect(await deals.ask("summariseMaEvents")).toEqual({ total: 0, by_type: {}, by_confidence: {}, top_acquirers: [] });
	expect((await deals.ask("listMaReviews")).data).toEqual([]);
});
