/** NYSERDA: the installations of its distributed energy program (Projects) with their locations (Facilities). Each list is complete. */
import { isZip } from "#libs/files/archive.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, dataRows, type Extra, sheetNamed } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { FiledRequest, ParsedFile, Source } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";

export const nyserda: Source = {
	feed: "nyserda-der",
	region: "NYISO",
	programme: true,
	title: "NYSERDA distributed energy resources (xlsx)",
	layout: { formats: "xlsx", verified: "2025" },
	cadenceHours: 2160,
	maxAgeHours: 4400,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	savedByHand: true,
	recognises: (file) => /^nyserda[\W_]?der[\w -]*\.xlsx$/i.test(file.name) && isZip(file.bytes),
	parse: async (file) => parseNyserda(await readWorkbook(file.bytes)),
	key: (number) => number.trim().toUpperCase(),
};

/** NYSERDA's own terms; a combined heat and power plant burns gas unless its row states otherwise. */
const tokens: Record<string, string> = {
	chp: "Gas",
	"combined heat and power": "Gas",
	"combined heat & power": "Gas",
	"energy storage": "Storage",
	"electric energy storage": "Storage",
	adg: "Biomass",
	"anaerobic digester gas": "Biomass",
};

/** Columns whose values are kept in `raw` under these headers, and shown by `/dg`. */
const extras: readonly Extra[] = [
	{ header: "Project Rated Electric Generation (kW)", kind: "number" },
	{ header: "Project Rated Electric Discharge Capacity (kW)", kind: "number" },
	{ header: "Project Rated Electric Storage Capacity (kWh)", kind: "number" },
	{ header: "Reporting Start Date", kind: "date" },
	{ header: "Reporting End Date", kind: "date" },
	{ header: "Facility NYISO Zone", kind: "text" },
];

function parseNyserda(sheets: Table[]): ParsedFile {
	const facilities = readFacilities(sheetNamed(sheets, "facilities"));
	const table = new HeadedTable(sheetNamed(sheets, "projects"), [
		["Project ID"],
		["Project Name"],
		["Technology"],
		["Project Rated Electric Generation (kW)"],
	]);
	const collector = new Collector();
	const row = createRowReader(table, facilities, collector);
	for (const cells of dataRows(table)) {
		const request = row(cells);
		if (request === null) collector.drop("no project id", text(cells.find((cell) => text(cell) !== null)), "malformed");
		else collector.keep(request);
	}
	// The list has many other columns, which are kept only in `raw`.
	return { ...collector.parsed({ publishedOn: null }), unknownColumns: [] };
}

interface Facility {
	city: string | null;
	zip: string | null;
}

function readFacilities(sheet: Table): Map<string, Facility> {
	const table = new HeadedTable(sheet, [["Facility ID"], ["City"], ["ZIP"]]);
	const at = { id: table.column("Facility ID"), city: table.column("City"), zip: table.column("ZIP") };
	const entries = dataRows(table).map(
		(cells) => [text(cells[at.id]) ?? "", { city: known(cells[at.city]), zip: known(cells[at.zip]) }] as const,
	);
	return new Map(entries);
}

function createRowReader(
	table: HeadedTable,
	facilities: Map<string, Facility>,
	collector: Collector,
): (cells: Cell[]) => FiledRequest | null {
	const at = {
		id: table.column("Project ID"),
		facility: table.column("Facility ID"),
		name: table.column("Project Name"),
		technology: table.column("Technology"),
		developer: table.column("Developer"),
		operation: table.column("Commercial Operation Date"),
	};
	const zone = table.column("Facility NYISO Zone");
	const generation = table.column("Project Rated Electric Generation (kW)");
	const discharge = table.column("Project Rated Electric Discharge Capacity (kW)");
	const storage = table.column("Project Rated Electric Storage Capacity (kWh)");
	const reports = table.column("Reporting Start Date");
	const facilityOf = (facility: Cell) => facilities.get(text(facility) ?? "");
	const fields: TableFields = {
		queue_id: filed.from("nyserda.number", [at.id], (cell) => {
			const id = text(cell);
			return id === null || !/^[\w-]{1,20}$/.test(id) ? null : `NYSERDA-${id}`;
		}),
		kind: filed.unstated(() => "distribution"),
		name: filed.text(at.name),
		developer: filed.text(at.developer),
		state: filed.from("nyserda.state", [], () => "NY"),
		county: filed.from("nyserda.county", [zone, at.facility], (zone, facility) =>
			countyOf(known(zone), facilityOf(facility)?.zip ?? null),
		),
		type: filed.text(at.technology),
		type_std: filed.from("nyserda.technology", [at.technology, storage], (technology, stored) => {
			const { typeStd, unknown } = standardTechnology(known(technology), tokens);
			for (const word of unknown) collector.unknown("Technology", word);
			return withStorage(typeStd, number(stored) ?? 0);
		}),
		// An installation is built if it has a day of operation or has begun to report its production.
		status_std: filed.from("nyserda.status", [at.operation, reports], (operation, reported) =>
			date(operation) !== null || known(reported) !== null ? "Operational" : "Active",
		),
		status_basis: filed.unstated((_, row) =>
			date(row[at.operation]) !== null ? "date" : known(row[reports]) !== null ? "milestone" : null,
		),
		capacity_mw: filed.from("nyserda.capacity", [generation, discharge], capacityOf),
		cod: filed.day(at.operation),
		actual_cod: filed.day(at.operation),
	};
	const read = collector.rowsOf(table, fields, { extras });
	return (cells) => {
		const number = fields.queue_id.read(cells);
		if (number === null) return null;
		const request = read(cells);
		const place = facilityOf(cells[at.facility]);
		if (place?.city) request.raw.City = place.city;
		if (place?.zip) request.raw.ZIP = place.zip;
		// The list states no status.
		const evidence = { stage: "early", basis: "active-only", contradictory: false } as const;
		return { ...request, number, evidence };
	};
}

/** Generating capacity or, if there is only storage, discharge capacity. Converts kW to MW, rounded to the watt. */
function capacityOf(...columns: Cell[]): number | null {
	const [generation = 0, discharge = 0] = columns.map((cell) => number(cell) ?? 0);
	const kilowatts = generation > 0 ? generation : discharge;
	return kilowatts > 0 ? Math.round(kilowatts * 1000) / 1_000_000 : null;
}

const withStorage = (typeStd: string, storedKwh: number): string =>
	storedKwh > 0 && ["Solar", "Wind", "Gas"].includes(typeStd) ? `${typeStd} + Storage` : typeStd;

/** The boroughs of New York City (zone J) by the first digits of their ZIP codes; elsewhere a ZIP code may lie in several counties. */
const boroughs = new Map(
	Object.entries({
		100: "New York",
		101: "New York",
		102: "New York",
		103: "Richmond",
		104: "Bronx",
		110: "Queens",
		111: "Queens",
		112: "Kings",
		113: "Queens",
		114: "Queens",
		116: "Queens",
	}),
);

function countyOf(zone: string | null, zip: string | null): string | null {
	return zone?.startsWith("J") && zip !== null ? (boroughs.get(zip.slice(0, 3)) ?? null) : null;
}
