/**
 * Reads a hand-made list of some counties and tracts, as CSV with the header
 *
 *     fips,county,state,statistical,coal_tracts,vintage,notice,note
 *
 * `statistical` is yes, no or empty (the row only names tracts); `coal_tracts` are separated by spaces; `vintage` is 1, 2, both or empty;
 * `notice` is the same in all rows, followed by "(sample)" in the bundled sample. With 3,000 counties or more the list is complete. Pure.
 */
import { isCounty, stateOf } from "#libs/counties/codes.ts";
import { readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { findNotice, type Notice } from "../../../domain/notices.ts";
import {
	type CoalTract,
	createLayout,
	DroppedRows,
	type EnergyCommunities,
	type ListedCounty,
	type ReferenceFile,
} from "../reference.ts";
import { createEnergyCommunities, minAllCounties } from "./list.ts";

const columns = ["fips", "county", "state", "statistical", "coal_tracts", "vintage", "notice", "note"] as const;
type Row = Record<(typeof columns)[number], string>;

/** The columns that identify a county and show whether it qualifies. */
const decidingColumns = ["statistical", "fips", "coal_tracts", "vintage"] as const;

const yesOrNo = new Map([
	["yes", true],
	["no", false],
]);
const vintages = new Map([
	["", null],
	["1", "1"],
	["2", "2"],
	["both", "1 and 2"],
]);

/** @throws StructureError if the file is incomplete or not such a list */
export function readPlacesList({ name, bytes }: ReferenceFile): EnergyCommunities {
	const table = new HeadedTable(
		readCsv(bytes, name),
		columns.map((column) => [column]),
		1,
	);
	const positions = columns.map((column) => [column, table.column(column)] as const);
	const rows = table.rows.map(
		(cells) => Object.fromEntries(positions.map(([column, at]) => [column, text(cells[at]) ?? ""])) as Row,
	);
	const { notice, sample } = readNotice(name, rows);
	const counties = new Map<string, ListedCounty>();
	const coalTracts = new Map<string, CoalTract>();
	const dropped = new DroppedRows();
	for (const [index, row] of rows.entries()) {
		const refusal = findFault(row) ?? (counties.has(row.fips) ? "the county is listed a second time" : null);
		if (refusal !== null) {
			dropped.add(refusal, `line ${index + 2}: ${row.fips} ${row.county}`);
			continue;
		}
		const statistical = yesOrNo.get(row.statistical.toLowerCase());
		const vintage = vintages.get(row.vintage.toLowerCase()) ?? null;
		const note = row.note === "" ? null : row.note;
		const origin = {
			file_row: index + 2,
			filed: decidingColumns.map((column) => (row[column] === "" ? null : row[column])),
		};
		if (statistical !== undefined)
			counties.set(row.fips, { fips: row.fips, statistical, area: null, vintage, note, ...origin });
		for (const tract of splitTracts(row))
			coalTracts.set(tract, { tract, tract_type: null, eligible_from: null, ...origin });
	}
	if (counties.size + coalTracts.size === 0) throw new StructureError(`${name}: no row names a valid county or tract`);
	return createEnergyCommunities(notice, {
		kind: "places",
		complete: counties.size >= minAllCounties,
		sample,
		layout: createLayout(
			null,
			table.headers,
			decidingColumns.map((column) => table.column(column)),
		),
		counties: [...counties.values()],
		coalTracts: [...coalTracts.values()],
		rowsIn: rows.length,
		dropped: dropped.list(),
	});
}

const splitTracts = (row: Row): string[] => row.coal_tracts.split(" ").filter((tract) => tract !== "");

function readNotice(name: string, rows: readonly Row[]): { notice: Notice; sample: boolean } {
	const noticeTexts = [...new Set(rows.map((row) => row.notice))];
	const [first = ""] = noticeTexts;
	if (noticeTexts.length > 1)
		throw new StructureError(`${name}: the rows name several notices: ${noticeTexts.slice(0, 3).join(", ")}`);
	const notice = findNotice(first.replace(/ \(sample\)$/, ""));
	if (notice === undefined) throw new StructureError(`${name}: "${first}" is not a known notice such as 2026-39`);
	return { notice, sample: first.endsWith("(sample)") };
}

/** Returns the reason to drop a row; null if the row is valid. */
function findFault(row: Row): string | null {
	if (!isCounty(row.fips) || row.fips.length !== 5) return "no county has this code";
	if (stateOf(row.fips) !== row.state.toUpperCase()) return "the county is in another state";
	const tracts = splitTracts(row);
	if (row.statistical === "" ? tracts.length === 0 : !yesOrNo.has(row.statistical.toLowerCase()))
		return "statistical is neither yes nor no";
	if (!vintages.has(row.vintage.toLowerCase())) return "vintage is not 1, 2 or both";
	if (tracts.some((tract) => !/^\d{11}$/.test(tract) || !tract.startsWith(row.fips)))
		return "a tract is not in the county";
	return null;
}
