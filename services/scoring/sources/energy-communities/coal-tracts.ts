/** Treasury's cumulative workbook of coal-closure tracts (EC_CC_V5.xlsx; signals sheet, 8): tracts of the census of 2020. Pure. */

import { isCounty } from "#libs/counties/codes.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { date, text } from "#libs/files/values.ts";
import { type Notice, notices } from "../../domain/notices.ts";
import { longDay, tractCode } from "../codes.ts";
import { layoutOf } from "../layout.ts";
import { type CoalTract, DroppedRows, type EnergyCommunities } from "../reference.ts";
import { checkCount, minCoalTracts } from "./plausible.ts";

const required = [["2020 Census Tract Number FIPS code"], ["Tract Type"], ["Date of eligibility"]] as const;

/** Has this sheet the header of the list of tracts? */
export function isTractSheet(table: Table): boolean {
	try {
		new HeadedTable(table, required);
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
	const table = new HeadedTable(sheet, required);
	const [tractAt, typeAt, dateAt] = required.map(([header]) => table.column(header));
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
