/** What a whole list of low-income tracts is like. */

import { isCounty } from "#libs/counties/codes.ts";
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { tractCode } from "./codes.ts";
import {
	DroppedRows,
	type FiledRow,
	type Layout,
	type LowIncomeTract,
	type LowIncomeTracts,
	layoutOf,
	type ReferenceFile,
} from "./reference.ts";

/** Of some 85,000 tracts of 2020, 35,167 (CDFI, 2023) and 36,370 (48E(h) program, 2026) are or hold low-income communities. */
export const minLowIncomeTracts = 30_000;
export const maxLowIncomeTracts = 45_000;
/** A list of all tracts has at least so many. */
export const minAllTracts = 80_000;

export function checkTracts(file: string, lowIncome: number): void {
	if (lowIncome < minLowIncomeTracts)
		throw new StructureError(
			`${file}: only ${lowIncome} low-income tracts, a whole list has ${minLowIncomeTracts} or more: the file is cut or of one state`,
		);
	if (lowIncome > maxLowIncomeTracts) throw new StructureError(`${file}: ${lowIncome} low-income tracts are too many`);
}

/** How many tracts of each county are low-income, of how many where `all` tracts are known. */
export function countiesOf(
	tracts: readonly { tract: string }[],
	all: readonly string[] | null,
): LowIncomeTracts["counties"] {
	const lowIncome = counted(tracts.map(({ tract }) => tract));
	const totals = all === null ? null : counted(all);
	return [...(totals ?? lowIncome).keys()].map((fips) => ({
		fips,
		low_income: lowIncome.get(fips) ?? 0,
		tracts: totals?.get(fips) ?? null,
	}));
}

function counted(tracts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const tract of tracts) counts.set(tract.slice(0, 5), (counts.get(tract.slice(0, 5)) ?? 0) + 1);
	return counts;
}

// MERGED services/scoring/references/sources/low-income.ts: The CDFI Fund's low-income communities by tract (26 USC 45D(e): poverty of 20 % or median family income of 80 %), five-year ACS 2016-2020, as compact JSON: tract -> [state, county, poverty, income, unemployment, by poverty 0/1, by income 0/1, metropolitan class]. Pure.
const listName = "CDFI Fund NMTC low-income communities (ACS 2016-2020)";
/** The edition of 1 September 2023. */
const validFrom = "2023-09-01";

/** Throws `StructureError` for another file, and for one that is not whole. */
export function readNmtcTracts({ name, bytes }: ReferenceFile): LowIncomeTracts {
	const entries = Object.entries(parse(decodeText(bytes, name), name));
	const tracts: LowIncomeTract[] = [];
	const others: string[] = [];
	const dropped = new DroppedRows();
	for (const [at, [tract, row]] of entries.entries()) {
		const qualifies = verdictOf(row);
		if (!/^\d{11}$/.test(tract) || !isCounty(tract.slice(0, 5))) dropped.add("no census tract", tract);
		else if (qualifies === undefined) dropped.add("says neither that it qualifies nor that it does not", tract);
		else if (qualifies) tracts.push({ tract, share: 1, file_row: at + 1, filed: filedOf(row) });
		else others.push(tract);
	}
	checkTracts(name, tracts.length);
	return {
		source: "low-income",
		name: listName,
		validFrom,
		tracts,
		// By poverty and by income.
		layout: { sheet: null, columns: flags.map((at) => ({ column: String(at + 1), header: null })) },
		// The published file lists the qualifying tracts alone: of how many they are is then not known.
		counties: countiesOf(tracts, others.length === 0 ? null : [...tracts.map(({ tract }) => tract), ...others]),
		rowsIn: entries.length,
		dropped: dropped.list(),
	};
}

function parse(source: string, name: string): object {
	let body: unknown;
	try {
		body = JSON.parse(source);
	} catch {
		throw new StructureError(`${name}: is not well-formed JSON: the file is cut or another kind of answer`);
	}
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw new StructureError(`${name}: is no JSON object of tracts`);
	return body;
}

/** Places of a tract's two flags. */
const flags = [5, 6];
const filedOf = (row: unknown): string[] => flags.map((at) => String((row as unknown[])[at]));

