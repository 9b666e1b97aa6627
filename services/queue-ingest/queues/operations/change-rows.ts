/** What the lists of changes share: which rows the filters choose, and what is shown of a row. */
import type { ChangeType, Region } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";

export interface ChangeFilters {
	region?: Region | undefined;
	change_type?: ChangeType | undefined;
	project_id?: string | undefined;
	developer?: string | undefined;
	/** Days of the snapshots, UTC, both inclusive. */
	since?: string | undefined;
	until?: string | undefined;
}

/** The condition on `changes c`. */
export function changeCondition(sql: Sql, filters: ChangeFilters): Fragment {
	const parts: Fragment[] = [];
	const when = <T>(value: T | undefined, part: (value: T) => Fragment) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.region, (value) => sql`c.region = ${value}`);
	when(filters.change_type, (value) => sql`c.change_type = ${value}`);
	when(filters.project_id, (value) => sql`c.project_id = ${value}`);
	when(filters.since, (value) => sql`c.detected_at >= ${value}::text::timestamptz`);
	when(filters.until, (value) => sql`c.detected_at < ${value}::text::timestamptz + interval '1 day'`);
	when(
		filters.developer,
		(value) => sql`exists (select from projects p where p.id = c.project_id
			and (p.developer ilike ${containing(value)} or p.developer_canonical ilike ${containing(value)}))`,
	);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

/** Columns of a change, of `changes c`. */
export const changeColumns = (sql: Sql): Fragment => sql`
	c.seq, iso(c.detected_at) as detected_at, c.project_id, c.queue_id, c.region, c.kind, c.change_type, c.field_name, c.old_value,
	c.new_value, c.project_name, c.developer_canonical, c.capacity_mw, c.type_std, c.state`;
