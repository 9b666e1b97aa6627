/** `/grid/plants` and `/grid/generators`: form EIA-860 in several schedules, each generator once. */
import { describe, expect, it } from "vitest";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { workbook } from "../support/file-formats.ts";
import { ownerFile, plantFile, solarFile, type Unit, utilityFile } from "./support/eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const now = () => new Date("2026-11-01T00:00:00Z");
const load = (queue: Queue, ...files: IncomingFile[]) => loadEia860(queue.sql, files, { resolve: async () => [], now });

interface OtherUnit extends Unit {
	technology?: string;
	primeMover?: string;
}

/** A second schedule that lists units of the first, with values of its own. */
async function otherFile(name: string, schedule: string, units: OtherUnit[], year = 2020): Promise<IncomingFile> {
	const header = [
		...["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "County", "Generator ID", "Status"],
		...["Technology", "Prime Mover", "Nameplate Capacity (MW)", "Operating Year"],
	];
	const rows = units.map((unit) => [
		...[501, "Larkspur Operating LLC", unit.plant, "Larkspur Ridge Solar", "CA", "Kern", unit.generator, "OP"],
		...[unit.technology ?? "Solar Photovoltaic", unit.primeMover ?? "PV", unit.mw ?? 50, unit.year ?? 2018],
	]);
	const called = `${name}_Y${year}.xlsx`;
	const bytes = await workbook([
		{ name: "Operable", rows: [[`${year} Form EIA-860 Data - Schedule ${schedule}`], header, ...rows] },
	]);
	return { name: called, path: called, bytes };
}

const units: Unit[] = [
	{ plant: 60001, generator: "PV 1", mw: 75.1, year: 2016 },
	{ plant: 60001, generator: "02", mw: 20.2, stage: "Proposed", year: 2022 },
	{ plant: 60001, generator: "OLD", mw: 5, stage: "Retired and Canceled", year: 1990 },
];
const combustionTurbine = { technology: "Natural Gas Fired Combustion Turbine", primeMover: "GT" };
const multifuel: OtherUnit[] = [
	{ plant: 60001, generator: "PV 1", mw: 75.1, year: 2016 },
	{ plant: 60001, generator: "GT 1", mw: 10.3, year: 2001, ...combustionTurbine },
];

const queue: Queue = sharedQueue(async () => {
	const owners = [{ plant: 60001, generator: "PV 1", name: "Alpha Yieldco", id: 702, share: 1 }];
	await load(
		queue,
		await plantFile({ year: 2019 }),
		await solarFile([{ plant: 60002, generator: "S9" }], { year: 2019 }),
	);
	await load(
		queue,
		...[await utilityFile(), await plantFile(), await solarFile(units), await ownerFile(owners)],
		await otherFile("3_5_Multifuel", "3, 'Multifuel Data'", multifuel),
	);
});

describe("/grid/plants", () => {
	it("sums each generator of the newest year once, by stage", async () => {
		const { data, meta } = await queue.ask("listPlants", { state: "CA" });
		expect(data).toMatchObject([
			{
				...{ plant_id: 60001, name: "Larkspur Ridge Solar", utility_name: "Larkspur Operating LLC", year: 2020 },
				...{ generators: 4, operable_mw: 85.4, proposed_mw: 20.2, retired_mw: 5, is_complete: false },
				technologies: ["Solar Photovoltaic", "Natural Gas Fired Combustion Turbine"],
				...{ owners: ["Alpha Yieldco"], balancing_authority: "CISO", linked_requests: 0, source: "eia860" },
			},
		]);
		expect(meta.total).toBe(1);
	});

	it("states no capacity without loaded generators, and names the missing schedules", async () => {
		const { data, coverage } = await queue.ask("listPlants", { plant_id: 60002 });
		expect(data).toMatchObject([{ year: 2020, generators: 0, operable_mw: null, proposed_mw: null, technologies: [] }]);
		expect(coverage).toEqual([
			{
				...{ year: 2020, shown: true, generators: "partial" },
				loaded: ["utility", "plant", "solar", "multifuel", "owner"],
				missing: ["generator", "wind", "storage"],
			},
			{
				...{ year: 2019, shown: false, generators: "partial" },
				loaded: ["plant", "solar"],
				missing: ["utility", "generator", "wind", "storage", "multifuel", "owner"],
			},
		]);
	});

	it.each([
		["year", { year: 2019 }, [60001, 60002]],
		["operator", { utility: "duke" }, [60002]],
		["owner", { owner: "yieldco" }, [60001]],
		["balancing authority", { balancing_authority: "ciso" }, [60001]],
		["technology", { technology: "gas fired" }, [60001]],
		["technology of another year", { technology: "gas fired", year: 2019 }, []],
		["capacity", { capacity_min: 85 }, [60001]],
		["a capacity that counting twice would reach", { capacity_min: 86 }, []],
		["name", { q: "heron" }, [60002]],
		["county", { county: "kern" }, [60001]],
	])("is filtered by %s", async (_, params, ids) => {
		const { data, meta } = await queue.ask("listPlants", params);
		expect(data.map(({ plant_id }) => plant_id)).toEqual(ids);
		expect(meta.total).toBe(ids.length);
	});

	it("is sorted by capacity, unknown ones last in either direction", async () => {
		for (const order of ["asc", "desc"] as const) {
			const { data } = await queue.ask("listPlants", { sort: "operable_mw", order });
			expect(data.map(({ plant_id }) => plant_id)).toEqual([60001, 60002]);
		}
	});
});

describe("/grid/generators", () => {
	it("lists a unit of two schedules once, with both schedules", async () => {
		const { data, meta } = await queue.ask("listGenerators", { plant_id: 60001 });
		expect(data.map((row) => [row.generator_id, row.stage, row.capacity_mw, row.schedules])).toEqual([
			["02", "proposed", 20.2, ["solar"]],
			["GT 1", "operable", 10.3, ["multifuel"]],
			["OLD", "retired", 5, ["solar"]],
			["PV 1", "operable", 75.1, ["solar", "multifuel"]],
		]);
		expect(meta.total).toBe(4);
		expect(data[0]).toMatchObject({ status: "P", status_text: "Planned, regulatory approvals not initiated" });
	});

	it("shows one year, by default the newest, and names it", async () => {
		const shown = async (params: ParamsInput<"listGenerators">) => {
			const { data, meta, coverage } = await queue.ask("listGenerators", params);
			expect(meta.total).toBe(data.length);
			const years = coverage.filter((entry) => entry.shown).map((entry) => entry.year);
			return [data.map((row) => [row.generator_id, row.year]), years];
		};
		const newest = [
			["GT 1", 2020],
			["PV 1", 2020],
		];
		expect(await shown({ stage: "operable" })).toEqual([newest, [2020]]);
		expect(await shown({ year: 2019 })).toEqual([[["S9", 2019]], [2019]]);
		expect(await shown({ year: 2018 })).toEqual([[], []]);
		expect(await shown({ technology: "hydrogen" })).toEqual([[], [2020]]);
	});

	it("shows the last year that lists the requested plant", async () => {
		const { data, coverage } = await queue.ask("listGenerators", { plant_id: 60002 });
		expect(data.map((row) => [row.generator_id, row.year])).toEqual([["S9", 2019]]);
		expect(coverage.map(({ year, shown }) => [year, shown])).toEqual([
			[2020, false],
			[2019, true],
		]);
	});

	it.each([
		["years of operation", { operating_year_from: 2001, operating_year_to: 2016 }, ["GT 1", "PV 1"]],
		["capacity", { capacity_min: 10, capacity_max: 30 }, ["02", "GT 1"]],
		["status", { status: "re" }, ["OLD"]],
		["technology", { technology: "solar", stage: "operable" as const, year: 2020 }, ["PV 1"]],
	])("is filtered by %s", async (_, params, ids) => {
		const { data } = await queue.ask("listGenerators", params);
		expect(data.map(({ generator_id }) => generator_id)).toEqual(ids);
	});

	it("refuses a range whose bounds are reversed", () => {
		const { error } = operations.listGenerators.params.safeParse({ capacity_min: "9", capacity_max: "8" });
		expect(error?.issues).toMatchObject([{ path: ["capacity_min"], message: "is above capacity_max" }]);
	});
});

it("a full list of generators takes precedence, and nothing is missing", async () => {
	await using other = await openQueue();
	const full = await otherFile("3_1_Generator", "3, 'Generator Data'", [{ plant: 60001, generator: "PV 1", mw: 80 }]);
	await load(other, await plantFile(), await solarFile(units), full);
	const { data, coverage } = await other.ask("listPlants", { plant_id: 60001 });
	expect(data).toMatchObject([{ operable_mw: 80, is_complete: true }]);
	expect(coverage).toMatchObject([{ generators: "all", missing: ["utility", "owner"] }]);
	const unit = await other.ask("listGenerators", { stage: "operable" });
	expect(unit.data).toMatchObject([{ capacity_mw: 80, schedules: ["generator", "solar"] }]);
});

describe("a technology is requested", () => {
	/** Generators of every kind that words are about, in one plant: EIA's word, its code of the prime mover, the standard word. */
	// biome-ignore format: a table, one kind a line.
	const kinds = [
		["battery", "Batteries", "BA", "Storage"],
		["flywheel", "Flywheels", "FW", "Other Storage"],
		["caes", "Natural Gas with Compressed Air Storage", "CE", "Other Storage"],
		["pv", "Solar Photovoltaic", "PV", "Solar"],
		["csp", "Solar Thermal without Energy Storage", "ST", "Solar"],
		["salt", "Solar Thermal with Energy Storage", "CP", "Solar + Storage"],
		["land", "Onshore Wind Turbine", "WT", "Wind"],
		["sea", "Offshore Wind Turbine", "WS", "Offshore Wind"],
		["cell", "Other Natural Gas", "FC", "Fuel Cell"],
		["ccgt", "Natural Gas Fired Combined Cycle", "CT", "Gas"],
		["pumped", "Hydroelectric Pumped Storage", "PS", "Pumped Storage"],
		["dam", "Conventional Hydroelectric", "HY", "Hydro"],
		["lfg", "Landfill Gas", "IC", "Biomass"],
		["msw", "Municipal Solid Waste", "ST", "Waste"],
		["coke", "Petroleum Coke", "ST", "Oil"],
		["igcc", "Coal Integrated Gasification Combined Cycle", "CA", "Coal"],
		["hot", "Geothermal", "BT", "Geothermal"],
		["fission", "Nuclear", "ST", "Nuclear"],
		["odd", "All Other", "OT", "Other"],
	] as const;

	const all: Queue = sharedQueue(async () => {
		const listed = kinds.map(([generator, technology, primeMover]) => ({
			...{ plant: 60001, generator, technology, primeMover },
		}));
		await load(all, await plantFile(), await otherFile("3_1_Generator", "3, 'Generator Data'", listed));
	});

	it("rows state it by its standard name too", async () => {
		const { data } = await all.ask("listGenerators");
		expect(data.map((row) => [row.generator_id, row.technology, row.prime_mover, row.type_std]).sort()).toEqual(
			kinds.map((kind) => [...kind]).sort(),
		);
	});

	it.each([
		["storage", ["battery", "caes", "flywheel"]],
		["battery", ["battery", "caes", "flywheel"]],
		["Energy Storage", ["battery", "caes", "flywheel"]],
		["Batteries", ["battery"]],
		["Other Storage", ["caes", "flywheel"]],
		["compressed air", ["caes"]],
		["Solar + Storage", ["salt"]],
		["solar", ["csp", "pv", "salt"]],
		["PV", ["csp", "pv", "salt"]],
		["solar photovoltaic", ["pv"]],
		["solar thermal", ["csp", "salt"]],
		["Solar Thermal with Energy Storage", ["salt"]],
		["without energy", ["csp"]],
		["Wind", ["land", "sea"]],
		["onshore wind", ["land"]],
		["Fuel Cell", ["cell"]],
		["Gas", ["ccgt"]],
		["natural gas", ["caes", "ccgt", "cell"]],
		["combined cycle", ["ccgt", "igcc"]],
		["landfill gas", ["lfg"]],
		["biomass", ["lfg"]],
		["Pumped Storage", ["pumped"]],
		["hydro", ["dam"]],
		["ct", ["ccgt"]],
		["Coal", ["igcc"]],
		["%", []],
		["Hydrogen", []],
	])("as %s", async (technology, units) => {
		const { data, meta } = await all.ask("listGenerators", { technology });
		expect(data.map(({ generator_id }) => generator_id).sort()).toEqual(units);
		expect(meta.total).toBe(units.length);
		const plants = await all.ask("listPlants", { technology });
		expect(plants.data.map(({ plant_id }) => plant_id)).toEqual(units.length > 0 ? [60001] : []);
	});

	it("or by the code of the prime mover if the form states none", async () => {
		await using bare = await openQueue();
		const unstated = [
			{ plant: 60001, generator: "B", technology: "", primeMover: "BA" },
			{ plant: 60001, generator: "X", technology: "", primeMover: "" },
		];
		await load(bare, await plantFile(), await otherFile("3_1_Generator", "3, 'Generator Data'", unstated));
		const { data } = await bare.ask("listGenerators");
		expect(data.map((row) => [row.generator_id, row.technology, row.type_std])).toEqual([
			["B", null, "Storage"],
			["X", null, "Unknown"],
		]);
		expect((await bare.ask("listGenerators", { technology: "storage" })).meta.total).toBe(1);
	});
});

describe("plants and generators of several years", () => {
	const years: Queue = sharedQueue(async () => {
		await load(
			years,
			await plantFile({ year: 2019 }),
			await otherFile(
				"3_2_Wind",
				"3, 'Wind'",
				[{ plant: 60002, generator: "W", technology: "Onshore Wind Turbine", primeMover: "WT" }],
				2019,
			),
		);
		await load(years, await plantFile(), await solarFile(units));
		await years.sql`delete from plants where year = 2020 and plant_id = 60002`;
	});

	it.each([
		["the newest year, in which one is gone", {}, [[60001, 2020]]],
		["the last year that lists the plant that is asked for", { plant_id: 60002 }, [[60002, 2019]]],
		["the newest year that lists the technology that is asked for", { technology: "wind" }, [[60002, 2019]]],
		[
			"the year that is asked for",
			{ year: 2019 },
			[
				[60001, 2019],
				[60002, 2019],
			],
		],
	])("plants are shown for %s", async (_, params, rows) => {
		const { data, meta, coverage } = await years.ask("listPlants", params);
		expect(data.map(({ plant_id, year }) => [plant_id, year])).toEqual(rows);
		expect(meta.total).toBe(rows.length);
		expect(coverage.filter(({ shown }) => shown).map(({ year }) => year)).toEqual([rows[0]?.[1]]);
	});

	it("generators are shown for the newest year that lists the requested technology", async () => {
		const { data } = await years.ask("listGenerators", { technology: "wind" });
		expect(data.map((row) => [row.generator_id, row.year])).toEqual([["W", 2019]]);
	});

	it("a generator that left a stage is not found in it through an earlier year", async () => {
		await using left = await openQueue();
		await load(
			left,
			await plantFile({ year: 2019 }),
			await solarFile([{ plant: 60001, generator: "A" }], { year: 2019 }),
		);
		const retired = [{ plant: 60001, generator: "A", stage: "Retired and Canceled" as const }];
		await load(left, await plantFile(), await solarFile(retired));
		const { data } = await left.ask("listGenerators", { plant_id: 60001, technology: "solar", stage: "operable" });
		expect(data).toEqual([]);
	});
});
