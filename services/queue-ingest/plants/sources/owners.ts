/** Schedule 4 of form EIA-860: who owns the generators that are not wholly their operator's. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, number, text } from "#libs/files/values.ts";
import { column, generatorId, id, isNote, spellings, stateCode, stated, zip } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount, RowNotes } from "../../sources/row-account.ts";
import type { OwnerRow, Rows } from "./schedule.ts";

const plantCode = ["Plant Code", "plntcode", "plantcode"] as const;
const generator = ["Generator ID", "gencode"] as const;
const ownerName = ["Owner Name", "owner_n", "ownername"] as const;
const share = ["Percent Owned", "percent_ow"] as const;

/** Shares of a generator within this of 1 are whole (rounding: three times .333). */
const tolerance = 0.02;
/** The most that a real generator has is 40. */
const maxOwners = 200;

function columnsOf(table: HeadedTable) {
	return {
		plant: column(table, ...plantCode),
		generator: column(table, ...generator),
		ownerName: column(table, ...ownerName),
		ownerId: column(table, "Ownership ID", "owner_id", "ownership"),
		share: column(table, ...share),
		street: column(table, "Owner Street Address"),
		city: column(table, "Owner City"),
		state: column(table, "Owner State"),
		zip: column(table, "Owner Zip"),
		status: column(table, "Status"),
		plantName: column(table, "Plant Name"),
		plantState: column(table, "State"),
		utilityId: column(table, "Utility ID", "utilcode"),
		utilityName: column(table, "Utility Name", "utilname"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

/**
 * "Percent Owned" is a fraction of 1, in some old years of 100 (signals.md 5.1): if any generator's shares sum to 90 to 110, of
 * 100. Shares that do not sum to 1 are kept and noted; a share that is none is null.
 */
export function readOwners(sheet: Table): Rows<OwnerRow> {
	const needed = [spellings(...plantCode), spellings(...generator), spellings(...ownerName), spellings(...share)];
	const table = new HeadedTable(sheet, needed, 10);
	const at = columnsOf(table);
	const rows = dataRows(table);
	const scale = scaleOf(rows, at);
	const account = new RowAccount<OwnerRow>();
	const notes = new RowNotes();
	const units = new Map<string, OwnerRow[]>();
	for (const row of rows) {
		const label = `${text(row[at.plant]) ?? "-"} ${generatorId(row[at.generator]) ?? "-"}`;
		const record = toOwner(row, at, scale);
		if (typeof record === "string") {
			account.drop(record, label);
			continue;
		}
		const key = `${record.plant_id}\n${record.generator_id}`;
		const unit = units.get(key) ?? [];
		if (unit.length === 0) units.set(key, unit);
		if (unit.length === maxOwners || unit.some((other) => same(other, record))) {
			account.drop(unit.length === maxOwners ? `more than ${maxOwners} owners` : "exact repeat of another row", label);
			continue;
		}
		unit.push(record);
		record.position = unit.length;
		if (record.fraction === null) notes.add("states no share", label);
		account.keep(record);
	}
	for (const unit of units.values()) noteSum(unit, notes);
	return { rowsIn: account.rowsIn, records: account.kept, dropped: account.dropped, notes: notes.all };
}

function scaleOf(rows: Cell[][], at: Columns): number {
	const sums = new Map<string, number>();
	for (const row of rows) {
		const key = `${text(row[at.plant])}\n${generatorId(row[at.generator])}`;
		sums.set(key, (sums.get(key) ?? 0) + (number(row[at.share]) ?? 0));
	}
	return [...sums.values()].some((sum) => sum >= 90 && sum <= 110) ? 100 : 1;
}

/** The record, or why the row is none. */
function toOwner(row: Cell[], at: Columns, scale: number): OwnerRow | string {
	const plant_id = id(row[at.plant]);
	const generator_id = generatorId(row[at.generator]);
	const owner_name = stated(row[at.ownerName]);
	if (plant_id === null) return isNote(row) ? "a note, no row of the table" : "no plant code";
	if (generator_id === null) return "no generator id";
	if (owner_name === null) return "no owner named";
	const filed = number(row[at.share]);
	const fraction = filed === null ? null : Math.round((filed / scale) * 1e6) / 1e6;
	if (fraction !== null && (fraction < 0 || fraction > 1)) return "a share below 0 or above the whole";
	return {
		plant_id,
		generator_id,
		position: 0,
		owner_id: id(row[at.ownerId]),
		owner_name,
		fraction,
		owner_street: stated(row[at.street]),
		owner_city: stated(row[at.city]),
		owner_state: stateCode(row[at.state]),
		owner_zip: zip(row[at.zip]),
		status: stated(row[at.status])?.slice(0, 10) ?? null,
		plant_name: stated(row[at.plantName]),
		state: stateCode(row[at.plantState]),
		utility_id: id(row[at.utilityId]),
		utility_name: stated(row[at.utilityName]),
	};
}

const same = (a: OwnerRow, b: OwnerRow): boolean =>
	a.owner_id === b.owner_id &&
	a.owner_name === b.owner_name &&
	a.fraction === b.fraction &&
	a.owner_street === b.owner_street;

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
