/** Days of events that a list's own rows tell of: no list is older than they are. Pure. */
import { date } from "#libs/files/values.ts";
import type { ReadTable } from "./filed-cells.ts";

/** Fields whose day lies in the past when a row states it. Plans, and days that an adapter makes of something else, are none. */
const eventFields = ["withdrawn_date", "actual_cod"];

/** Each day once, ascending. */
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

/** The newest until that moment: a day that lies beyond it is a slip, or a plan in a column of events. */
export const newestEvent = (events: readonly string[], until: string): string | undefined =>
	events.findLast((day) => day <= until.slice(0, 10));
