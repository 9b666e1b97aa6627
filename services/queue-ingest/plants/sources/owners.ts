/** Schedule 4 of form EIA-860: who owns the generators that are not wholly their operator's. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { column, isNote, type RecordOf, recordReader, spellings } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount, RowNotes } from "../../sources/row-account.ts";
import { accountOf, headers, type OwnerRow, ownerFields, type Rows } from "./schedule.ts";

/** Shares of a generator within this of 1 are whole (rounding: three times .333). */
const tolerance = 0.02;
/** The most that a real generator has is 40. */
const maxOwners = 200;

/**
 * "Percent Owned" is a fraction of 1, in some old years of 100 (signals.md 5.1): if any generator's shares sum to 90 to 110, of
 * 100. Shares that do not sum to 1 are kept with a note; an invalid share is null.
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
			repeats(unit, found);
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

function repeats(unit: readonly OwnerRow[], found: OwnerRow): string | null {
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
