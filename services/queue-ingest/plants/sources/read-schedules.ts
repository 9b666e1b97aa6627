/** Reads the schedules of form EIA-860: utilities, plants, generators and their owners. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { column, isNote, type RecordField, type RecordOf, recordReader, spellings } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount, RowNotes } from "../../sources/row-account.ts";
import {
	accountOf,
	type GeneratorRow,
	generatorFields,
	headers,
	type OwnerRow,
	ownerFields,
	plantFields,
	type Rows,
	type Stage,
	utilityFields,
} from "./schedule.ts";

/** Shares of a generator within this of 1 are whole (rounding: three times .333). */
const tolerance = 0.02;
/** Real generators have at most 40. */
const maxOwners = 200;

/**
 * Schedule 4: the owners of generators that are not wholly their operator's.
 *
 * "Percent Owned" is a fraction of 1, or in some old years of 100: it is read as a percentage if any generator's shares sum to 90 to 110.
 * Shares that do not sum to 1 are kept with a note; an invalid share is null.
 */
export function readOwners(sheet: Table): Rows<OwnerRow> {
	const { plant, generator, owner, share } = headers;
	const needed = [spellings(...plant), spellings(...generator), spellings(...owner), spellings(...share)];
	const table = new HeadedTable(sheet, needed, 10);
	const plantAt = column(table, ...plant);
	const read = recordReader(table, ownerFields);
	const filed = dataRows(table).map((row) => ({ row, plant: text(row[plantAt]), record: read(row) }));
	const sums = new Map<string, number>();
	for (const { plant, record } of filed) {
		const key = `${plant}\n${record.generator_id}`;
		sums.set(key, (sums.get(key) ?? 0) + (record.fraction ?? 0));
	}
	const scale = [...sums.values()].some((sum) => sum >= 90 && sum <= 110) ? 100 : 1;
	const account = new RowAccount<OwnerRow>();
	const notes = new RowNotes();
	const units = new Map<string, OwnerRow[]>();
	for (const { row, plant, record } of filed) {
		const label = `${plant ?? "-"} ${record.generator_id ?? "-"}`;
		const fraction = record.fraction === null ? null : Math.round((record.fraction / scale) * 1e6) / 1e6;
		const key = `${record.plant_id}\n${record.generator_id}`;
		const unit = units.get(key) ?? [];
		const found = { ...record, fraction, position: unit.length + 1 };
		const fault =
			(isNote(row) && record.plant_id === null ? "a note, no row of the table" : faultOf(found)) ??
			findRepeatFault(unit, found);
		if (fault !== null) {
			account.drop(fault, label);
			continue;
		}
		units.set(key, unit);
		unit.push(found);
		if (fraction === null) notes.add("states no share", label);
		account.keep(found);
	}
	for (const unit of units.values()) noteSum(unit, notes);
	return accountOf(account, notes);
}

function faultOf({ plant_id, generator_id, owner_name, fraction }: RecordOf<typeof ownerFields>): string | null {
	if (plant_id === null) return "no plant code";
	if (generator_id === null) return "no generator id";
	if (owner_name === null) return "no owner named";
	return fraction !== null && (fraction < 0 || fraction > 1) ? "a share below 0 or above the whole" : null;
}

function findRepeatFault(unit: readonly OwnerRow[], found: OwnerRow): string | null {
	if (unit.length === maxOwners) return `more than ${maxOwners} owners`;
	const facts = ["owner_id", "owner_name", "fraction", "owner_street"] as const;
	const isSame = unit.some((other) => facts.every((name) => other[name] === found[name]));
	return isSame ? "exact repeat of another row" : null;
}

function noteSum(unit: OwnerRow[], notes: RowNotes): void {
	const [first] = unit;
	if (first === undefined || unit.some(({ fraction }) => fraction === null)) return;
	const sum = unit.reduce((total, { fraction }) => total + (fraction ?? 0), 0);
	if (Math.abs(sum - 1) <= tolerance) return;
	notes.add(
		"shares of its generator do not sum to 1",
		`${first.plant_id} ${first.generator_id}: ${sum.toFixed(3)}`,
		unit.length,
	);
}

