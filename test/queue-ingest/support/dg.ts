/** Small files of distributed generation in the layouts in which they are published, from rows that say only what a test is about. */
import type { Cell } from "#libs/files/values.ts";
import type { IncomingFile } from "../../../services/queue-ingest/sources/archive.ts";
import { csv, workbook } from "../../support/file-formats.ts";

export interface Utility {
	state: string;
	id: number;
	name?: string;
	ba?: string;
	basis?: "AC" | "DC" | null;
	/** Residential and commercial photovoltaic capacity (MW) and customers; what is absent is not reported. */
	homes?: [mw: number, customers?: number];
	shops?: [mw: number, customers?: number];
	/** Residential storage beside the panels (MW), virtual capacity of shops (MW), residential wind (MW). */
	storage?: number;
	virtual?: number;
	wind?: number;
	/** Total of residential and commercial capacity, where the file states another than their sum. */
	total?: number;
}

const sectorNames = ["Residential", "Commercial", "Industrial", "Transportation", "Total"];
const block = (label: string, measures: string[]): [string, string][] =>
	measures.map((measure, at) => [at === 0 ? label : "", measure]);
const groups = [
	...block("Photovoltaic", [
		...["Capacity MW", "Customers", "Storage Capacity (MW)", "Storage Customers", "Virtual Capacity (MW)"],
		...["Virtual Customers", "Energy Sold Back MWh"],
	]),
	...block("Wind", ["Capacity MW", "Customers", "Energy Sold Back MWh"]),
	...block("All Technologies", ["Capacity MW"]),
];

/** Residential, commercial, industrial, transportation and their total. A point stands for nothing reported. */
function five(homes: number | undefined, shops: number | undefined, total?: number): Cell[] {
	const sum = total ?? (homes ?? 0) + (shops ?? 0);
	return [homes ?? ".", shops ?? ".", ".", ".", sum];
}

/** `Net_Metering_<year>.xlsx`; `extra` columns before the blocks move them to the right, as new layouts do. */
export async function netMeteringFile(
	year: number,
	utilities: Utility[],
	options: { thirdParties?: Utility[]; extra?: string[] } = {},
): Promise<IncomingFile> {
	const { thirdParties = [], extra = [] } = options;
	const lead = ["Year", "State", "Utility Number", "Utility Name", "BA Code", ...extra, "Type"];
	const blank = (width: number): Cell[] => Array.from({ length: width }, () => null);
	const over = (labels: string[]) => labels.flatMap((label) => [label || null, ...blank(4)]);
	const header: Cell[][] = [
		["Utility Characteristics", ...blank(lead.length - 2), ...blank(1), ...over(groups.map(([group]) => group))],
		[...blank(lead.length), ...over(groups.map(([, measure]) => measure))],
		[...lead, ...groups.flatMap(() => sectorNames)],
	];
	const row = (utility: Utility): Cell[] => {
		const { homes, shops, storage, virtual, wind } = utility;
		return [
			...[year, utility.state, utility.id, utility.name ?? `Utility ${utility.id}`, utility.ba ?? "BA"],
			...extra.map(() => "x"),
			utility.basis === undefined ? "AC" : utility.basis,
			...five(homes?.[0], shops?.[0], utility.total),
			...five(homes?.[1], shops?.[1]),
			...five(storage, undefined),
			...five(storage === undefined ? undefined : 1, undefined),
			...five(undefined, virtual),
			...five(undefined, undefined),
			...five(undefined, undefined),
			...five(wind, undefined),
			...five(undefined, undefined),
			...five(undefined, undefined),
			...five((homes?.[0] ?? 0) + (wind ?? 0), (shops?.[0] ?? 0) + (virtual ?? 0)),
		];
	};
	const note: Cell[] = ["Note: Data is reported as collected.", ...blank(header[2]?.length ?? 0)];
	const sheet = (name: string, rows: Utility[]) => ({ name, rows: [...header, ...rows.map(row), note] });
	return {
		name: `Net_Metering_${year}.xlsx`,
		path: `dg/Net_Metering_${year}.xlsx`,
		bytes: await workbook([sheet("States", utilities), sheet("TPO", thirdParties)]),
	};
}

interface Installation {
	id: number;
	name?: string;
	kw?: number;
	storedKwh?: number;
	technology?: string;
	developer?: string;
	zip?: string;
	/** `YYYY-MM-DD`. */
	reportsSince?: string | null;
}

export async function nyserdaFile(installations: Installation[]): Promise<IncomingFile> {
	const facilities: Cell[][] = [
		["Facility ID", "Facility Name", "City", "ZIP", "NYISO Zone"],
		...installations.map(({ id, zip = "11101" }) => [id, `Facility ${id}`, "Anytown", zip, "J - New York City"]),
	];
	const projects: Cell[][] = [
		[
			...[
				"Project ID",
				"Facility ID",
				"Project Name",
				"Commercial Operation Date",
				"Facility NYISO Zone",
				"Technology",
			],
			...["Project Rated Electric Generation (kW)", "Project Rated Electric Storage Capacity (kWh)", "Developer"],
			"Reporting Start Date",
		],
		...installations.map((one) => [
			...[one.id, one.id, one.name ?? `Roof ${one.id}`, null, "J - New York City", one.technology ?? "Solar PV"],
			...[one.kw ?? 261.184, one.storedKwh ?? 0, one.developer ?? "Sunny Roofs LLC"],
			one.reportsSince === null ? null : new Date(`${one.reportsSince ?? "2019-05-01"}T00:00:00Z`),
		]),
	];
	return {
		name: "NYSERDA_DER_Portfolio_org.xlsx",
		path: "dg/2025-03-11/NYSERDA_DER_Portfolio_org.xlsx",
		bytes: await workbook([
			{ name: "Facilities", rows: facilities },
			{ name: "Projects", rows: projects },
		]),
	};
}

export interface Area {
	geoid?: string;
	name?: string;
	type?: string;
	year?: number | string;
	fuel?: string;
	facilities: number | string;
	kw: number | string;
}

function zeros(areas: Area[]): Area[] {
	const years = new Set(areas.map(({ year = 2024 }) => year));
	const ofArea = Map.groupBy(areas, ({ geoid = county.geoid }) => geoid);
	return [...ofArea.values()].flatMap((rows) =>
		[...years]
			.filter((year) => rows.every((row) => (row.year ?? 2024) !== year))
			.map((year) => ({ ...rows[0], year, facilities: 0, kw: 0 })),
	);
}

export const county = { geoid: "0500000US39041", name: "Delaware County", type: "COUNTY" };
export const place = { geoid: "1600000US3908532", name: "Brice", type: "PLACE" };

/** A row for every area and year, as published: zeros where `areas` say nothing. With `asPublished` off, these rows alone. */
export function ohioFile(areas: Area[], name = "renewenergy-der-long.csv", asPublished = true): IncomingFile {
	const rows: Cell[][] = (asPublished ? [...areas, ...zeros(areas)] : areas).map((area) => [
		...[area.geoid ?? county.geoid, area.name ?? county.name, area.type ?? county.type, area.year ?? 2024],
		...[area.fuel ?? "Solar", area.facilities, area.kw],
	]);
	const header = ["GEOIDFQ", "NAME", "GEOTYPE", "YEAR", "FUEL_TYPE", "FACILITIES", "CAPACITY"];
	return { name, path: `dg/${name}`, bytes: csv([header, ...rows]) };
}
