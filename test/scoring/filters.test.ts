/** The lists of scored requests have the filters of the list of all requests, with the same meaning. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations as contract, type ParamsInput } from "#libs/contract/index.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { developer, project } from "./support/deliver.ts";
import { developerEvent, type ProjectChanged, projectEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;

/** Every request may claim the investment tax credit and is in construction, so that it is in both lists. */
const request = (id: string, version: number, more: Partial<ProjectChanged["project"]>) =>
	project(
		projectEvent(id, version, {
			type_std: "Storage",
			construction_stage: "construction",
			ia_status: "IA Executed",
			developer_tier: "major_ipp",
			capacity_mw: 100,
			developer_id: 1,
			...more,
		}),
	);
const caddo = { state: "LA", county: "Caddo", counties: ["Caddo"], fips: "22017", lat: 32.5, lon: -93.9 };

beforeAll(async () => {
	service = await openScoring();
	await service.deliver(
		developer(developerEvent(1, 1, { tier: "major_ipp" })),
		request("MISO-1", 1, { region: "MISO", capacity_mw: 300, status: "Under Construction" }),
		request("MISO-2", 1, { region: "MISO", capacity_mw: 200, poi: "Elm 230 kV", ...caddo }),
		request("PJM-3", 1, { region: "PJM", type_std: "Solar + Storage", last_changed_at: "2026-11-05T00:00:00Z" }),
		request("SPP-4", 1, {
			region: "SPP",
			capacity_mw: 50,
			lat: null,
			lon: null,
			queue_date: "2020-01-02",
			cod: "2029-06-30",
		}),
		request("SPP-5", 1, {
			region: "SPP",
			capacity_mw: 40,
			status: "On Hold",
			developer: "Acme",
			ia_date: "2026-05-01",
		}),
	);
	await service.compute();
	await service.sql`update scores set eligible = true, investable = true, p_cod_36 = 0.9, cod_months = 12, incremental_mw = 50`;
	await service.sql`update credits set energy_community_eligible = null, low_income_eligible = project_id = 'MISO-1'`;
	await service.sql`update credits set energy_community_eligible = project_id = 'SPP-4' where project_id like 'SPP%'`;
});
afterAll(() => service[Symbol.asyncDispose]());

async function ids(name: "listInvestable" | "listItcDeals", params: object): Promise<string[]> {
	const handlers = operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" });
	const parsed = contract[name].params.parse(params);
	const { json } = await handlers[name](parsed as never, { signal: new AbortController().signal });
	const { data, meta } = contract[name].reply.parse(JSON.parse(json.toString()));
	expect(meta.total).toBe(data.length);
	return data.map(({ id }) => id).sort();
}

const all = ["MISO-1", "MISO-2", "PJM-3", "SPP-4", "SPP-5"];

test.each<[ParamsInput<"listInvestable"> & ParamsInput<"listItcDeals">, string[]]>([
	[{}, all],
	[{ region: "miso,PJM" }, ["MISO-1", "MISO-2", "PJM-3"]],
	[{ iso: "SPP" }, ["SPP-4", "SPP-5"]],
	[{ state: "la" }, ["MISO-2"]],
	[{ county: "caddo Parish" }, ["MISO-2"]],
	[{ fips: "48027", region: "MISO" }, ["MISO-1"]],
	[{ fuel_type: "storage" }, ["MISO-1", "MISO-2", "SPP-4", "SPP-5"]],
	[{ technology: "SOLAR" }, ["PJM-3"]],
	[{ technology: "storage" }, all],
	[{ id: "PJM-3,SPP-4,SPP-NONE" }, ["PJM-3", "SPP-4"]],
	[{ q: "elm 230" }, ["MISO-2"]],
	[{ poi: "BELL" }, ["MISO-1", "PJM-3", "SPP-4", "SPP-5"]],
	[{ developer: "acm" }, ["SPP-5"]],
	[{ developer_id: "1,2" }, all],
	[{ developer_id: 2 }, []],
	[{ developer_tier: "major_ipp" }, all],
	[{ capacity_min: 50, capacity_max: 200 }, ["MISO-2", "PJM-3", "SPP-4"]],
	[{ date_to: "2020-12-31" }, ["SPP-4"]],
	[{ cod_from: "2029-01-01" }, ["SPP-4"]],
	[{ cod_from: "2027-12-31", cod_to: "2027-12-31" }, ["MISO-1", "MISO-2", "PJM-3", "SPP-5"]],
	[{ ia_from: "2026-05-01", ia_to: "2026-05-01" }, ["SPP-5"]],
	[{ updated_since: "2026-11-02" }, ["PJM-3"]],
	[{ bbox: "-94,32,-93,33" }, ["MISO-2"]],
	[{ lat: 32, lon: -94, radius_km: 100 }, ["MISO-2"]],
	[{ construction_stage: "late" }, []],
	[{ ia_status: "ia executed", region: "PJM" }, ["PJM-3"]],
	[{ min_confidence: 0.9 }, []],
	[{ energy_community: true }, ["SPP-4"]],
	[{ energy_community: false }, ["SPP-5"]],
	[{ low_income: true }, ["MISO-1"]],
	[{ has_tax_credit: true }, all],
	[{ min_score: 0 }, all],
	[{ min_score: 100 }, []],
])("%j", async (params, expected) => {
	expect(await ids("listInvestable", params)).toEqual(expected);
	expect(await ids("listItcDeals", params)).toEqual(expected);
});