/** Undefined where the row is not of the layout. */
function verdictOf(row: unknown): boolean | undefined {
	if (!Array.isArray(row) || row.length < 7) return undefined;
	const said: unknown[] = flags.map((at) => row[at]);
	return said.every((flag) => flag === 0 || flag === 1) ? said.includes(1) : undefined;
}

// MERGED services/scoring/references/sources/low-income.ts: The 48E(h) program's workbook of category 1 (signals sheet, 8): every tract with the percentage of it that lies in a low-income community. Tracts are those of the census's current edition: Connecticut's under its planning regions. Pure.
/** 85,000 tracts with a dozen columns. */
const maxInflatedBytes = 192 * 1024 * 1024;

/** Throws `StructureError` for another workbook, and for one that is not whole. */
export async function readProgramTracts({ name, bytes }: ReferenceFile, today: string): Promise<LowIncomeTracts> {
	return programTractsOf(name, await readWorkbook(bytes, { maxInflatedBytes }), today);
}

/** `today` (YYYY-MM-DD) dates a file whose name states no day. Throws like `readProgramTracts`. */
export function programTractsOf(name: string, sheets: readonly Table[], today: string): LowIncomeTracts {
	const sheet = sheets.find((each) => /tract percentages/i.test(each.name));
	if (sheet === undefined) throw new StructureError(`${name}: no sheet "Tract percentages"`);
	const { year, rows, layout } = rowsOf(sheet);
	const dropped = new DroppedRows();
	const percentages = new Map<string, number>();
	const places = new Map<string, FiledRow>();
	for (const { file_row, tract: cell, percent } of rows) {
		const line = `row ${file_row}`;
		const tract = tractCode(cell);
		const value = number(percent);
		if (tract === null || !isCounty(tract.slice(0, 5))) dropped.add("no census tract", `${line}: ${text(cell)}`);
		else if (value === null || value < 0 || value > 100) dropped.add("no percentage", `${line}: ${text(percent)}`);
		else if (percentages.has(tract)) dropped.add("the tract stands there a second time", `${line}: ${tract}`);
		else {
			percentages.set(tract, value);
			places.set(tract, { file_row, filed: [text(percent), text(cell)] });
		}
	}
	if (percentages.size < minAllTracts)
		throw new StructureError(
			`${name}: only ${percentages.size} tracts, a whole list has ${minAllTracts} or more: the file is cut`,
		);
	const entries = [...percentages].filter(([, value]) => value > 0);
	// A percentage may be written as 100 or as 1, for the whole list alike: thousands of tracts are wholly in the category.
	const whole = entries.some(([, value]) => value > 1) ? 100 : 1;
	const tracts = entries.flatMap(([tract, value]) => {
		const place = places.get(tract);
		return place === undefined ? [] : [{ tract, share: value / whole, ...place }];
	});
	checkTracts(name, tracts.length);
	return {
		source: "low-income",
		name: `48E(h) category 1 low-income communities (tracts of ${year})`,
		validFrom: dayInName(name) ?? today,
		tracts,
		layout,
		counties: countiesOf(tracts, [...percentages.keys()]),
		rowsIn: rows.length,
		dropped: dropped.list(),
	};
}

function rowsOf(sheet: Table): {
	year: string;
	layout: Layout;
	rows: { file_row: number; tract: Cell; percent: Cell }[];
} {
	const header = sheet.rows
		.slice(0, 60)
		.flat()
		.find((cell) => /^census tract geoid \d{4}$/i.test(text(cell) ?? ""));
	const geoid = text(header) ?? "Census tract GEOID 2025";
	const table = new HeadedTable(sheet, [[geoid], ["Percent in category 1"]]);
	const tractAt = table.column(geoid);
	const percentAt = table.column("Percent in category 1");
	const rows = table.rows.map((row, at) => ({
		file_row: table.headerIndex + at + 2,
		tract: row[tractAt],
		percent: row[percentAt],
	}));
	return {
		year: geoid.slice(-4),
		layout: layoutOf(sheet.name, table.headers, [percentAt, tractAt]),
		rows: rows.filter(({ tract, percent }) => text(tract) !== null || text(percent) !== null),
	};
}

/** `..._Excel_20260217_0.xlsx` is of 2026-02-17. */
function dayInName(name: string): string | null {
	const [, year, month, day] = /(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/.exec(name) ?? [];
	return year === undefined ? null : `${year}-${month}-${day}`;
}
