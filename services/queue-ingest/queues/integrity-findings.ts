/** Which requests cannot be as they are filed, or no longer move: conditions on columns of `projects`. */
import type { IntegrityFinding } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

/** The oldest queue date that an operator files is of 1996 (ISO-NE's). */
const firstQueue = "1996-01-01";
/** The farthest projected date in the lists lies ten years ahead. */
const farthestYears = 20;

/** Of requests that the newest list shows: of others nothing is filed any more. `at` is now. */
export function findingCondition(sql: Sql, finding: IntegrityFinding, at: Date): Fragment {
	const now = sql`${at.toISOString()}::timestamptz`;
	const today = sql`(${now} at time zone 'UTC')::date`;
	const conditions: Record<IntegrityFinding, Fragment> = {
		// queues.md 4.4.
		zombies: sql`status_std = 'Active' and cod < (${now} - interval '3 years')::date
			and last_changed_at < ${now} - interval '24 months'`,
		cod_before_queue_date: sql`least(cod, actual_cod) < queue_date`,
		// A date that is not filed is none: greatest and least leave it out.
		implausible_date: sql`(least(cod, actual_cod) < ${firstQueue}::text::date
			or cod > ${today} + make_interval(years => ${farthestYears})
			or greatest(queue_date, actual_cod, withdrawn_date) > ${today})`,
		// What another publisher knows to run has its day in the evidence.
		operational_without_date: sql`status_std = 'Operational' and status_basis is distinct from 'other_source' and actual_cod is null and energized_date is null`,
	};
	return sql`kind = 'generation' and listed = 'listed' and ${conditions[finding]}`;
}
