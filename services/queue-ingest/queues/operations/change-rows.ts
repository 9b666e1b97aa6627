/** Conditions and columns that all lists of changes share. */

import {
	anyOf,
	arrayText,
	type Filters,
	projectCondition,
	type Tag,
} from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { ChangeType } from "#libs/contract/vocabulary.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { changesUntil, fewAt } from "../../history/past.ts";

/** Inherited filters apply to the request as it is now, or as of the past day. */
export interface ChangeFilters extends Filters, AsOf {
	change_type?: readonly ChangeType[] | undefined;
	/** Changes that follow another publisher are not changes of a list: they are excluded unless the caller requests them. */
	include_evidence?: boolean | undefined;
	/** `row`: includes the request after each change, and all changes except `raw_update`, which `raw` includes. */
	include?: readonly ("row" | "raw")[] | undefined;
	project_id?: string | undefined;
	/** Days of the snapshots, UTC, both inclusive. */
	since?: string | undefined;
	until?: string | undefined;
}

/** Kinds that are left out unless the caller requests them. */
export const hiddenTypes = ["first_listed", "raw_update", "evidence_update"] as const satisfies ChangeType[];

/** The condition on `changes c`. */
export function changeCondition<F = Fragment>(sql: Tag<F>, filters: ChangeFilters): F {
	const { region, change_type, include_evidence, include, project_id, since, until, as_of, ...ofRequest } = filters;
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
	when(change_type, (values) =>
		anyOf(
			values,
			(value) => sql`c.change_type = ${value}`,
			(all) => sql`c.change_type = any(${all}::text::text[])`,
		),
	);
	when(project_id, (value) => sql`c.project_id = ${value}`);
	when(since, (value) => sql`c.detected_at >= ${value}::text::timestamptz`);
	when(until, (value) => sql`c.detected_at < ${value}::text::timestamptz + interval '1 day'`);
	when(as_of, (day) => changesUntil(sql, day));
	// Uses an index of changes by request.
	when(ofRequest.id, (values) => sql`c.project_id = any(${arrayText(values)}::text::text[])`);
	if (Object.values(ofRequest).some((value) => value !== undefined))
		parts.push(
			sql`exists (select from ${fewAt(sql, { as_of })} p.id = c.project_id
				and ${projectCondition(sql, { ...ofRequest, population: "all", include_unlisted: true })})`,
		);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}
