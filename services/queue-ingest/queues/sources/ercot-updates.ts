/** The sheets of ERCOT's report that say what became of a request: approved for operation, inactive, cancelled. Pure. */
import type { Status, StatusBasis } from "#libs/contract/vocabulary.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { date, known, megawatts, text } from "#libs/files/values.ts";
import { fold, rawReader } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import type { Reading } from "../../sources/reading.ts";
import type { FiledRequest } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";
import { evidenceOf, inrPattern, inrRows } from "./ercot-details.ts";

interface Outcome {
	status: string;
	statusStd: Status;
	statusBasis: StatusBasis;
	/** True for an approval to energise or synchronise: the plant is being built, its status is as before. */
	energized: boolean;
}

/** One row of an update sheet. */
export interface Update extends Outcome {
	sheet: string;
	/** Day of the approval, inactivation or cancellation. */
	on: string | null;
	/** What the row says about the request itself, without its outcome. */
	request: FiledRequest;
}

interface UpdateSheet {
	/** Part of the sheet's name in every layout: since August 2019 the names no longer start with "Project". */
	words: string;
	/** Reports of before August 2019 have no such sheet. */
	since2019?: true;
	date: string[];
	/** Null: the category is unknown. */
	outcome: (category: string | null) => Outcome | null;
}

/** Until 2025 these sheets called batteries "Other", as they do what is neither: no technology can be read from it. */
const vagueFuels = { other: "Unknown" };

/** The three sheets that say what became of a request, by what their names hold. */
export const updateSheets: UpdateSheet[] = [
	{ words: "commissioning update", date: ["Approval Date"], outcome: commissioned },
	{
		words: "inactive projects",
		since2019: true,
		date: ["Inactive Date"],
		outcome: () => ({ status: "Inactive", statusStd: "Suspended", statusBasis: "filed", energized: false }),
	},
	{
		words: "cancellation update",
		date: ["Cancel Date", "Cancellation Date", "Cancelled Date"],
		outcome: () => ({ status: "Cancelled", statusStd: "Withdrawn", statusBasis: "filed", energized: false }),
	},
];

function commissioned(category: string | null): Outcome | null {
	const words = fold(category);
	if (words.startsWith("commercial operation")) {
		return {
			status: "Commercial Operation Approved by ERCOT",
			statusStd: "Operational",
			statusBasis: "milestone",
			energized: false,
		};
	}
	if (/^(synchronization|energization) approved/.test(words)) {
		return { status: "Active", statusStd: "Active", statusBasis: "milestone", energized: true };
	}
	return null;
}

/** The rows of an update sheet. A month without any leaves the sheet without rows, and perhaps without a header. */
export function readUpdates(sheet: Table, spec: UpdateSheet, reading: Reading): Update[] {
	if (!sheet.rows.some((row) => row.some((cell) => inrPattern.test(text(cell) ?? "")))) return [];
	const isCommissioning = spec.outcome(null) === null;
	const required = [["INR"], spec.date, ...(isCommissioning ? [["Commissioning Category"]] : [])];
	const table = new HeadedTable(sheet, required);
	const at = columnsOf(table, spec);
	const raw = rawReader(table, [{ header: "Size Category", kind: "text" }]);
	const origins = reading.found.rowsOf(table, cellsOf(at), { partial: true });
	reading.noteLeftovers(table);
	const updates: Update[] = [];
	for (const row of inrRows(table, at.inr, reading)) {
		const inr = text(row[at.inr]) ?? "";
		const category = text(row[at.category]);
		const outcome = spec.outcome(category);
		if (outcome === null) {
			reading.found.unknown("commissioning category", category ?? "");
			reading.found.drop("unknown commissioning category", inr);
			continue;
		}
		// The fuel is in words here, and coarser than in the details: as `type` it would look like a change.
		const fuel = known(row[at.fuel]);
		const request: FiledRequest = {
			...unfiled,
			number: inr,
			name: known(row[at.name]),
			county: known(row[at.county]),
			state: "TX",
			typeStd: standardTechnology(fuel, vagueFuels).typeStd,
			statusStd: "Active",
			statusBasis: outcome.statusBasis,
			capacityMw: megawatts(row[at.capacity]),
			evidence: evidenceOf(false, null, null),
			partial: true,
			raw: { ...raw(row), ...(fuel === null ? {} : { Fuel: fuel }) },
			origins: origins(row),
		};
		updates.push({ ...outcome, sheet: sheet.name.trim(), on: date(row[at.on]), request });
	}
	return updates;
}

function columnsOf(table: HeadedTable, spec: UpdateSheet) {
	return {
		inr: table.column("INR"),
		category: table.column("Commissioning Category"),
		on: table.column(...spec.date),
		name: table.column("Project Name"),
		county: table.column("County"),
		fuel: table.column("Fuel"),
		capacity: table.column("MW", "MW **", "Capacity (MW)"),
	};
}

const cellsOf = (at: ReturnType<typeof columnsOf>): cells.FieldsOfTable => ({
	queue_id: cells.by("number", cells.word(at.inr)),
	name: cells.text(at.name),
	county: cells.text(at.county),
	state: cells.together("list.constant"),
	type_std: cells.together("technology.tokens", at.fuel, at.name),
	status: cells.together("ercot.sheet_status", at.category),
	status_std: cells.together("ercot.sheet_status", at.category),
	status_basis: cells.together("ercot.sheet_status", at.category),
	capacity_mw: cells.megawatts(at.capacity),
	actual_cod: cells.together("ercot.outcome_date", at.on, at.category),
	withdrawn_date: cells.together("ercot.outcome_date", at.on, at.category),
	energized_date: cells.together("ercot.outcome_date", at.on, at.category),
	construction_stage: cells.together("stage.evidence", at.category),
});
