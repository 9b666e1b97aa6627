/** Reads the two lists of low-income communities by census tract: the CDFI Fund's, and that of the 48E(h) program. Pure. */
import { isCounty } from "#libs/counties/codes.ts";
import { decodeText } from "#libs/files/decode.ts";
import { parseJson } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { filledRows, parseTract } from "./cells.ts";
import {
	createLayout,
	DroppedRows,
	type LowIncomeTract,
	type LowIncomeTracts,
	type ReferenceFile,
} from "./reference.ts";

/**
 * Limits for the number of tracts that are, or contain, low-income communities: 35,167 (CDFI, 2023) and 36,370 (48E(h) program, 2026) of
 * about 85,000 tracts of 2020.
 */
const minLowIncomeTracts = 30_000;
const maxLowIncomeTracts = 45_000;
/** Minimum tracts in a complete list of all tracts. */
const minAllTracts = 80_000;
/** Limit for the workbook of all tracts: 85,000 rows with a dozen columns. */
const maxInflatedBytes = 192 * 1024 * 1024;

function checkTracts(file: string, lowIncome: number): void {
	if (lowIncome < minLowIncomeTracts)
		throw new StructureError(
			`${file}: only ${lowIncome} low-income tracts, but a complete list has at least ${minLowIncomeTracts}: the file is truncated or covers one state`,
		);
	if (lowIncome > maxLowIncomeTracts) {
		throw new StructureError(`${file}: ${lowIncome} low-income tracts, more than the plausible ${maxLowIncomeTracts}`);
	}
}

/** Counts the low-income tracts of each county, and all of its tracts if `all` is not null. */
function countByCounty(
	tracts: readonly { tract: string }[],
	all: readonly string[] | null,
): LowIncomeTracts["counties"] {
	const lowIncome = Map.groupBy(tracts, ({ tract }) => tract.slice(0, 5));
	const totals = all && Map.groupBy(all, (tract) => tract.slice(0, 5));
	return [...(totals ?? lowIncome).keys()].map((fips) => ({
		fips,
		low_income: lowIncome.get(fips)?.length ?? 0,
		tracts: totals?.get(fips)?.length ?? null,
	}));
}

/**
 * Reads the CDFI Fund's list (26 USC 45D(e): a poverty rate of at least 20 %, or median family income of at most 80 %; five-year ACS
 * 2016-2020), as compact JSON: tract -> [state, county, poverty, income, unemployment, by poverty 0/1, by income 0/1, metropolitan class].
 * The published file has only the qualifying tracts. @throws StructureError if the file is incomplete or not such a list
 */
export function readNmtcTracts({ name, bytes }: ReferenceFile): LowIncomeTracts {
	const entries = Object.entries(parse(decodeText(bytes, name), name));
	const tracts: LowIncomeTract[] = [];
	const otherTracts: string[] = [];
	const dropped = new DroppedRows();
	for (const [at, [tract, row]] of entries.entries()) {
		const flags = readFlags(row);
		if (!/^\d{11}$/.test(tract) || !isCounty(tract.slice(0, 5))) dropped.add("not a census tract", tract);
		else if (flags === undefined) dropped.add("the row does not state whether the tract qualifies", tract);
		else if (flags.includes(1)) tracts.push({ tract, share: 1, file_row: at + 1, filed: flags.map(String) });
		else otherTracts.push(tract);
	}
	checkTracts(name, tracts.length);
	return {
		source: "low-income",
		name: "CDFI Fund NMTC low-income communities (ACS 2016-2020)",
		// The edition of 1 September 2023.
		validFrom: "2023-09-01",
		tracts,
		layout: { sheet: null, columns: flagColumns.map((at) => ({ column: String(at + 1), header: null })) },
		counties: countByCounty(
			tracts,
			otherTracts.length === 0 ? null : [...tracts.map(({ tract }) => tract), ...otherTracts],
		),
		rowsIn: entries.length,
		dropped: dropped.list(),
	};
}

