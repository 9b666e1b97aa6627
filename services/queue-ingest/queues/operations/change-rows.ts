/** Conditions and columns that all lists of changes share. */

import {
	anyOf,
	arrayText,
	type Filters,
	projectCondition,
	type Tag,
} from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { ChangeType, Status } from "#libs/contract/vocabulary.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { changesUntil, fewRequestsAt } from "../../history/past.ts";

/** The inherited filters apply to the request as it is today, or as of the past day. */
export interface ChangeFilters extends Filters, AsOf {
	/** `withdrawal`: a `status_change` to Withdrawn from another status. */
	change_type?: readonly (ChangeType | "withdrawal")[] | undefined;
	/** Standard status before a change of status (`old_status_std`) and after it (`new_status_std`). */
	old_status_std?: readonly Status[] | undefined;
	new_status_std?: readonly Status[] | undefined;
	/** Includes changes that come from another publisher rather than from a list. */
	include_evidence?: boolean | undefined;
	/** `row`: includes the request after each change, and all changes except `raw_update`, which `raw` includes. */
	include?: readonly ("row" | "raw")[] | undefined;
	project_id?: string | undefined;
	/** Days of the snapshots, UTC, both inclusive. */
	since?: string | undefined;
	until?: string | undefined;
}

/** Types of changes that a response contains only if the caller requests them. */
export const hiddenTypes = ["first_listed", "raw_update", "evidence_update"] as const satisfies ChangeType[];

/** Returns the condition on `changes c`. */
export function changeCondition<F = Fragment>(sql: Tag<F>, filters: ChangeFilters): F {
	const { region, change_type, include_evidence, include, project_id, since, until, as_of, ...others } = filters;
	const { old_status_std, new_status_std, ...requestFilters } = others;
	const parts: F[] = [];
	const when = <T>(value: T | undefined, part: (value: T) => F) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(region, (values) =>
		anyOf(
			values,
			(value) => sql`c.region = ${value}`,
			(all) => sql`c.region = any(${all}::text::text[])`,
		),
	);
	if (change_type === undefined && !include?.includes("raw")) parts.push(sql`c.change_type <> 'raw_update'`);
	if (change_type === undefined && !include?.includes("row"))
		parts.push(
			include_evidence === true
				? sql`c.change_type <> 'first_listed'`
				: sql`c.change_type not in ('evidence_update', 'first_listed')`,
		);
	when(change_type, (values) => {
		const withdrawal = sql`(c.change_type = 'status_change' and ${statusIn(sql, "new", ["Withdrawn"])}
			and not ${statusIn(sql, "old", ["Withdrawn"])})`;
		const types = values.filter((value) => value !== "withdrawal");
		if (types.length === 0) return withdrawal;
		const isOfType = anyOf(
			types,
			(value) => sql`c.change_type = ${value}`,
			(all) => sql`c.change_type = any(${all}::text::text[])`,
		);
		return types.length === values.length ? isOfType : sql`(${isOfType} or ${withdrawal})`;
	});
	when(old_status_std, (values) => sql`c.field_name in ('status', 'status_std') and ${statusIn(sql, "old", values)}`);
	when(new_status_std, (values) => sql`c.field_name in ('status', 'status_std') and ${statusIn(sql, "new", values)}`);
	when(project_id, (value) => sql`c.project_id = ${value}`);
	when(since, (value) => sql`c.detected_at >= ${value}::text::timestamptz`);
	when(until, (value) => sql`c.detected_at < ${value}::text::timestamptz + interval '1 day'`);
	when(as_of, (day) => changesUntil(sql, day));
	// Restricts the changes by their index on requests.
	when(requestFilters.id, (values) => sql`c.project_id = any(${arrayText(values)}::text::text[])`);
	if (Object.values(requestFilters).some((value) => value !== undefined))
		parts.push(
			sql`exists (select from ${fewRequestsAt(sql, { as_of })} p.id = c.project_id
				and ${projectCondition(sql, { ...requestFilters, population: "all", include_unlisted: true })})`,
		);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

/** Whether the request of change `c` had one of these standard statuses before (`old`) or after (`new`) the list that shows the change. */
function statusIn<F>(sql: Tag<F>, side: "old" | "new", statuses: readonly Status[]): F {
	const isValid =
		side === "old"
			? sql`h.valid_from < c.detected_at and (h.valid_to is null or h.valid_to >= c.detected_at)`
			: sql`h.valid_from <= c.detected_at and (h.valid_to is null or h.valid_to > c.detected_at)`;
	return sql`exists (select from project_history h where h.id = c.project_id and ${isValid}
		and h.status_std = any(${arrayText(statuses)}::text::text[]))`;
}
