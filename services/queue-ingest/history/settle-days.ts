/** Corrections of the history: what was taken back, and what fills the time between two states. */
import type { Transaction } from "#libs/postgres/connect.ts";

/**
 * Each believed state of the requests in `settled` holds until the next one begins. Of two that begin at once the one that was written
 * later holds.
 */
export async function settleDays(tx: Transaction): Promise<void> {
	await tx`
		update project_versions v set valid_to = n.valid_to
		from (
			select entry, lead(valid_from) over (partition by project_id order by valid_from, version, entry) as valid_to
			from settled join project_versions on project_id = id where believed) n
		where v.entry = n.entry and v.valid_to is distinct from n.valid_to`;
}

/**
 * No day shows any more what the lists of this snapshot said: before the correction the list before them holds. After it, too, where that came
 * late: what `restored` put back says nothing new then.
 */
export async function disbelieve(tx: Transaction, snapshotId: number, restored: number): Promise<void> {
	await tx`drop table if exists settled`;
	await tx`create temporary table settled (id text) on commit drop`;
	await tx`
		with taken as (
			update project_versions v set believed = false
			where v.snapshot_id = ${snapshotId} and v.feed in (select feed from snapshot_files where snapshot_id = ${snapshotId})
			returning project_id)
		insert into settled select distinct project_id from taken`;
	await tx`
		with late as (
			update project_versions v set believed = false
			where v.snapshot_id = ${restored} and (
				select o.backfilled from project_versions o
				where o.project_id = v.project_id and o.believed and o.valid_from < v.valid_from
				order by o.valid_from desc, o.version desc, o.entry desc limit 1)
			returning project_id)
		insert into settled select project_id from late where not exists (select from settled where id = project_id)`;
	await settleDays(tx);
}
