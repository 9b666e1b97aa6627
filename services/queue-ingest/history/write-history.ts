/** Writes the history of requests: each state with the days on which it is valid. Set-based. */
import { fieldsOfProject } from "#libs/contract/records/project.ts";
import type { Transaction } from "#libs/postgres/connect.ts";

type Kept = "disappeared_at" | "as_filed" | "key" | "unit" | "row_hash";
type Shown = Exclude<(typeof fieldsOfProject)[number]["name"], "id" | "version">;

/** Columns of a request's state: those of `projects` except the id, the version, the text for searches and values that past states lack. */
export const stateColumns: readonly (Shown | Kept)[] = [
	...fieldsOfProject.flatMap(({ name }) => (name === "id" || name === "version" ? [] : [name])),
	...(["disappeared_at", "as_filed", "key", "unit", "row_hash"] as const),
];

interface NewStates {
	snapshotId: number;
	/** ISO time from which the states are valid: the time of the list or of the other publisher's edition. */
	from: string;
	/** True for states derived from another source, which start no earlier than the states that they amend. */
	derived?: boolean;
}

/**
 * Appends the present state of the requests in `written`. The state of a list is valid from the day of the list, even if it includes evidence of
 * a later day. Requires the schema-wide write lock.
 */
export async function writeHistory(tx: Transaction, { snapshotId, from, derived = false }: NewStates): Promise<void> {
	await tx`drop table if exists begun`;
	await tx`
		create temporary table begun on commit drop as
		select p.id, greatest(${from}::text::timestamptz, before.valid_from) as valid_from
		from written w join projects p on p.id = w.id
		cross join lateral (
			select max(v.valid_from) as valid_from
			from project_versions v where v.project_id = p.id and (${derived} or not v.derived)) before`;
	await tx`
		delete from project_versions v using begun b where v.project_id = b.id and v.valid_from > b.valid_from`;
	await tx`
		update project_versions v set valid_to = b.valid_from
		from begun b where v.project_id = b.id and (v.valid_to is null or v.valid_to > b.valid_from)`;
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, snapshot_id, derived, ${stateColumns.join(", ")})
		select b.id, p.version, b.valid_from, $1::bigint, $2, ${stateColumns.map((name) => `p.${name}`).join(", ")}
		from begun b join projects p using (id)`,
		[snapshotId, derived],
	);
}
