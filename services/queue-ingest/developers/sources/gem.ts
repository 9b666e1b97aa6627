/** Global Energy Monitor's map file of gas plants (CC BY 4.0): owner and parents of each unit. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { field, recordReader, stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import { type Evidence, type EvidenceFile, emptyStatement, toEvidenceFile } from "./evidence.ts";

export const gemColumns = [["project"], ["owner"], ["parent"], ["country"], ["province"]];

const attribution = "Global Energy Monitor, Global Oil and Gas Plant Tracker, CC BY 4.0";
/** Maximum companies read from a cell. No unit has this many. */
const maxCompanies = 30;

export interface Company {
	name: string;
	share: number | null;
}

/** "EDP España SA [50%]; Corporación Masaveu SA [50.0%]": names with their shares. "other" and "unknown" are not names. */
export function parseCompanies(cell: string | null): Company[] {
	const parts = (cell ?? "").slice(0, 5_000).split(";").slice(0, maxCompanies);
	return parts.flatMap((part) => {
		const found = /\[(\d{1,3}(?:\.\d+)?)\s?%\]$/.exec(part.trimEnd());
		const name = stated(found === null ? part : part.slice(0, part.lastIndexOf("[")));
		if (name === null || /^(others?|unknown|small shareholders?.*|natural persons?.*)$/i.test(name)) return [];
		const percent = found === null ? null : Number(found[1]);
		return [{ name, share: percent !== null && percent <= 100 ? Math.round(percent * 1e4) / 1e6 : null }];
	});
}

const fields = {
	project: field(text, "project"),
	unit: field(text, "unit"),
	owners: field((cell) => parseCompanies(text(cell)), "owner"),
	parents: field((cell) => parseCompanies(text(cell)), "parent"),
	country: field(stated, "country"),
	location: field(stated, "province"),
};

export function readGem(sheet: Table, edition: string): EvidenceFile {
	const table = new HeadedTable(sheet, gemColumns, 1);
	const read = recordReader(table, fields);
	const rows = new RowAccount<Evidence>();
	for (const [index, row] of dataRows(table).entries()) {
		const { project, unit, owners, parents, country, location } = read(row);
		const label = `${project ?? "-"} ${unit ?? "-"}`;
		const common = { ...emptyStatement, edition, row_number: index + 1, location, attribution };
		if (country !== "United States") rows.drop("a unit outside the United States", label);
		else if (owners.length === 0) rows.drop("no owner named", label);
		else
			rows.keep(
				...toStatements(owners, parents).map((statement, place) => ({ ...common, ...statement, position: place + 1 })),
			);
	}
	return toEvidenceFile("gem", "Global Energy Monitor gas plants", rows);
}

/** With several owners, the file does not state which parent belongs to which owner, so parents are omitted. */
function toStatements(owners: Company[], parents: Company[]): Pick<Evidence, "raw_name" | "parent_name" | "share">[] {
	const [owner] = owners;
	if (owner === undefined) return [];
	if (owners.length > 1 || parents.length === 0)
		return owners.map(({ name }) => ({ raw_name: name, parent_name: null, share: null }));
	return parents.map(({ name, share }) => ({ raw_name: owner.name, parent_name: name, share }));
}