function parse(source: string, name: string): object {
	const body = parseJson(source, name);
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw new StructureError(`${name}: is not a JSON object with tracts as its keys`);
	return body;
}

/** Positions of the flags for qualification by poverty and by income. */
const flagColumns = [5, 6];

/** Returns undefined if the row has another layout. */
function readFlags(row: unknown): number[] | undefined {
	if (!Array.isArray(row) || row.length < 7) return undefined;
	const flags: unknown[] = flagColumns.map((at) => row[at]);
	return flags.every((flag) => flag === 0 || flag === 1) ? flags : undefined;
}

/** @throws StructureError if the workbook is incomplete or not such a list */
export async function readProgramTracts({ name, bytes }: ReferenceFile, today: string): Promise<LowIncomeTracts> {
	return readProgramSheets(name, await readWorkbook(bytes, { maxInflatedBytes }), today);
}

/**
 * Reads the 48E(h) program's workbook of category 1: every tract, with the percentage of it that lies in a low-income community. Tracts are
 * those of the current census edition, in which Connecticut has planning regions. If the file name contains no day, the list is valid from
 * `today` (YYYY-MM-DD).
 */
export function readProgramSheets(name: string, sheets: readonly Table[], today: string): LowIncomeTracts {
	const sheet = sheets.find((each) => /tract percentages/i.test(each.name));
	if (sheet === undefined) throw new StructureError(`${name}: has no sheet "Tract percentages"`);
	const header = sheet.rows
		.slice(0, 60)
		.flat()
		.find((cell) => /^census tract geoid \d{4}$/i.test(text(cell) ?? ""));
	const geoid = text(header) ?? "Census tract GEOID 2025";
	const table = new HeadedTable(sheet, [[geoid], ["Percent in category 1"]]);
	const columns = [table.column("Percent in category 1"), table.column(geoid)];
	const rows = filledRows(table).filter(({ row }) => columns.some((at) => text(row[at]) !== null));
	const dropped = new DroppedRows();
	const listed = new Map<string, LowIncomeTract>();
	for (const { row, file_row } of rows) {
		const [percent, cell] = columns.map((at) => row[at]);
		const tract = parseTract(cell);
		const share = number(percent);
		const line = `row ${file_row}`;
		if (tract === null || !isCounty(tract.slice(0, 5))) dropped.add("not a census tract", `${line}: ${text(cell)}`);
		else if (share === null || share < 0 || share > 100) dropped.add("not a percentage", `${line}: ${text(percent)}`);
		else if (listed.has(tract)) dropped.add("the tract is listed a second time", `${line}: ${tract}`);
		else listed.set(tract, { tract, share, file_row, filed: [text(percent), text(cell)] });
	}
	if (listed.size < minAllTracts)
		throw new StructureError(
			`${name}: only ${listed.size} tracts, but a complete list has at least ${minAllTracts}: the file is truncated`,
		);
	const lowIncome = [...listed.values()].filter(({ share }) => share > 0);
	// A whole tract is either 100 or 1. Thousands of tracts are entirely in the category, so the maximum shows which of them the list uses.
	const fullPercentage = lowIncome.some(({ share }) => share > 1) ? 100 : 1;
	const tracts = lowIncome.map((entry) => ({ ...entry, share: entry.share / fullPercentage }));
	checkTracts(name, tracts.length);
	return {
		source: "low-income",
		name: `48E(h) category 1 low-income communities (tracts of ${geoid.slice(-4)})`,
		validFrom: findDayInName(name) ?? today,
		tracts,
		layout: createLayout(sheet.name, table.headers, columns),
		counties: countByCounty(tracts, [...listed.keys()]),
		rowsIn: rows.length,
		dropped: dropped.list(),
	};
}

/** Returns 2026-02-17 for `..._Excel_20260217_0.xlsx`. */
function findDayInName(name: string): string | null {
	const [, year, month, day] = /(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/.exec(name) ?? [];
	return year === undefined ? null : `${year}-${month}-${day}`;
}
