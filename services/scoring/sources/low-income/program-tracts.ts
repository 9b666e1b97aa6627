/**
 * The 48E(h) program's workbook of category 1 (signals sheet, 8): every tract with the percentage of it that lies in a low-income community.
 * Tracts are those of the census's current edition: Connecticut's under its planning regions. Pure.
 */

import { isCounty } from "#libs/counties/codes.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { tractCode } from "../codes.ts";
import { layoutOf } from "../layout.ts";
import { DroppedRows, type FiledRow, type Layout, type LowIncomeTracts, type ReferenceFile } from "../reference.ts";
import { checkTracts, countiesOf, minAllTracts } from "./plausible.ts";

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
