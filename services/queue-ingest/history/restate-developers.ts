/** Updates the developer of past states to the one known today for their filed name and request. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";

export const allStates = (tx: Transaction): Fragment => tx`select entry from project_versions`;

/** Entries of the requests in `ids`, and of every request filed under a name linked in this transaction. */
export const statesOf = (tx: Transaction, ids: Fragment): Fragment => tx`
	select entry from project_versions where project_id in (${ids})
	union
	select v.entry from developer_links k join project_versions v on v.developer = k.raw_name
	where k.linked_at = now()`;

/** Entries of `statesOf`, and of every request of the developers in `developers`. */
export const statesOfDevelopers = (tx: Transaction, ids: Fragment, developers: Fragment): Fragment => tx`
	${statesOf(tx, ids)}
	union
	select entry from project_versions where developer_id in (${developers})`;

/** Updates the developer of the states in `entries`. Write the developer links and the projects first. */
export async function restateDevelopers(tx: Transaction, entries: Fragment): Promise<void> {
	await tx`
		update project_versions v set developer_id = n.developer_id, developer_canonical = n.canonical_name, developer_tier = n.tier
		from (
			select s.entry, d.developer_id, d.canonical_name, coalesce(d.tier, 'unknown') as tier
			from project_versions s
			left join projects p on p.id = s.project_id
			left join lateral request_developer(s.project_id, s.developer) d on true
			where s.entry in (${entries})
				-- Withdrawn requests have no plant, so their earlier states keep the developer that was found through it.
				and not (d.developer_id is null and p.status_std is not distinct from 'Withdrawn' and s.status_std <> 'Withdrawn')) n
		where v.entry = n.entry and (v.developer_id, v.developer_canonical, coalesce(v.developer_tier, 'unknown'))
			is distinct from (n.developer_id, n.canonical_name, n.tier)`;
}
