/**
 * Reads Treasury's workbooks. The county workbook (EC_MSA_FFE_U2025_AllCounties.xlsx) has 0 or 1 for every county under each of two
 * delineations of statistical areas; a county with a 1 under either qualifies. The cumulative workbook of coal-closure tracts
 * (EC_CC_V5.xlsx) lists tracts of the census of 2020.
 */
import { isCounty } from "#libs/counties/codes.ts";
import { readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { type Notice, notices } from "../../../domain/notices.ts";
import { filledRows, parseCode, parseDay, parseTract } from "../cells.ts";
import {
	type CoalTract,
	createLayout,
	DroppedRows,
	type EnergyCommunities,
	type FiledRow,
	type ListedCounty,
	type ReferenceFile,
} from "../reference.ts";
import { checkCount, createEnergyCommunities, minAllCounties, minCoalTracts, minQualifyingCounties } from "./list.ts";

type Headers = ConstructorParameters<typeof HeadedTable>[1];

const countyHeaders = [["State FIPS code"], ["County FIPS code"]] as const;
const tableHeaders = [["tract_geoid_2020"], ["tract_types"], ["notice"]] as const;
const tractHeaders = [["2020 Census Tract Number FIPS code"], ["Tract Type"], ["Date of eligibility"]] as const;

/** @throws StructureError if the workbook is incomplete or not such a list */
export async function readTreasury({ name, bytes }: ReferenceFile): Promise<EnergyCommunities> {
	const sheets = await readWorkbook(bytes);
	const tracts = sheets.find((sheet) => hasHeader(sheet, tractHeaders));
	if (tracts !== undefined) return readCoalTracts(name, tracts);
	const counties = sheets.find((sheet) => hasHeader(sheet, countyHeaders));
	if (counties !== undefined) return readTreasuryCounties(name, counties);
	throw new StructureError(`${name}: no sheet has the header of Treasury's county list or of its coal-closure tracts`);
}

function hasHeader(sheet: Table, headers: Headers): boolean {
	try {
		new HeadedTable(sheet, headers);
		return true;
	} catch {
		return false;
	}
}

function findColumns(name: string, table: HeadedTable) {
	const flag = (which: string) => table.columnWhere((key) => new RegExp(`energy community \\(?${which}`).test(key));
	const area = (which: string) => table.columnWhere((key) => new RegExp(`^msa .*name.*\\(?${which}`).test(key));
	const columns = {
		state: table.column("State FIPS code"),
		county: table.column("County FIPS code"),
		areas: ["vintage 1", "vintage 2"].map(area),
		flags: ["vintage 1", "vintage 2"].map(flag),
		either: flag("one or both"),
	};
	if (columns.flags.some((at) => at < 0))
		throw new StructureError(`${name}: required column missing: Energy Community (Vintage 1) and (Vintage 2)`);
	const headers = columns.flags.map((at) => table.headers[at] ?? "");
	const years = new Set(headers.map((header) => Number(/\b(20\d\d)\b/.exec(header)?.[1])));
	const [year] = years;
	const notice = years.size === 1 ? notices.find(({ unemploymentYear }) => unemploymentYear === year) : undefined;
	if (notice === undefined)
		throw new StructureError(
			`${name}: the year in these column headers matches no known notice, or they differ in year: ${headers.join(", ")}`,
		);
	return { ...columns, notice };
}

type Columns = Omit<ReturnType<typeof findColumns>, "notice">;

/** @throws StructureError */
export function readTreasuryCounties(name: string, sheet: Table): EnergyCommunities {
	const table = new HeadedTable(sheet, countyHeaders);
	const { notice, ...columns } = findColumns(name, table);
	// The columns that identify a county and show whether it qualifies.
	const decidingColumns = [...columns.flags, columns.state, columns.county];
	const counties = new Map<string, ListedCounty>();
	const dropped = new DroppedRows();
	const rows = filledRows(table);
	for (const { row, file_row } of rows) {
		const line = `row ${file_row}`;
		const fips = readFips(row, columns);
		if (fips === null || !isCounty(fips)) {
			dropped.add("no county has this code", `${line}: ${text(row[columns.state])} ${text(row[columns.county])}`);
			continue;
		}
		if (counties.has(fips)) throw new StructureError(`${name}: ${line}: county ${fips} is listed a second time`);
		const filed = decidingColumns.map((column) => text(row[column]));
		counties.set(fips, { ...readCounty(fips, row, columns, `${name}: ${line}`), file_row, filed });
	}
	const qualifying = [...counties.values()].filter(({ statistical }) => statistical).length;
	checkCount(name, counties.size, { notice, expected: null, minimum: minAllCounties, what: "counties" });
	const limits = { notice, expected: notice.counties, minimum: minQualifyingCounties };
	checkCount(name, qualifying, { ...limits, what: "qualifying counties" });
	return createEnergyCommunities(notice, {
		kind: "counties",
		layout: createLayout(sheet.name, table.headers, decidingColumns),
		counties: [...counties.values()],
		rowsIn: rows.length,
		dropped: dropped.list(),
	});
}

/** Returns the five digits of a county. The county column may contain only the last three, or all five. */
function readFips(row: Cell[], { state, county }: Columns): string | null {
	const first = parseCode(row[state], 2);
	const short = parseCode(row[county], 3);
	if (short !== null) return first === null ? null : `${first}${short}`;
	const long = parseCode(row[county], 5);
	return long !== null && long.slice(0, 2) === first ? long : null;
}

function readCounty(
	fips: string,
	row: Cell[],
	{ areas, flags, either }: Columns,
	where: string,
): Omit<ListedCounty, keyof FiledRow> {
	const flagsByVintage = flags.map((at) => readFlag(row[at], where));
	const statistical = flagsByVintage.includes(true);
	if (either >= 0 && readFlag(row[either], where) !== statistical)
		throw new StructureError(`${where}: the column "one or both vintages" contradicts the columns of the two vintages`);
	const vintages = ["1", "2"].filter((_, at) => flagsByVintage[at]);
	const area = text(row[areas[flagsByVintage[0] || !flagsByVintage[1] ? 0 : 1] ?? -1]);
	return { fips, statistical, area, vintage: vintages.join(" and ") || null, note: null };
}

function readFlag(cell: Cell, location: string): boolean {
	const value = number(cell);
	if (value !== 0 && value !== 1)
		throw new StructureError(`${location}: ${JSON.stringify(text(cell))} is neither 0 nor 1`);
	return value === 1;
}

/** @throws StructureError */
export function readCoalTracts(name: string, sheet: Table): EnergyCommunities {
	const version = Number(/^EC_CC_V(\d+)\b/i.exec(name)?.[1]);
	const notice = notices.find(({ coalVersion }) => coalVersion === version);
	if (notice === undefined)
		throw new StructureError(`${name}: the file name does not contain a known version, as EC_CC_V5.xlsx does`);
	return listTracts({ name, sheet: sheet.name, table: new HeadedTable(sheet, tractHeaders), notice }, tractHeaders);
}

/**
 * Reads the tracts of the appendices to Notices 2023-29, 2023-47 and 2024-48 from one CSV. Later notices add tracts and remove none.
 * @throws StructureError
 */
export function readCoalTable({ name, bytes }: ReferenceFile): EnergyCommunities {
	const table = new HeadedTable(readCsv(bytes, name), tableHeaders, 1);
	const source = table.column("notice");
	const isListed = (notice: string) => table.rows.some((row) => text(row[source])?.startsWith(`${notice} `));
	const notice = notices.findLast((each) => isListed(each.notice));
	if (notice === undefined) {
		const known = notices.map((each) => each.notice).join(", ");
		throw new StructureError(`${name}: no value of the column "notice" begins with a known notice: ${known}`);
	}
	return listTracts({ name, sheet: null, table, notice }, tableHeaders);
}

interface TractSheet {
	name: string;
	sheet: string | null;
	table: HeadedTable;
	notice: Notice;
}

/** `headers`: those of the columns with the tract, its type and the day from which it is eligible. */
function listTracts({ name, sheet, table, notice }: TractSheet, headers: Headers): EnergyCommunities {
	const columns = headers.map(([header = ""]) => table.column(header));
	const tracts = new Map<string, CoalTract>();
	const dropped = new DroppedRows();
	const rows = filledRows(table);
	for (const { row, file_row } of rows) {
		const [cell, type, since] = columns.map((at) => row[at]);
		const tract = parseTract(cell);
		if (tract === null || !isCounty(tract.slice(0, 5)))
			dropped.add("not a census tract", `row ${file_row}: ${text(cell)}`);
		else if (tracts.has(tract)) dropped.add("the tract is listed a second time", `row ${file_row}: ${tract}`);
		else {
			const filed = [text(cell), text(type), text(since)];
			tracts.set(tract, { tract, tract_type: text(type), eligible_from: parseDay(since), file_row, filed });
		}
	}
	const limits = { notice, expected: notice.coalTracts, minimum: minCoalTracts };
	checkCount(name, tracts.size, { ...limits, what: "coal-closure tracts" });
	return createEnergyCommunities(notice, {
		kind: "coal-tracts",
		layout: createLayout(sheet, table.headers, columns),
		coalTracts: [...tracts.values()],
		rowsIn: rows.length,
		dropped: dropped.list(),
	});
}
