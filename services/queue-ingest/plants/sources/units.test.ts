import { expect, it } from "vitest";
import type { Cell } from "#libs/files/values.ts";
import { describeRealFiles } from "../../../../test/support/real-files.ts";
import { familiesOf } from "../plant-families.ts";
import { eia860mCancelled, eia860mPlanned, readPlanned } from "./eia860m-planned.ts";
import { epmNew, epmPlanned, readEpm } from "./electric-power-monthly.ts";

const header = [
	...["Year", "Month", "Entity ID", "Entity Name", "Plant Producer Type", "Plant Name", "Plant State", "Plant ID"],
	...["Generator ID", "Net Summer Capacity (MW)", "Technology", "Energy Source Code", "Prime Mover Code"],
	...["Status", "Nameplate Capacity (MW)"],
];
const title = "Table 6.5. Planned U.S. Electric Generating Unit Additions";
const notes = "NOTES:\r\nCapacity from facilities below 1 MW is excluded.";
const unit = (generator: Cell, year: Cell = 2025, month: Cell = 3): Cell[] => [
	...[year, month, 700, "Larkspur Renewables", "IPP", "Larkspur Ridge Solar", "CO", 60001, generator, 98.2],
	...["Solar Photovoltaic", "SUN", "PV", "(V) Under construction, more than 50 percent complete", 100],
];
const sheet = (rows: Cell[][], first = title) => ({ name: "Table_6_05", rows: [[first], header, ...rows] });

it("a planned unit of the Electric Power Monthly names its entity, plant, size and stage", () => {
	const read = readEpm(sheet([unit("001"), unit("B", 2026, 7), unit("B"), [notes]]), "6.5");
	expect(read).toMatchObject({ edition: "2025-02", publishedOn: "2025-02-28", rowsIn: 3, unknownColumns: [] });
	expect(read.dropped).toEqual([{ reason: "a second row of the same unit", count: 1, examples: ["60001 B"] }]);
	expect(read.rows[0]).toEqual({
		...{ plant_id: 60001, generator_id: "001", entity_id: 700, entity_name: "Larkspur Renewables" },
		...{ producer_type: "IPP", plant_name: "Larkspur Ridge Solar", state: "CO", technology: "Solar Photovoltaic" },
		...{
			prime_mover: "PV",
			summer_mw: 98.2,
			capacity_mw: 100,
			status: "V",
			year: 2025,
			month: 3,
			lat: null,
			lon: null,
		},
	});
});

it("a unit without a month is kept and ignored for the edition", () => {
	const read = readEpm(sheet([unit("1"), unit("2", 2025, null), [notes]]), "6.5");
	expect(read.rows.map(({ month }) => month)).toEqual([3, null]);
	expect(read.edition).toBe("2025-02");
});

it("the edition of new units is the span of their months", () => {
	const yearly = "Table 6.3. New Utility Scale Generating Units by Operating Company, Plant, and Month, 2025";
	const closing = "Table 6.3. New Utility Scale Generating Units by Operating Company, Plant, Month, and Year";
	const rows = [unit("1", 2025, 1), unit("2", 2025, 4), [notes]];
	expect(readEpm(sheet(rows, yearly), "6.3")).toMatchObject({ edition: "2025-01..2025-04", publishedOn: "2025-04-30" });
	expect(readEpm(sheet([unit("0", 2024, 12), ...rows], closing), "6.3").edition).toBe("2024-12..2025-04");
});

it.each<[string, Cell[][], string, "6.3" | "6.5", RegExp]>([
	["is titled like another table", [unit("1"), [notes]], title, "6.3", /not Table 6\.3/],
	["ends between two rows", [unit("1"), unit("2")], title, "6.5", /truncated/],
	["holds no unit", [[notes]], title, "6.5", /no unit with a month/],
	[
		"holds units of another year than its title",
		[unit("1", 2021), [notes]],
		"Table 6.3. New Units, 2025",
		"6.3",
		/but its units are of 2021-03/,
	],
])("a table of the Electric Power Monthly is refused if it %s", (_, rows, first, table, reason) => {
	expect(() => readEpm(sheet(rows, first), table)).toThrow(reason);
});

it("an error page and a truncated workbook are not recognised as the Electric Power Monthly", async () => {
	const page = Buffer.from("<html><body>Not found</body></html>");
	for (const bytes of [page, Buffer.alloc(0), Buffer.from("PK\u0003\u0004 and no more")])
		await expect(epmPlanned.parse({ name: "EPM_Table_6_05_2025-01.xlsx", bytes })).rejects.toThrow();
});

const listed = {
	id: "eia-60001-B-2",
	name: "Larkspur Ridge Solar",
	lon: -104.5,
	lat: 38.2,
	capacityMw: 40,
	fuel: "storage",
};
const planned = (body: unknown, name = "planned-2026-04.derived.json") => ({
	name,
	bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});

