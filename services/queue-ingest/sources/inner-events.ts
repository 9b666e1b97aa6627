/** Reads the days of events in a list's rows, because a list is never older than its events. Pure. */
import { date } from "#libs/files/values.ts";
import type { ReadTable } from "./filed-cells.ts";

/** Fields with days of past events, excluding plans and days that an adapter derives. */
const eventFields = ["withdrawn_date", "actual_cod"];

/** Returns each day once, in ascending order. */
export function eventsOf(tables: readonly ReadTable[]): string[] {
	const days = new Set<string>();
	for (const { fields, cells } of tables) {
		const columns = eventFields.flatMap((name) => (fields[name]?.rule === "day" ? fields[name].columns : []));
		if (columns.length === 0) continue;
		for (const row of cells().values())
			for (const column of columns) {
				const day = date(row[column]);
				if (day !== null) days.add(day);
			}
	}
	return [...days].sort();
}

/** Returns the newest event up to the time `until`. A later day is an error, or a plan in a column of events. */
export const newestEvent = (events: readonly string[], until: string): string | undefined =>
	events.findLast((day) => day <= until.slice(0, 10));
