/**
 * Distributed generation, invented: form EIA-861 of five utilities (two years of what is net metered, one of what is not), and a few installations of
 * NYSERDA's programme. The years are fixed, like those of form EIA-860 beside it.
 */
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../../../test/support/file-formats.ts";
import { columns, day, grid, type Row, rowsOf } from "./list.ts";

type Made = { path: string; bytes: Buffer };

const years = [2024, 2025] as const;
type Year = (typeof years)[number];

// biome-ignore format: a table, one utility in a state a line; megawatts and customers by sector.
const netMetered = rowsOf({ Type: "AC", grows: 1.25 }, "Utility_Number Utility_Name State BA_Code homes home_customers shops shop_customers stored storing virtual wind Type", [
	[99951, "Larkspur Valley Power Co", "CA", "CISO", 128.4, 18_240, 61.25, 912, 14.5, 2_310, 6.75, 0.5],
	[99952, "Cinder Cone Electric Cooperative", "CA", "CISO", 9.125, 1_405, 3.5, 61, 0.75, 130, 0, 0.125, "DC"],
	[99953, "Bluebonnet Row Municipal Utilities", "TX", "ERCO", 17.75, 2_296, 8.125, 140, 2.25, 288, 0, 0.25],
	[99954, "Golden Furrow Rural Electric", "OH", "PJM", 4.5, 618, 2.875, 47, 0.25, 40, 0, 0.375],
	[99955, "Kaaterskill Light and Power", "NY", "NYIS", 36.5, 5_122, 22.25, 377, 3.125, 415, 11.5, 0.125],
]);

// biome-ignore format: a table, one utility in a state a line.
const otherwise = rowsOf({ Type: "AC", grows: 1.125 }, "Utility_Number Utility_Name State BA_Code generators backup owned solar storage wind engines turbines Type", [
	[99951, "Larkspur Valley Power Co", "CA", "CISO", 58, 12.5, 4, 26.5, 8.25, 0, 12.5, 6],
	[99953, "Bluebonnet Row Municipal Utilities", "TX", "ERCO", 21, 6.25, 0, 11.75, 2, 1.5, 6.25, 0],
	[99955, "Kaaterskill Light and Power", "NY", "NYIS", 14, 2, 1.25, 5.5, 0.5, 0, 2, 3.75, "DC"],
]);

const blank = (width: number): Cell[] => Array.from({ length: width }, () => null);
const toThousandth = (value: number): number => Math.round(value * 1000) / 1000;
const sumOf = (cells: Cell[]): number => toThousandth(cells.reduce<number>((sum, cell) => sum + Number(cell ?? 0), 0));
/** Cells of the sectors and their total. A point stands for nothing reported. */
const sectors = (cells: Cell[]): Cell[] => [...cells.map((cell) => cell || "."), sumOf(cells)];

/** Everything was less in the first year. Capacities are reported to the kilowatt. */
function inYear(year: Year, row: Row): (name: string) => number {
	const share = year === 2025 ? 1 : 1 / Number(row.grows);
	return (name) => {
		const value = Number(row[name] ?? 0) * share;
		return /customers|storing|generators/.test(name) ? Math.round(value) : toThousandth(value);
	};
}

/** A technology, what is measured of it, and the numbers of homes and shops. */
type Measured = [technology: string, measure: string, homes: Cell, shops: Cell];

function netMeteredBlocks(of: (name: string) => number): Measured[] {
	const [homes, shops] = [of("homes"), of("shops")];
	return [
		["Photovoltaic", "Capacity MW", homes, shops],
		["", "Customers", of("home customers"), of("shop customers")],
		["", "Storage Capacity (MW)", of("stored"), null],
		["", "Storage Customers", of("storing"), null],
		["", "Virtual Capacity (MW)", null, of("virtual")],
		["", "Virtual Customers", null, null],
		["", "Energy Sold Back MWh", Math.round(homes * 700), Math.round(shops * 300)],
		["Wind", "Capacity MW", null, of("wind")],
		["", "Customers", null, null],
		["", "Energy Sold Back MWh", null, null],
		["All Technologies", "Capacity MW", homes, sumOf([shops, of("virtual"), of("wind")])],
	];
}

function netMeteringSheet(year: Year): Table {
	const names = columns("Year, State, Utility Number, Utility Name, BA Code, Type");
	const sectorNames = columns("Residential, Commercial, Industrial, Transportation, Total");
	const measured = netMeteredBlocks(() => 0);
	const over = (labels: string[]): Cell[] => labels.flatMap((label) => [label || null, ...blank(4)]);
	const rows = netMetered.map((row) => [
		...names.map((name) => (name === "Year" ? year : (row[name] ?? null))),
		...netMeteredBlocks(inYear(year, row)).flatMap(([, , homes, shops]) => sectors([homes, shops, null, null])),
	]);
	const header: Cell[][] = [
		["Utility Characteristics", ...blank(names.length - 1), ...over(measured.map(([technology]) => technology))],
		[...blank(names.length), ...over(measured.map(([, measure]) => measure))],
		[...names, ...measured.flatMap(() => sectorNames)],
	];
	return { name: "States", rows: [...header, ...rows] };
}

