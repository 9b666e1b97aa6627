/** The history of requests: each state with the days it holds for, and its place in the change feed. Set-based. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { stateColumns } from "./state-columns.ts";

export interface NewStates {
	snapshotId: number;
	/** ISO moment from which they hold: that of the list, or of the edition that says so. */
	from: string;
	/** Written for another reason than a list of the request: it begins no earlier than what it amends. */
	derived?: boolean;
}

/**
 * Puts the present state of the requests in `written` behind the one before. A list's state holds from the list's day on, whatever was
 * learnt of the request later from elsewhere: the row of the request has that, too. Expects the schema-wide write lock.
 */
export async function writeHistory(tx: Transaction, { snapshotId, from, derived = false }: NewStates): Promise<void> {
	await tx`drop table if exists begun`;
	await tx`
		create temporary table begun on commit drop as
		select p.id, p.version, greatest(${from}::text::timestamptz, before.valid_from) as valid_from,
			coalesce(own.seq, newest.seq) as seq, ${snapshotId}::bigint as snapshot_id
		from written w join projects p on p.id = w.id
		cross join (select coalesce(max(seq), 0) as seq from changes) newest
		cross join lateral (
			select max(v.valid_from) as valid_from
			from project_versions v where v.project_id = p.id and v.believed and (${derived} or not v.derived)) before
		cross join lateral (
			select min(c.seq) as seq from changes c where c.project_id = p.id and c.version = p.version) own`;
	await tx`
		update project_versions v set
			seq_to = case when v.seq_from is null then null else coalesce(v.seq_to, greatest(v.seq_from, b.seq)) end,
			believed = v.believed and v.valid_from <= b.valid_from,
			valid_to = case when v.valid_to is null or v.valid_to > b.valid_from then greatest(v.valid_from, b.valid_from)
				else v.valid_to end
		from begun b
		where v.project_id = b.id and (v.valid_to is null or v.valid_to > b.valid_from or v.seq_from is not null and v.seq_to is null)`;
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, seq_from, snapshot_id, derived, ${stateColumns.join(", ")})
		select b.id, b.version, b.valid_from, b.seq, b.snapshot_id, $1, ${stateColumns.map((name) => `p.${name}`).join(", ")}
		from begun b join projects p using (id)`,
		[derived],
	);
}