/** By the sheet's name, in all its spellings since 2009: "Operable", "Proposed", "Retired and Canceled", "retired & canceled". */
function stageOf(sheet: Table): Stage | null {
	if (/retire|cancel/i.test(sheet.name)) return "retired";
	if (/propos/i.test(sheet.name)) return "proposed";
	return /operabl|exist/i.test(sheet.name) ? "operable" : null;
}

/** Schedule 3: all generators (3_1), or those of one technology. One sheet for each stage. */
export function readGenerators(sheets: readonly Table[]): Rows<GeneratorRow> {
	const rows = new RowAccount<GeneratorRow>();
	const notes = new RowNotes();
	const seen = new Set<string>();
	if (!sheets.some((sheet) => stageOf(sheet) === "operable")) {
		const names = sheets.map((sheet) => sheet.name).join(", ");
		throw new StructureError(`no sheet of operable generators among ${names.slice(0, 200)}`);
	}
	for (const sheet of sheets) {
		const stage = stageOf(sheet);
		if (stage === null) rows.dropSheet(sheet, "a sheet of another kind");
		else readSheet(sheet, stage, seen, rows, notes);
	}
	return accountOf(rows, notes);
}

function readSheet(
	sheet: Table,
	stage: Stage,
	seen: Set<string>,
	rows: RowAccount<GeneratorRow>,
	notes: RowNotes,
): void {
	const table = new HeadedTable(sheet, [spellings(...headers.plant), spellings(...headers.generator)], 10);
	const plantAt = column(table, ...headers.plant);
	const read = recordReader(table, generatorFields);
	for (const row of dataRows(table)) {
		const record = { ...read(row), stage };
		const { plant_id, generator_id } = record;
		const label = `${text(row[plantAt]) ?? "-"} ${generator_id ?? "-"}`;
		const key = `${plant_id}\n${generator_id}`;
		if (plant_id === null) rows.drop(isNote(row) ? "a note, no row of the table" : "no plant code", label);
		else if (generator_id === null) rows.drop("no generator id", label);
		else if (seen.has(key)) rows.drop("a second row of the same generator", label);
		else {
			seen.add(key);
			if (record.capacity_mw === null) notes.add("states no nameplate capacity", label);
			rows.keep(record);
		}
	}
}

/** Schedule 1. */
export const readUtilities = (sheet: Table) => readKeyed(sheet, "utility", utilityFields.utility_id, utilityFields);
/** Schedule 2. */
export const readPlants = (sheet: Table) => readKeyed(sheet, "plant", plantFields.plant_id, plantFields);

function readKeyed<Fields extends Record<"name", RecordField<string | null>> & Record<string, RecordField<unknown>>>(
	sheet: Table,
	kind: "utility" | "plant",
	number: RecordField<number | null>,
	fields: Fields,
): Rows<RecordOf<Fields>> {
	const table = new HeadedTable(sheet, [spellings(...number.headers), spellings(...fields.name.headers)], 10);
	const at = column(table, ...number.headers);
	const read = recordReader(table, fields);
	const rows = new RowAccount<RecordOf<Fields>>();
	const seen = new Set<number>();
	for (const row of dataRows(table)) {
		const label = text(row[at]) ?? text(row.find((cell) => text(cell) !== null));
		const key = number.read(row[at]);
		const record = read(row);
		if (key === null) rows.drop(isNote(row) ? "a note, no row of the table" : `no ${kind} number`, label);
		else if (seen.has(key)) rows.drop(`a second row of the same ${kind}`, label);
		else if (kind === "utility" && record.name === null) rows.drop("no utility name", label);
		else {
			seen.add(key);
			rows.keep(record);
		}
	}
	return accountOf(rows);
}