test("an answer by days says how far the lists reach", async () => {
	const handlers = operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" });
	for (const name of ["listInvestable", "listItcDeals"] as const) {
		const metaOf = async (params: object) => {
			const parsed = contract[name].params.parse(params);
			const { json } = await handlers[name](parsed as never, { signal: new AbortController().signal });
			return contract[name].reply.parse(JSON.parse(json.toString())).meta;
		};
		expect(await metaOf({ date_from: "2030-01-01" })).toMatchObject({
			total: 0,
			coverage: { MISO: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), CAISO: null },
		});
		expect(await metaOf({ state: "LA" })).not.toHaveProperty("coverage");
	}
});

test("the status of a request is a filter of one list, that of its credit of the other", async () => {
	expect(await ids("listInvestable", { status: "on hold" })).toEqual(["SPP-5"]);
	expect(await ids("listInvestable", { status: "under construction,on hold" })).toEqual(["MISO-1", "SPP-5"]);
	expect(await ids("listInvestable", { status: "active" })).toEqual(all);
	expect(await ids("listItcDeals", { status: "conditional" })).toEqual(["PJM-3"]);
	expect(await ids("listItcDeals", { investable: true })).toEqual(all);
});

test("a developer whose need for capital is unknown matches neither value", async () => {
	await service.sql`update developer_ratings set needs_capital = false`;
	expect(await ids("listInvestable", { needs_capital: "false" })).toEqual(all);
	await service.sql`update projects set developer_id = null where project_id = 'SPP-4'`;
	expect(await ids("listInvestable", { needs_capital: "false" })).not.toContain("SPP-4");
	expect(await ids("listInvestable", { needs_capital: "true" })).toEqual([]);
	await service.sql`update developer_ratings set needs_capital = null`;
	expect(await ids("listInvestable", { needs_capital: "false" })).toEqual([]);
});

test("filters that contradict each other are refused", () => {
	for (const name of ["listInvestable", "listItcDeals"] as const)
		for (const params of [
			{ iso: "PJM", region: "SPP" },
			{ lat: 1 },
			{ capacity_min: 2, capacity_max: 1 },
			{ cod_from: "2027-01-02", cod_to: "2027-01-01" },
		])
			expect(contract[name].params.safeParse(params).success).toBe(false);
	const refused = contract.exportScores.params.safeParse({ as_of: "2026-11-01", ia_from: "2026-01-01" });
	expect(refused.error?.issues.map(({ path }) => path)).toEqual([["ia_from"]]);
});

test("fields used only as filters are copied without computing a score", async () => {
	const marked = () =>
		service.rows(`select to_jsonb(project_id) as row from project_recompute_queue
			union all select to_jsonb(developer_id) from developer_recompute_queue`);
	const before = await service.dataVersion();
	const more = { region: "PJM", type_std: "Solar + Storage" } as const;
	const moved = { lat: 40, lon: -80, status: "Filed", ia_status_filed: "x", construction_stage_confidence: 0.95 };
	await service.deliver(request("PJM-3", 2, { ...more, ...moved, last_changed_at: "2026-11-09T00:00:00Z" }));
	expect(await marked()).toEqual([]);
	expect(await service.dataVersion()).toBeGreaterThan(before);
	for (const params of [{ bbox: "-81,39,-79,41" }, { updated_since: "2026-11-09" }, { min_confidence: 0.9 }])
		expect(await ids("listInvestable", params)).toEqual(["PJM-3"]);
	await service.deliver(request("PJM-3", 3, { ...more, ...moved, capacity_mw: 120 }));
	expect(await marked()).toContain("PJM-3");
});
