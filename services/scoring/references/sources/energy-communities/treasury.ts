/**
 * Treasury's county workbook (EC_MSA_FFE_U2025_AllCounties.xlsx; signals sheet, 8): every county with 0 or 1 by each of two delineations of
 * statistical areas; either counts. Pure.
 */
import { isCounty } from "#libs/counties/codes.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, date, number, text } from "#libs/files/values.ts";
import { type Notice, notices } from "../../../domain/notices.ts";
import { code, longDay, tractCode } from "../codes.ts";
import {
	type CoalTract,
	DroppedRows,
	type EnergyCommunities,
	type FiledRow,
	type ListedCounty,
	layoutOf,
} from "../reference.ts";
import { checkCount, minAllCounties, minCoalTracts, minQualifyingCounties } from "./plausible.ts";

const required = [["State FIPS code"], ["County FIPS code"]] as const;

/** Has this sheet the header of a county list? */
export function isCountySheet(table: Table): boolean {
	try {
		new HeadedTable(table, required);
		return true;
	} catch {
		return false;
	}
}

interface Columns {
	state: number;
	county: number;
	areas: [number, number];
	flags: [number, number];
	either: number;
}

function columnsOf(name: string, table: HeadedTable): Columns & { notice: Notice } {
	const flag = (which: string) => table.columnWhere((key) => new RegExp(`energy community \\(?${which}`).test(key));
	const area = (which: string) => table.columnWhere((key) => new RegExp(`^msa .*name.*\\(?${which}`).test(key));
	const columns: Columns = {
		state: table.column("State FIPS code"),
		county: table.column("County FIPS code"),
		areas: [area("vintage 1"), area("vintage 2")],
		flags: [flag("vintage 1"), flag("vintage 2")],
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
			`${name}: no known notice goes by the unemployment that the columns name: ${headers.join(", ")}`,
		);
	return { ...columns, notice };
}

/** Throws `StructureError` for another workbook, and for one that is not whole. */
export function readTreasuryCounties(name: string, sheet: Table): EnergyCommunities {
	const table = new HeadedTable(sheet, required);
	const { notice, ...columns } = columnsOf(name, table);
	const counties = new Map<string, ListedCounty>();
	const dropped = new DroppedRows();
	let rowsIn = 0;
	for (const [at, row] of table.rows.entries()) {
		if (row.every((cell) => text(cell) === null)) continue;
		rowsIn++;
		const line = `row ${table.headerIndex + at + 2}`;
		const fips = fipsOf(row, columns);
		if (fips === null || !isCounty(fips)) {
			dropped.add("no county has this code", `${line}: ${text(row[columns.state])} ${text(row[columns.county])}`);
			continue;
		}
		if (counties.has(fips)) throw new StructureError(`${name}: ${line}: county ${fips} stands there a second time`);
		const filed = deciding(columns).map((column) => text(row[column]));
		counties.set(fips, {
			...countyOf(fips, row, columns, `${name}: ${line}`),
			file_row: table.headerIndex + at + 2,
			filed,
		});
	}
	const qualifying = [...counties.values()].filter(({ statistical }) => statistical).length;
	checkCount(name, counties.size, { notice, stated: null, least: minAllCounties, what: "counties" });
	checkCount(name, qualifying, {
		...{ notice, stated: notice.counties, least: minQualifyingCounties, what: "qualifying counties" },
	});
	return {
		source: "energy-communities",
		kind: "counties",
		notice: notice.notice,
		validFrom: notice.validFrom,
		publishedOn: notice.publishedOn,
		complete: true,
		sample: false,
		layout: layoutOf(sheet.name, table.headers, deciding(columns)),
		counties: [...counties.values()],
		coalTracts: [],
		rowsIn,
		dropped: dropped.list(),
	};
}

/** The cells that say whether a county qualifies, and which county it is. */
const deciding = ({ flags, state, county }: Columns): number[] => [...flags, state, county];

