/**
 * Lists of active requests of utilities other than the seven operators. A third party derived the only available layout from the utilities'
 * lists. It has no developer, no status and no day of publication. Pure.
 */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, text } from "#libs/files/values.ts";
import { Collector, dataRows } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { ParsedFile, RawFile, Source } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";

const required = [["id"], ["capacity"], ["fuel"], ["county"], ["state"], ["iso_utility"]] as const;

interface UtilityQueue {
	feed: string;
	region: NonNullable<Source["region"]>;
	title: string;
	publisher: string;
	/** Values of `iso_utility` in its rows. */
	names: readonly string[];
}

export function utilityQueue({ feed, region, title, publisher, names }: UtilityQueue): Source {
	return {
		feed,
		region,
		utility: "utility",
		title,
		layout: { formats: "CSV", verified: "2025-02" },
		publication: {
			title: `${publisher}: active requests, derived by gi-queue-map`,
			url: "https://github.com/zachwl/gi-queue-map",
			cadence: "once, about February 2025",
			licence: "No license is stated with the list: facts are shown, ask its publisher before republishing",
		},
		cadenceHours: 8760,
		maxAgeHours: 9600,
		maxBytes: 4 * 1024 * 1024,
		coverage: "active-only",
		recognises: (file) => isListOf(names, file),
		words: { fuel: "technology" },
		parse: async (file, mapped) => parseUtilityQueue(names, file, mapped),
		key: (number) => number.trim().toUpperCase(),
	};
}

/** Checks the columns and the utility in the first rows, because the lists of all utilities have the same columns. */
function isListOf(names: readonly string[], { bytes }: RawFile): boolean {
	const headers = csvHeaderNames(bytes);
	const start = peek(bytes, 4096);
	return (
		required.every(([name]) => headers.has(name)) && names.some((name) => start.includes(`,${name.toLowerCase()},`))
	);
}

function parseUtilityQueue(names: readonly string[], file: RawFile, mapped?: readonly MappedWord[]): ParsedFile {
	const table = new HeadedTable(readCsv(file.bytes, file.name), required);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { sheet: false });
	let newest: string | null = null;
	for (const row of dataRows(table)) {
		const id = known(row[at.id]);
		const utility = text(row[at.isoUtility]);
		if (utility === null || !names.includes(utility))
			throw new StructureError(
				`${file.name}: the request ${id} has the iso_utility "${utility ?? ""}", not ${names.join(" or ")}`,
			);
		const number = fields.queue_id.read(row);
		if (number === null) {
			collector.drop("no request number", id ?? text(row[at.poi]), "malformed");
			continue;
		}
		const request = read(row);
		if (request.queueDate !== null && request.queueDate > (newest ?? "")) newest = request.queueDate;
		const evidence = { stage: "early", basis: "active-only", contradictory: false } as const;
		collector.keep({ ...request, number, evidence });
	}
	// The list is at least as new as its newest request.
	return collector.parsed({ publishedOn: newest });
}

function columnsOf(table: HeadedTable) {
	// This column repeats the place as one word, for joins.
	table.ignore("join_key");
	return {
		id: table.column("id"),
		poi: table.column("name"),
		fuel: table.column("fuel"),
		isoUtility: table.column("iso_utility"),
	};
}

const fieldsOf = (table: HeadedTable, at: ReturnType<typeof columnsOf>, collector: Collector): TableFields => ({
	queue_id: filed.by("number", filed.text(at.id), numberOf),
	poi: filed.from("utility.poi", [at.poi], pointOf),
	county: filed.from("utility.county", [table.column("county")], countyOf),
	state: filed.text(table.column("state")),
	utility: filed.text(table.column("transmission_owner")),
	type: filed.text(at.fuel),
	type_std: filed.from("technology.tokens", [at.fuel], (fuel) =>
		collector.technology("fuel", (mapped) => standardTechnology(known(fuel), mapped)),
	),
	status_std: filed.unstated(() => "Active"),
	status_basis: filed.unstated(() => null),
	kind: filed.unstated(() => "utility"),
	capacity_mw: filed.megawatts(table.column("capacity")),
	queue_date: filed.day(table.column("submitted_date")),
	cod: filed.day(table.column("service_date")),
});

const numberOf = (id: string | null): string | null => /^[\w-]{1,40}(?=(\.0)?$)/.exec(id ?? "")?.[0] ?? null;

/** Reads the substation or line. The cell joins two columns, of which one or both may be empty ("nan"). */
function pointOf(cell: Cell): string | null {
	const joined = text(cell) ?? "";
	return known(joined.replace(/^(nan)+(?=[A-Z\d]|$)/, "").replace(/(?<=[\w)])nan$/, ""));
}

/** TVA's list has a county whose name ends in the truncated word "Count". */
const countyOf = (cell: Cell): string | null => known(cell)?.replace(/ Count$/, "") ?? null;
