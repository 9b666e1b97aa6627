/** The form of every table of the law: rows that hold between two days. */
import type { Citation } from "../types.ts";

export interface Row {
	readonly law: Citation;
}

/** `from` and `to` are inclusive; null: no limit. */
export function law(rule: string, citation: string, from: string | null, to: string | null): Citation {
	return Object.freeze({ rule, citation, valid_from: from, valid_to: to });
}

/** The row in force on a day, `YYYY-MM-DD`; undefined before the first and after the last. */
export function rowAt<T extends Row>(rows: readonly T[], day: string): T | undefined {
	for (const row of rows) {
		const { valid_from: from, valid_to: to } = row.law;
		if ((from === null || from <= day) && (to === null || day <= to)) return row;
	}
	return undefined;
}