/** The county's code may be its three digits or all five. */
function fipsOf(row: Cell[], { state, county }: Columns): string | null {
	const first = code(row[state], 2);
	const short = code(row[county], 3);
	if (short !== null) return first === null ? null : `${first}${short}`;
	const long = code(row[county], 5);
	return long !== null && long.slice(0, 2) === first ? long : null;
}

function countyOf(
	fips: string,
	row: Cell[],
	{ areas, flags, either }: Columns,
	where: string,
): Omit<ListedCounty, keyof FiledRow> {
	const by = flags.map((at) => flagOf(row[at], where));
	const statistical = by.includes(true);
	if (either >= 0 && flagOf(row[either], where) !== statistical)
		throw new StructureError(`${where}: "one or both vintages" contradicts the two vintages`);
	const vintages = ["1", "2"].filter((_, at) => by[at]);
	const area = text(row[areas[by[0] || !by[1] ? 0 : 1]]);
	return { fips, statistical, area, vintage: vintages.join(" and ") || null, note: null };
}

function flagOf(cell: Cell, where: string): boolean {
	const value = number(cell);
	if (value !== 0 && value !== 1)
		throw new StructureError(`${where}: ${JSON.stringify(text(cell))} is neither 0 nor 1`);
	return value === 1;
}

// MERGED services/scoring/references/sources/energy-communities/treasury.ts: Treasury's cumulative workbook of coal-closure tracts (EC_CC_V5.xlsx; signals sheet, 8): tracts of the census of 2020. Pure.
const tractHeaders = [["2020 Census Tract Number FIPS code"], ["Tract Type"], ["Date of eligibility"]] as const;

/** Has this sheet the header of the list of tracts? */
export function isTractSheet(table: Table): boolean {
	try {
		new HeadedTable(table, tractHeaders);
		return true;
	} catch {
		return false;
	}
}

function noticeOf(name: string): Notice {
	const version = Number(/^EC_CC_V(\d+)\b/i.exec(name)?.[1]);
	const notice = notices.find(({ coalVersion }) => coalVersion === version);
	if (notice === undefined)
		throw new StructureError(`${name}: the name says of no known version that it is it (as EC_CC_V5.xlsx does)`);
	return notice;
}

/** Throws `StructureError` for another workbook, and for one that is not whole. */
export function readCoalTracts(name: string, sheet: Table): EnergyCommunities {
	const notice = noticeOf(name);
	const table = new HeadedTable(sheet, tractHeaders);
	const [tractAt, typeAt, dateAt] = tractHeaders.map(([header]) => table.column(header));
	const tracts = new Map<string, CoalTract>();
	const dropped = new DroppedRows();
	let rowsIn = 0;
	for (const [at, row] of table.rows.entries()) {
		if (row.every((cell) => text(cell) === null)) continue;
		rowsIn++;
		const line = `row ${table.headerIndex + at + 2}`;
		const cell = row[tractAt ?? -1];
		const tract = tractCode(cell);
		if (tract === null || !isCounty(tract.slice(0, 5))) dropped.add("no census tract", `${line}: ${text(cell)}`);
		else if (tracts.has(tract)) dropped.add("the tract stands there a second time", `${line}: ${tract}`);
		else {
			const since = row[dateAt ?? -1];
			const tract_type = text(row[typeAt ?? -1]);
			const filed = [text(cell), tract_type, text(since)];
			const file_row = table.headerIndex + at + 2;
			tracts.set(tract, { tract, tract_type, eligible_from: longDay(since) ?? date(since), file_row, filed });
		}
	}
	const stated = notice.coalTracts;
	checkCount(name, tracts.size, { notice, stated, least: minCoalTracts, what: "coal-closure tracts" });
	return {
		source: "energy-communities",
		kind: "coal-tracts",
		notice: notice.notice,
		validFrom: notice.validFrom,
		publishedOn: notice.publishedOn,
		complete: true,
		sample: false,
		layout: layoutOf(sheet.name, table.headers, [tractAt, typeAt, dateAt]),
		counties: [],
		coalTracts: [...tracts.values()],
		rowsIn,
		dropped: dropped.list(),
	};
}
