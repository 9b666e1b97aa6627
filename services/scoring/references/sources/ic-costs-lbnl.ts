/**
 * Reads LBNL's workbooks of interconnection costs, one for each operator. The sheet `data` has one row per request, `codebook` contains the
 * year of the dollars, and `introduction` the operator and the month of the edition. Pure.
 */
import { region } from "#libs/contract/operations/projects/project.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { filledRows } from "./cells.ts";
import { checkCost } from "./ic-costs.ts";
import { DroppedRows, type FiledCost, type InterconnectionCosts, type ReferenceFile } from "./reference.ts";

/**
 * `today` (YYYY-MM-DD): a row with a later study date is dropped as a typing error.
 * @throws StructureError if the workbook is incomplete or not such a list
 */
export async function readLbnlCosts({ name, bytes }: ReferenceFile, today: string): Promise<InterconnectionCosts> {
	return readSheets(name, await readWorkbook(bytes), today);
}

function readSheets(name: string, sheets: readonly Table[], today: string): InterconnectionCosts {
	const data = sheets.find((sheet) => sheet.name === "data");
	if (data === undefined) throw new StructureError(`${name}: has no sheet "data" with interconnection costs`);
	const facts = readWorkbookFacts(name, sheets);
	const table = new HeadedTable(data, [numberHeaders, ["Study Date"], ["Study Type"], ["Nameplate MW"]], 5);
	const columns = findColumns(name, table);
	const costs: FiledCost[] = [];
	const dropped = new DroppedRows();
	const rows = filledRows(table);
	if (rows.length === 0) throw new StructureError(`${name}: has no rows below its header`);
	for (const { row, file_row } of rows) {
		const costsOrReason = readCosts(row, columns, facts, today);
		if (typeof costsOrReason === "string") dropped.add(costsOrReason, `row ${file_row}`);
		else costs.push(...costsOrReason);
	}
	return { source: "ic-costs", costs, rowsIn: rows.length, dropped: dropped.list() };
}

const numberHeaders = ["Project #", "Queue ID"];

interface WorkbookFacts {
	region: string;
	source: string;
	dollarsYear: number;
}

function readWorkbookFacts(name: string, sheets: readonly Table[]): WorkbookFacts {
	const cellsOf = (sheet: string) =>
		sheets.find((each) => each.name === sheet)?.rows.flatMap((row) => row.map((cell) => text(cell) ?? "")) ?? [];
	const introduction = cellsOf("introduction");
	const title = introduction.find((cell) => /^data for\b/i.test(cell)) ?? "";
	const operator = title
		.split(/[\s()]+/)
		.map((word) => region().safeParse(word))
		.find(({ success }) => success);
	if (operator?.data === undefined)
		throw new StructureError(`${name}: the sheet "introduction" does not name the operator ("Data for ...")`);
	const year = cellsOf("codebook")
		.join(" ")
		.match(/real \$(\d{4})\/kW/i)?.[1];
	if (year === undefined)
		throw new StructureError(`${name}: the sheet "codebook" does not state the year of the dollars ("real $2022/kW")`);
	const month = introduction.find((cell) => /^[A-Z][a-z]+ 20\d\d$/.test(cell));
	const edition = month === undefined ? "" : `, ${month}`;
	return {
		region: operator.data,
		source: `LBNL interconnection costs of ${operator.data}${edition}`,
		dollarsYear: Number(year),
	};
}

function findColumns(name: string, table: HeadedTable) {
	const cost = (part: string) =>
		table.columnWhere((key) => new RegExp(`^(\\$\\d{4}|real) ${part}( cost)?/kw$`).test(key));
	const columns = {
		numbers: [table.column(...numberHeaders), table.column("Queue ID 2")].filter((at) => at >= 0),
		studyType: table.column("Study Type"),
		studyDate: table.column("Study Date"),
		poi: cost("poi"),
		network: cost("network"),
		total: cost("total"),
	};
	if (columns.total < 0)
		throw new StructureError(`${name}: required column missing: total cost per kW in real dollars`);
	return columns;
}

type Columns = ReturnType<typeof findColumns>;

/** Returns the cost of each request that a row names, or why the row is dropped. A row may name several requests of one project. */
function readCosts(row: Cell[], columns: Columns, facts: WorkbookFacts, today: string): FiledCost[] | string {
	const queueIds = columns.numbers.flatMap((at) => known(row[at])?.slice(0, 200) ?? []);
	if (queueIds.length === 0) return "the row names no request";
	const total = row[columns.total];
	if (known(total) === null) return "the row states no cost";
	const cost = checkCost(parseDollars(total), "the total cost is not a number");
	if (typeof cost === "string") return cost;
	const studiedOn = date(row[columns.studyDate]);
	if (known(row[columns.studyDate]) !== null && studiedOn === null) return "the study date is not a date";
	if (studiedOn !== null && studiedOn > today) return "the study date is in the future";
	return queueIds.map((queueId) => ({
		project_id: null,
		region: facts.region,
		queue_id: queueId,
		cost_usd_per_kw: cost,
		poi_usd_per_kw: readPart(row[columns.poi]),
		network_usd_per_kw: readPart(row[columns.network]),
		as_of: studiedOn,
		study: known(row[columns.studyType])?.slice(0, 100) ?? null,
		dollars_year: facts.dollarsYear,
		source: facts.source,
	}));
}

/** Reads a part of the cost. Returns null if it is not an amount, because the total can still be stored. */
function readPart(cell: Cell): number | null {
	const part = checkCost(parseDollars(cell), "");
	return typeof part === "string" ? null : part;
}

/** Reads "$-" as zero, which spreadsheets show like this in the accounting format. */
const parseDollars = (cell: Cell): number | null => (/^\$\s*-$/.test(text(cell) ?? "") ? 0 : number(cell));