it("a planned unit of form 860M has coordinates, and its plant's number and generator in its id", () => {
	const file = planned([{ ...listed, status: "active", stateId: "08", iso: "SPP", queueYear: 2027 }]);
	expect(eia860mPlanned.recognises(file)).toBe(true);
	const read = readPlanned(file);
	expect(read).toMatchObject({ edition: "2026-04", publishedOn: "2026-04-01", rowsIn: 1, unknownColumns: [] });
	expect(read.rows[0]).toMatchObject({
		...{ plant_id: 60001, generator_id: "B-2", state: "CO", technology: "Batteries", capacity_mw: 40 },
		...{ lat: 38.2, lon: -104.5, year: 2027, status: null, entity_name: null },
	});
});

const csv = (header: string, row: string, name: string) => ({
	name,
	bytes: Buffer.from(`${header}\n${row}\n`),
});
const columns =
	"entity_id,entity_name,plant_id,plant_name,generator_id,state,balancing_authority,energy_source,nameplate_mw";

it("a table of form 860M names the entity of a planned or cancelled unit", () => {
	const coming = csv(
		`${columns},status_code,planned_month,lat,lon,latlon_from`,
		'65144,"Samsung C&T Renewables, LLC",65964,"Ursa Solar, LLC",URSA,WI,MISO,SUN,200.0,P,2027-06,43.5043,-89.1131,April',
		"eia860m_planned_2026-08_5MWplus.csv",
	);
	expect([eia860mPlanned.recognises(coming), eia860mCancelled.recognises(coming)]).toEqual([true, false]);
	expect(readPlanned(coming)).toMatchObject({
		...{ edition: "2026-08", rowsIn: 1, unknownColumns: [], unknownValues: [] },
		rows: [
			{
				...{ plant_id: 65964, generator_id: "URSA", entity_id: 65144, entity_name: "Samsung C&T Renewables, LLC" },
				...{ plant_name: "Ursa Solar, LLC", state: "WI", technology: "Solar Photovoltaic", capacity_mw: 200 },
				...{ status: "P", year: 2027, month: 6, lat: 43.5043, lon: -89.1131 },
			},
		],
	});
	const gone = csv(
		columns,
		'62842,"Lightsource Renewable Energy",66132,Trinity River Solar 1,TXTR2,TX,ERCO,MWH,75.0',
		"eia860m_canceled_or_postponed_2026-08.csv",
	);
	expect([eia860mPlanned.recognises(gone), eia860mCancelled.recognises(gone)]).toEqual([false, true]);
	expect(readPlanned(gone).rows).toMatchObject([{ generator_id: "TXTR2", technology: "Batteries", status: null }]);
});

it("another list of form 860M states the month and the EIA's status, but no turbine locations", () => {
	const own = { lat: 40.32, lon: -73.42, state: "NY", iso: "NYISO", type: "generation", queue_date: "" };
	const unit = { id: "EIA-68443-EMP01", name: "Empire Wind 1", fuel_type: "wind", capacity_mw: 810, ...own };
	const status = "(V) Under construction, more than 50 percent complete";
	const file = planned([{ ...unit, status, estimated_cod: "2027-09-01" }], "eia860m_planned_2026-02.derived.json");
	expect(eia860mPlanned.recognises(file)).toBe(true);
	const { rows, unknownColumns } = readPlanned(file);
	expect(unknownColumns).toEqual([]);
	expect(rows).toMatchObject([{ plant_id: 68443, technology: "Wind Turbine", status: "V", year: 2027, month: 9 }]);
	expect(familiesOf(rows[0]?.technology ?? null)).toEqual(["wind", "offshore wind"]);
});

it.each<[string, ReturnType<typeof planned>, RegExp]>([
	["is truncated", planned(JSON.stringify([listed]).slice(0, 60)), /truncated/],
	["is an error page", planned("<html></html>"), /is an HTML page/],
	["is empty", planned("[]"), /id/],
	["is another list", planned([{ id: "eia-1-1", name: "x" }]), /lon/],
	[
		"does not state its month in its name",
		planned([{ ...listed, stateId: "08" }], "planned.json"),
		/does not state the month/,
	],
])("a list of form 860M is refused if it %s", (_, file, reason) => {
	expect(() => readPlanned(file)).toThrow(reason);
});

describeRealFiles("eia_epm", (read) => {
	it("tables of the Electric Power Monthly are read completely", async () => {
		const newest = await epmPlanned.parse(read("EPM_Table_6_05_2025-01.xlsx"));
		expect(newest).toMatchObject({ edition: "2024-11", rowsIn: 2076, dropped: [], unknownColumns: [] });
		expect(newest.rows.every(({ entity_name, technology }) => entity_name !== null && technology !== null)).toBe(true);
		const closing = await epmNew.parse(read("EPM_Table_6_03_2021-02.xlsx"));
		expect(closing).toMatchObject({ edition: "2020-01..2020-12", rowsIn: 743, dropped: [] });
		await expect(epmNew.parse(read("EPM_Table_6_05_2025-01.xlsx"))).rejects.toThrow("not Table 6.3");
	});
});

describeRealFiles("eia860m", (read) => {
	it("tables of form 860M are read completely", () => {
		const { rows, dropped, unknownValues } = readPlanned(read("planned-2026-04.derived.json"));
		expect([rows.length, dropped, unknownValues]).toEqual([2065, [], []]);
		expect(rows.filter(({ state, lat }) => state === null || lat === null)).toEqual([]);
	});
});
