/** Reads the sheets of ERCOT's report that contain outcomes of requests: approved for operation, inactive, canceled. Pure. */
import type { Status, StatusBasis } from "#libs/contract/vocabulary.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { date, known, text } from "#libs/files/values.ts";
import { type Collector, foldCase } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { FiledRequest } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";
import { evidenceOf, inrPattern, inrRows, repowerFields } from "./details.ts";

interface Outcome {
	status: string;
	statusStd: Status;
	statusBasis: StatusBasis;
	/** True for an approval to energize or synchronize: the plant is being built, and the status of the request does not change. */
	energized: boolean;
}

/** One row of an update sheet. */
export interface Update extends Outcome {
	/** Day of the approval, inactivation or cancellation. */
	on: string | null;
	/** Fields of the request in the row, without its outcome. */
	request: FiledRequest;
}

interface UpdateSheet {
	/** End of the sheet's name in every layout. Until July 2019, the name begins with "Project". */
	nameEnd: string;
	/** Reports before August 2019 have no such sheet. */
	since2019?: true;
	date: string[];
	/** Null if the category is unknown. */
	outcome: (category: string | null) => Outcome | null;
}

/** In these sheets, "Other" can be any technology: until 2025 it also stood for batteries. */
const vagueFuels = { other: "Unknown" };

/** The three sheets with outcomes. */
export const updateSheets: UpdateSheet[] = [
	{ nameEnd: "commissioning update", date: ["Approval Date"], outcome: commissioningOutcome },
	{
		nameEnd: "inactive projects",
		since2019: true,
		date: ["Inactive Date"],
		outcome: () => ({ status: "Inactive", statusStd: "Suspended", statusBasis: "filed", energized: false }),
	},
	{
		nameEnd: "cancellation update",
		date: ["Cancel Date", "Cancellation Date", "Cancelled Date"],
		outcome: () => ({ status: "Cancelled", statusStd: "Withdrawn", statusBasis: "filed", energized: false }),
	},
];

function commissioningOutcome(category: string | null): Outcome | null {
	const categoryKey = foldCase(category);
	if (categoryKey.startsWith("commercial operation")) {
		return {
			status: "Commercial Operation Approved by ERCOT",
			statusStd: "Operational",
			statusBasis: "milestone",
			energized: false,
		};
	}
	if (/^(synchronization|energization) approved/.test(categoryKey)) {
		return { status: "Active", statusStd: "Active", statusBasis: "milestone", energized: true };
	}
	return null;
}

/** Reads the rows of an update sheet. In a month without updates, the sheet has no rows and may have no header. */
export function readUpdates(sheet: Table, spec: UpdateSheet, collector: Collector): Update[] {
	if (!sheet.rows.some((row) => row.some((cell) => inrPattern.test(text(cell) ?? "")))) return [];
	const isCommissioning = spec.outcome(null) === null;
	const required = [["INR"], spec.date, ...(isCommissioning ? [["Commissioning Category"]] : [])];
	const table = new HeadedTable(sheet, required);
	const at = columnsOf(table, spec);
	const fields = fieldsOf(table, at);
	const read = collector.rowsOf(table, fields, {
		extras: [{ header: "Size Category", kind: "text" }],
		partial: true,
	});
	const updates: Update[] = [];
	for (const row of inrRows(table, at.inr, collector)) {
		const inr = fields.queue_id.read(row) ?? "";
		const category = text(row[at.category]);
		const outcome = spec.outcome(category);
		if (outcome === null) {
			collector.unknown("commissioning category", category ?? "");
			collector.drop("unknown commissioning category", inr);
			continue;
		}
		// Here the fuel is a word, and less specific than in the details sheets: as `type`, it would look like a change.
		const fuel = known(row[at.fuel]);
		const filedRequest = read(row, outcome);
		const raw = fuel === null ? filedRequest.raw : { ...filedRequest.raw, Fuel: fuel };
		const request = { ...filedRequest, number: inr, evidence: evidenceOf(false, null, null), raw };
		updates.push({ ...outcome, on: date(row[at.on]), request });
	}
	return updates;
}

function columnsOf(table: HeadedTable, spec: UpdateSheet) {
	return {
		inr: table.column("INR"),
		category: table.column("Commissioning Category"),
		on: table.column(...spec.date),
		name: table.column("Project Name"),
		fuel: table.column("Fuel"),
		capacity: table.column("MW", "MW **", "Capacity (MW)"),
	};
}

/** The fields of the outcome are determined later, together with the row of the details sheet (`applyUpdate`). */
const fieldsOf = (table: HeadedTable, at: ReturnType<typeof columnsOf>): TableFields<Outcome> => ({
	queue_id: filed.by("number", filed.word(at.inr)),
	name: filed.text(at.name),
	county: filed.text(table.column("County")),
	state: filed.from("list.constant", [], () => "TX"),
	type_std: filed.from(
		"technology.tokens",
		[at.fuel, at.name],
		(fuel) => standardTechnology(known(fuel), vagueFuels).typeStd,
	),
	...repowerFields(at),
	status: filed.together("ercot.sheet_status", at.category),
	status_std: filed.from("ercot.sheet_status", [at.category], () => "Active"),
	status_basis: filed.fact("ercot.sheet_status", [at.category], ({ statusBasis }) => statusBasis),
	capacity_mw: filed.megawatts(at.capacity),
	actual_cod: filed.together("ercot.outcome_date", at.on, at.category),
	withdrawn_date: filed.together("ercot.outcome_date", at.on, at.category),
	energized_date: filed.together("ercot.outcome_date", at.on, at.category),
	construction_stage: filed.together("stage.evidence", at.category),
	partial: filed.unstated(() => true),
});
