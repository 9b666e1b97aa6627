/**
 * EIA-861: what each utility reports about distributed generation in a state, by technology and sector. Two files a year: net metering, and
 * distributed generators that are not net metered.
 */

import type { DgSource } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { savedOn } from "../../../sources/as-of.ts";
import { id, isNote, stateCode, stated, yearOf } from "../../../sources/cells.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { replaceEdition } from "../../../sources/insert-rows.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import { addsUp, type Block, type BlockTable, readBlocks } from "./blocks.ts";
import { type Filing, netMetered, notNetMetered } from "./eia861-records.ts";
import type { DgRecord } from "./record.ts";

interface Form {
	feed: DgSource;
	title: string;
	fileName: RegExp;
	/** Sheets whose rows are dropped because other sheets include them, each with the reason. */
	includedElsewhere: ReadonlyMap<string, string>;
	records(filing: Filing, table: BlockTable, row: Cell[]): DgRecord[];
	/** Whether the block has a known meaning or is a total over technologies. */
	hasMeaning(block: Block): boolean;
	/** Throws if a block belongs to another form, or if two blocks have the same meaning. */
	check(blocks: readonly Block[]): void;
	/** Whether the headers of the sheet belong to this form. */
	matches(table: BlockTable): boolean;
}

export const eia861NetMetering = datasetOf({
	feed: "eia861-net-metering",
	title: "EIA-861 net metering",
	fileName: /^net_?metering_?\d{4}[\w ]*\.xlsx$/i,
	includedElsewhere: new Map([["tpo", "owned by third parties, and in the utilities' rows"]]),
	...netMetered,
});

export const eia861Distributed = datasetOf({
	feed: "eia861-distributed",
	title: "EIA-861 distributed generators that are not net metered",
	fileName: /^non_?net_?metering(_?distributed)?_?\d{4}[\w ]*\.xlsx$/i,
	includedElsewhere: new Map(),
	...notNetMetered,
});

function datasetOf(form: Form): Dataset<DgRecord> {
	return {
		feed: form.feed,
		database: "dg",
		title: form.title,
		layout: { formats: "xlsx", verified: "2018" },
		// The file for a year is published in the fall of the following year.
		maxAgeHours: 9_600,
		maxBytes: 16 * 1024 * 1024,
		recognises: ({ name, bytes }) => form.fileName.test(name) && isZip(bytes),
		isContentOf: async ({ bytes }) =>
			isZip(bytes) && (await readWorkbook(bytes)).some((sheet) => isSheetOf(form, sheet)),
		parse: async ({ bytes }) => parseEia861(form, await readWorkbook(bytes), await savedOn(bytes)),
		keptIn: { table: "dg_records" },
		write: replaceEdition("dg_records"),
	};
}

function isSheetOf(form: Form, sheet: Table): boolean {
	try {
		return form.matches(readBlocks(sheet));
	} catch (error) {
		if (error instanceof StructureError) return false;
		throw error;
	}
}

/** If the sectors of more than this share of rows do not add up to their totals, the headers do not describe the columns. */
const maxUnequalShare = 0.02;

interface Reading {
	account: RowAccount<DgRecord>;
	ids: Set<string>;
	years: Set<number>;
	unknownColumns: Set<string>;
	/** Rows whose sectors do not add up to their totals. */
	unequal: string[];
}

function parseEia861(form: Form, sheets: Table[], publishedOn: string | null): DatasetFile<DgRecord> {
	const reading: Reading = {
		account: new RowAccount<DgRecord>(),
		ids: new Set(),
		years: new Set(),
		unknownColumns: new Set(),
		unequal: [],
	};
	for (const sheet of sheets) readSheet(form, sheet, reading);
	const [year, ...others] = reading.years;
	if (year === undefined || others.length > 0)
		throw new StructureError(
			`${form.title}: the rows contain ${year === undefined ? "no year" : `several years (${[year, ...others].join(", ")})`}`,
		);
	if (reading.unequal.length > Math.max(1, maxUnequalShare * reading.account.rowsIn))
		throw new StructureError(
			`${form.title}: the sectors of ${reading.unequal.length} rows do not add up to their totals`,
		);
	return {
		edition: String(year),
		publishedOn,
		rowsIn: reading.account.rowsIn,
		rows: reading.account.kept,
		dropped: reading.account.dropped,
		unknownValues: reading.unequal.map((value) => ({
			...{ field: "sectors other than their total", value, count: 1 },
			note: `the sectors of ${value} do not add up to their total, kept as filed`,
		})),
		unknownColumns: [...reading.unknownColumns],
	};
}

function readSheet(form: Form, sheet: Table, reading: Reading): void {
	const table = readBlocks(sheet);
	form.check(table.blocks);
	const reason = form.includedElsewhere.get(headerKey(sheet.name));
	const seen = new Set<string>();
	for (const block of table.blocks) {
		if (!form.hasMeaning(block)) reading.unknownColumns.add([block.group, block.measure].filter(Boolean).join(": "));
	}
	for (const row of table.rows) {
		if (row.every((cell) => text(cell) === null) || isNote(row)) continue;
		const filing = filingOf(table, row);
		const label = filing === null ? text(row.find((cell) => text(cell) !== null)) : `${filing.state} ${filing.utility}`;
		const rowText = JSON.stringify(row);
		if (seen.has(rowText)) {
			reading.account.drop("exact repeat of another row", label);
			continue;
		}
		seen.add(rowText);
		if (reason !== undefined) reading.account.drop(reason, label);
		else if (filing === null) reading.account.drop("no state, utility or year", label, "malformed");
		else readRow(form, table, filing, row, label, reading);
	}
}

function readRow(
	form: Form,
	table: BlockTable,
	filing: Filing,
	row: Cell[],
	label: string | null,
	reading: Reading,
): void {
	reading.years.add(filing.year);
	if (!table.blocks.every((block) => addsUp(block, row))) reading.unequal.push(label ?? "");
	const records = form.records(filing, table, row);
	if (records.length === 0) reading.account.drop("nothing above zero", label);
	else reading.account.keep(...records.map((record) => withFreeId(record, reading.ids)));
}

/** Keeps both records of a utility that files twice for one state and balancing authority. */
function withFreeId(record: DgRecord, taken: Set<string>): DgRecord {
	let { id } = record;
	for (let repeat = 2; taken.has(id); repeat++) id = `${record.id}~${repeat}`;
	taken.add(id);
	return { ...record, id };
}

function filingOf({ named }: BlockTable, row: Cell[]): Filing | null {
	const cell = (...names: string[]) => names.map((name) => row[named.get(name) ?? -1]).find((one) => one !== undefined);
	const year = yearOf(cell("year", "data year"));
	const state = stateCode(cell("state"));
	const utilityId = id(cell("utility number"));
	if (year === null || state === null || utilityId === null) return null;
	const basis = stated(cell("type", "capacity type"))?.toUpperCase();
	return {
		year,
		state,
		utilityId,
		utility: stated(cell("utility name")),
		balancingAuthority: stated(cell("ba code", "ba_code")),
		basis: basis === "AC" || basis === "DC" ? basis : null,
		cell: (name) => cell(name),
	};
}
