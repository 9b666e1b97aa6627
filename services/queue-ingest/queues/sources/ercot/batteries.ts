/**
 * ERCOT: the monthly report of batteries that share a site with other plants. Each part of such a plant is a separate request in the Generator
 * Interconnection Status report, or already operates; this report shows which parts belong together. Pure, except for `download`.
 */
import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, known, megawatts, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { Component, ParsedFile, Source } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";
import { evidenceOf, machines, technologyOf } from "./details.ts";
import { documentMaxBytes, documentPage, downloadNewestDocument, readAsOf } from "./documents.ts";

/** "Co-located_Battery_Report_February2026", "Co-located_Battery_Identification_Report_September_2026". */
const reportName = /^Co-?located_Battery(_Identification)?_Report/i;

export const ercotBatteries: Source = {
	feed: "ercot-batteries",
	region: "ERCOT",
	completes: "ercot",
	title: "ERCOT co-located battery report (xlsx)",
	publication: { title: "Co-located battery report", url: documentPage, cadence: "monthly" },
	layout: { formats: "xlsx", verified: "2026-02" },
	cadenceHours: 720,
	maxAgeHours: 1080,
	maxBytes: documentMaxBytes,
	coverage: "active-only",
	download: (http) => downloadNewestDocument(http, reportName),
	recognises: (file) => reportName.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => sheets.some(isPlantSheet),
	words: { technology: machines, fuel: "technology" },
	parse: async (file, mapped) => parseBatteries(await readWorkbook(file.bytes), mapped),
	key: (number) => number.trim().toUpperCase(),
};

const isPlantSheet = (sheet: Table): boolean => /^co-?located with /.test(headerKey(sheet.name));

/** Reads the requests of plants with several parts, each with all parts of its plant. Throws `StructureError` if the sheets are missing. */
export function parseBatteries(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const collector = new Collector(mapped);
	const plantSheets = sheets.filter(isPlantSheet);
	if (plantSheets.length === 0)
		throw new StructureError('the workbook has no sheet whose name begins with "Co-located with"');
	for (const sheet of plantSheets) readPlants(sheet, collector);
	for (const sheet of sheets.filter(({ name }) => headerKey(name) === "stand-alone")) {
		for (const row of tableOf(sheet).rows.filter((row) => text(row[0]) !== null)) {
			collector.drop("a stand-alone battery", text(row[0]));
		}
	}
	return collector.parsed({ publishedOn: readAsOf(sheets, /^co-?located operational$/) });
}

interface Facts {
	typeStd: string;
	components: Component[];
}

const required = [["INR"], ["Project Name"], ["POI Location"], ["County"], ["Fuel"], ["Technology"], ["Capacity (MW)"]];
const tableOf = (sheet: Table): HeadedTable => new HeadedTable(sheet, required);

function readPlants(sheet: Table, collector: Collector): void {
	const table = tableOf(sheet);
	const at = columnsOf(table);
	const fields = fieldsOf(table, at);
	const read = collector.rowsOf(table, fields);
	const rows = table.rows.filter((row) => text(row[at.name]) !== null && text(row[at.technology]) !== null);
	for (const plant of plantsIn(rows.map((row) => readPart(row, at, collector)))) {
		const components = plant.map(({ typeStd, capacityMw }) => ({ typeStd, capacityMw }));
		for (const { row, typeStd } of plant) {
			const number = fields.queue_id.read(row);
			if (number === null) collector.drop("an operating part, without a request number", text(row[at.name]));
			else if (new Set(components.map(({ typeStd }) => typeStd)).size < 2)
				collector.drop("no other part of its plant found", number);
			else
				collector.keep({
					...read(row, { typeStd, components }),
					number,
					evidence: evidenceOf(false, null, null),
				});
		}
	}
}

function columnsOf(table: HeadedTable) {
	for (const header of [
		"Project Status",
		"CDR Reporting Zone",
		"Approved for Energization",
		"Approved for Synchronization",
		"Comment",
	])
		table.ignore(header);
	return {
		inr: table.column("INR"),
		name: table.column("Project Name"),
		poi: table.column("POI Location"),
		county: table.column("County"),
		fuel: table.column("Fuel"),
		technology: table.column("Technology"),
		capacity: table.column("Capacity (MW)"),
	};
}

type Columns = ReturnType<typeof columnsOf>;

const fieldsOf = (table: HeadedTable, at: Columns): TableFields<Facts> => ({
	queue_id: filed.by("number", filed.word(at.inr)),
	name: filed.text(at.name),
	developer: filed.text(table.column("Interconnecting Entity")),
	county: filed.text(at.county),
	state: filed.from("list.constant", [], () => "TX"),
	poi: filed.text(at.poi),
	type_std: filed.fact("ercot.technology", [at.technology, at.fuel], ({ typeStd }) => typeStd),
	components: filed.fact(
		"ercot.components",
		[at.name, at.poi, at.technology, at.capacity],
		({ components }) => components,
	),
	capacity_mw: filed.megawatts(at.capacity),
	cod: filed.day(table.column("Projected COD")),
	ia_date: filed.day(table.column("IA Signed")),
	status_std: filed.unstated(() => "Active"),
});

interface PlantRow extends Component {
	row: Cell[];
	/** County and name, without words for technology or phase: the same for all parts of a plant. */
	plant: string;
	/** Bus numbers at the point of interconnection, each followed by the first letters of the name. */
	buses: string[];
}

const genericWords =
	/\b(solar|pv|wind|wt|storage|bess|bss|bes|ess|batt?|battery|energy|power|cent(er|re)|project|park|farm|ranch|plant|facility|station|slf|dcc|re-?power(ing)?|uprate|phase|[ivx]+|\d+[a-z]?)\d*\b/g;

function readPart(row: Cell[], at: Columns, collector: Collector): PlantRow {
	const words = (text(row[at.name]) ?? "").toLowerCase();
	const plant = words
		.replaceAll(genericWords, " ")
		.replaceAll(/[^a-z]+/g, " ")
		.trim();
	const nameStart = words.replaceAll(/[^a-z]/g, "").slice(0, 4);
	const buses = (text(row[at.poi]) ?? "").match(/(?<!\d)\d{4,5}(?!\d)/g) ?? [];
	return {
		row,
		typeStd: technologyOf(known(row[at.fuel]), known(row[at.technology]), collector),
		capacityMw: megawatts(row[at.capacity]),
		plant: `${headerKey(row[at.county])} ${plant}`,
		buses: buses.map((bus) => `${bus} ${nameStart}`),
	};
}

/** Groups parts by county and name. A part without a group joins a plant at the same bus whose name has the same first four letters. */
function plantsIn(parts: readonly PlantRow[]): PlantRow[][] {
	const plants = [...Map.groupBy(parts, ({ plant }) => plant).values()];
	const [groups, singleParts] = [
		plants.filter(({ length }) => length > 1),
		plants.filter(({ length }) => length === 1).flat(),
	];
	for (const part of singleParts) {
		const matchingGroup = groups.find((plant) =>
			plant.some(({ buses }) => buses.some((bus) => part.buses.includes(bus))),
		);
		if (matchingGroup === undefined) groups.push([part]);
		else matchingGroup.push(part);
	}
	return groups;
}
