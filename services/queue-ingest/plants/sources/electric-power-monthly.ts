/**
 * Tables 6.5 (planned units) and 6.3 (units that came into service in the year) of the EIA's Electric Power Monthly. They name each
 * plant's entity but not its county. Pure.
 */
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { recordReader } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../sources/dataset.ts";
import { replaceEdition } from "../../sources/insert-rows.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { noPlace, type UnitRow, unitFields } from "./unit.ts";

type EpmTable = "6.3" | "6.5";

const required = [["Entity Name"], ["Plant ID"], ["Generator ID"], ["Plant State"], ["Year"], ["Month"]];
/** Most months between the first and the last unit of a table of new units. */
const maxMonths = 24;
const maxInflatedBytes = 64 * 1024 * 1024;

const defineEpmDataset = (feed: string, table: EpmTable, title: string, named: RegExp): Dataset<UnitRow> => ({
	feed,
	database: "grid",
	title,
	layout: { formats: "xlsx", verified: "2025-01" },
	// Once a month, two months late.
	maxAgeHours: 2_400,
	maxBytes: 8 * 1024 * 1024,
	recognises: ({ name }) => /\.xlsx$/i.test(name) && named.test(name),
	parse: async (file) => readEpm(await readFirstSheet(file), table),
	write: replaceEdition("grid_units"),
});

export const epmPlanned = defineEpmDataset(
	"eia-epm-planned",
	"6.5",
	"EIA Electric Power Monthly, table 6.5 (planned units)",
	/(?<!\d)6[_.]0?5(?!\d)/,
);
export const epmNew = defineEpmDataset(
	"eia-epm-new",
	"6.3",
	"EIA Electric Power Monthly, table 6.3 (new units)",
	/(?<!\d)6[_.]0?3(?!\d)/,
);

async function readFirstSheet({ name, bytes }: RawFile): Promise<Table> {
	const [first] = await readWorkbook(bytes, { maxInflatedBytes });
	if (first === undefined) throw new StructureError(`${name}: the workbook has no sheet`);
	return first;
}

export function readEpm(sheet: Table, wanted: EpmTable): DatasetFile<UnitRow> {
	const title = text(sheet.rows[0]?.[0]) ?? "";
	const statedTable = /^Table (6\.\d+)/i.exec(title)?.[1];
	if (statedTable !== wanted)
		throw new StructureError(
			`${sheet.name}: titled "${title.slice(0, 80)}", not Table ${wanted} of the Electric Power Monthly`,
		);
	const table = new HeadedTable(sheet, required, 5);
	const rows = dataRows(table);
	// The notes end the table: a sheet without them was truncated between two rows.
	if (!isNotes(rows.at(-1)))
		throw new StructureError(`${sheet.name}: the notes below the table are missing: the file is truncated`);
	const at = { plant: table.column("Plant ID"), generator: table.column("Generator ID") };
	table.ignore("Energy Source Code");
	const read = recordReader(table, unitFields);
	const account = new RowAccount<UnitRow>();
	const seen = new Set<string>();
	for (const row of rows.slice(0, -1)) {
		const unit = { ...read(row), ...noPlace };
		const label = `${text(row[at.plant]) ?? "-"} ${text(row[at.generator]) ?? "-"}`;
		const key = `${unit.plant_id}\n${unit.generator_id}`;
		if (unit.plant_id === null || unit.generator_id === null)
			account.drop("no plant or generator id", label, "malformed");
		else if (seen.has(key)) account.drop("a second row of the same unit", label);
		else {
			seen.add(key);
			account.keep(unit);
		}
	}
	return { ...editionOf(account.kept, wanted, title, sheet.name), ...account.file(table) };
}

const isNotes = (row: Cell[] | undefined): boolean => /^notes?:/i.test(text(row?.[0]) ?? "");

/**
 * A table does not state its issue, so its months identify it. The planned units of an issue begin in the month after the last month of data; the
 * new units end with that month. New units accumulate from issue to issue and restart with the year, so their edition is the span of months.
 */
function editionOf(
	units: readonly UnitRow[],
	table: EpmTable,
	title: string,
	name: string,
): { edition: string; publishedOn: string } {
	const months = units.flatMap(({ year, month }) => (year === null || month === null ? [] : year * 12 + month - 1));
	const first = Math.min(...months);
	const last = Math.max(...months);
	if (months.length === 0) throw new StructureError(`${name}: no unit with a month in the table`);
	if (table === "6.5") return { edition: formatMonth(first - 1), publishedOn: lastDay(first - 1) };
	// The last issue of a year also contains the previous December, and its title states no year.
	const year = /\b(20\d\d)\s*$/.exec(title)?.[1] ?? String(Math.floor(last / 12));
	if (!formatMonth(last).startsWith(year) || last - first > maxMonths)
		throw new StructureError(
			`${name}: titled "${title.slice(0, 100)}", but its units are of ${formatMonth(first)} to ${formatMonth(last)}`,
		);
	return { edition: `${formatMonth(first)}..${formatMonth(last)}`, publishedOn: lastDay(last) };
}

/** `months`: since the year 0. */
const formatMonth = (months: number): string =>
	`${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
const lastDay = (months: number): string =>
	new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).toISOString().slice(0, 10);