function distributedSheet(year: Year): Table {
	const names = columns("Year, State, Utility Number, Utility Name, BA_CODE");
	const counts = columns("Number of Generators, Total Capacity, Capacity Back-up Only, Capacity Utility Owned, Type");
	const sectorNames = columns("Residential, Commercial, Industrial, Transportation, Direct Connected, Total");
	const technologies = columns("Photovoltaic, Storage, Wind, Internal Combustion, Combustion Turbine, Total");
	const rows = otherwise.map((row): Cell[] => {
		const of = inYear(year, row);
		const capacities = ["solar", "storage", "wind", "engines", "turbines"].map(of);
		const total = sumOf(capacities);
		return [
			...[year, row.State, row["Utility Number"], row["Utility Name"], row["BA Code"]],
			...[of("generators"), total, of("backup"), of("owned"), row.Type],
			...[...capacities, total].flatMap((capacity) => sectors([null, capacity, null, null, null])),
		];
	});
	const header: Cell[][] = [
		[
			...["Utility Characteristics", ...blank(4), "Number and Capacity (MW)", ...blank(3), technologies[0] ?? null],
			...[...blank(6), ...technologies.slice(1).flatMap((technology) => [technology, ...blank(5)])],
		],
		[...names, ...counts, ...technologies.flatMap(() => sectorNames)],
	];
	return { name: "States", rows: [...header, ...rows] };
}

// biome-ignore format: a table, one installation a line; one is not built yet.
const installations = rowsOf({}, "Facility_ID Project_Name City ZIP zone Technology kW discharge stored Developer reports operation", [
	[9901, "Lantern Lane Bakery Roof", "Long Island City", "11101", "J - New York City", "Solar PV", 182.4, 0, 0, "Copperleaf Rooftops, LLC", "2021-05-01", null],
	[9902, "Fish Pier Cold Storage", "Bronx", "10474", "J - New York City", "Solar PV", 410.25, 125, 500, "Copperleaf Rooftops, LLC", "2022-09-15", "2022-08-30"],
	[9903, "Juniper Avenue Houses", "Brooklyn", "11201", "J - New York City", "Combined Heat and Power", 250, 0, 0, "Tallow Street Energy Services, Inc.", "2019-02-01", null],
	[9904, "Mohawk Bend Dairy", "Amsterdam", "12010", "F - Capital", "Anaerobic Digester Gas", 375, 0, 0, "Tallow Street Energy Services, Inc.", "2018-11-10", null],
	[9905, "Peconic Ferry Terminal", "Riverhead", "11901", "K - Long Island", "Energy Storage", 0, 1_200, 4_800, "Nightjar Storage Partners LLC", null, null],
]);

async function programmeWorkbook(): Promise<Made> {
	const facilities = installations.map((row) => ({
		...row,
		"Facility Name": row["Project Name"],
		"NYISO Zone": row.zone,
	}));
	const projects = installations.map((row) => ({
		...row,
		...{ "Project ID": row["Facility ID"], "Facility Name": row["Project Name"], "Facility NYISO Zone": row.zone },
		"Commercial Operation Date": dated(row.operation),
		"Project Rated Electric Generation (kW)": row.kW,
		"Project Rated Electric Discharge Capacity (kW)": row.discharge,
		"Project Rated Electric Storage Capacity (kWh)": row.stored,
		"Reporting Start Date": dated(row.reports),
	}));
	const names = {
		facilities: columns("Facility ID, Facility Name, City, ZIP, NYISO Zone"),
		projects:
			columns(`Project ID, Facility ID, Facility Name, Project Name, Commercial Operation Date, Facility NYISO Zone,
			Technology, Project Rated Electric Generation (kW), Project Rated Electric Discharge Capacity (kW),
			Project Rated Electric Storage Capacity (kWh), Developer, Reporting Start Date, Reporting End Date`),
	};
	const bytes = await workbook([
		{ name: "Facilities", rows: grid(names.facilities, facilities) },
		{ name: "Projects", rows: grid(names.projects, projects) },
	]);
	return { path: "dg/NYSERDA_DER_Portfolio.xlsx", bytes };
}

const dated = (cell: Cell) => day(typeof cell === "string" ? cell : null);

export async function dgFiles(): Promise<Made[]> {
	const forms = [
		...years.map((year) => ({ path: `dg/Net_Metering_${year}.xlsx`, sheet: netMeteringSheet(year) })),
		{ path: "dg/Non_Net_Metering_Distributed_2025.xlsx", sheet: distributedSheet(2025) },
	];
	const made = forms.map(async ({ path, sheet }) => ({ path, bytes: await workbook([sheet]) }));
	return [...(await Promise.all(made)), await programmeWorkbook()];
}
