/**
 * The developer of states of the past is the one that their facts lead to as known now: it belongs to the days of these facts, not to the moment at
 * which it was found. In the order of loading they keep what was known. Set-based.
 */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { stateColumns } from "./state-columns.ts";

/** A state that some day shows, of `project_versions v`. */
const held = "v.believed and (v.valid_to is null or v.valid_to > v.valid_from)";

/** What a link by a plant rests on: the request of then is the one of now. Its company's name alone leads to the others. */
const isOfSameFacts = `
	(v.developer is not distinct from p.developer or spelling(v.developer) is not distinct from spelling(p.developer))
	and (l.project_id is not null and l.plant_id is null
		or (v.status_std = 'Withdrawn') = (p.status_std = 'Withdrawn') and v.state is not distinct from p.state
			and v.counties is not distinct from p.counties
			and (v.name is not distinct from p.name or spelling(v.name) is not distinct from spelling(p.name)))`;

/** Of every state. */
export const allStates = (tx: Transaction): Fragment => tx`select entry from project_versions where believed`;

/** Of the requests in `ids`, and of every request that was filed under a name that was linked in this transaction. */
export const statesOf = (tx: Transaction, ids: Fragment): Fragment => tx`
	select entry from project_versions where believed and project_id in (${ids})
	union
	select v.entry from developer_links k join project_versions v on v.developer = k.raw_name
	where k.linked_at = now() and v.believed`;

/** The same, and of every request of the developers in `developers`. */
export const statesOfDevelopers = (tx: Transaction, ids: Fragment, developers: Fragment): Fragment => tx`
	${statesOf(tx, ids)}
	union
	select entry from project_versions where believed and developer_id in (${developers})`;

/**
 * Of the states in `entries`: what a person said of the request holds for its states under the name that is filed now; a name that was filed is
 * whose it is known to be now; what was found behind a request is so of its states with the same facts. What rests on other facts stays, under the developer's name and tier of now. Expects the links and the requests themselves written.
 */
export async function restateDevelopers(tx: Transaction, entries: Fragment): Promise<void> {
	await tx`drop table if exists restating`;
	await tx`
		create temporary table restating on commit drop as
		select v.entry, v.seq_from is not null as is_numbered, d.developer_id, d.canonical_name, coalesce(d.tier, 'unknown') as tier
		from project_versions v
		left join named_developers n on n.raw_name = v.developer
		left join projects p on p.id = v.project_id and n.raw_name is null
		left join project_developers l on l.project_id = p.id
		left join developer_links k on k.raw_name = v.developer and k.linked_at = now()
		left join corrections c on c.project_id = v.project_id and c.about = 'request' and c.ended_at is null
		left join projects q on q.id = c.project_id
		cross join lateral (select case
			when c.correction_id is not null and spelling(v.developer) is not distinct from spelling(q.developer) then c.developer_id
			when n.raw_name is not null then n.developer_id
			when p.id is not null and ${tx.unsafe(isOfSameFacts)} then l.developer_id
			-- The name was another's until now.
			when k.raw_name is null then v.developer_id end as developer_id) w
		left join developers d on d.developer_id = w.developer_id
		where v.entry in (${entries}) and ${tx.unsafe(held)}
			and (v.developer_id, v.developer_canonical, coalesce(v.developer_tier, 'unknown'))
				is distinct from (d.developer_id, d.canonical_name, coalesce(d.tier, 'unknown'))`;
	const [any] = await tx<{ exists: boolean }[]>`select exists (select from restating) as exists`;
	if (any?.exists !== true) return;
	await tx`
		update project_versions v set developer_id = r.developer_id, developer_canonical = r.canonical_name, developer_tier = r.tier
		from restating r where r.entry = v.entry and not r.is_numbered`;
	await followInOrder(tx);
}

const others = stateColumns.filter((name) => !["developer_id", "developer_canonical", "developer_tier"].includes(name));

/** A state that has a place in the order of loading keeps it, and gives its days to one that has none. */
async function followInOrder(tx: Transaction): Promise<void> {
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, valid_to, snapshot_id, derived,
			developer_id, developer_canonical, developer_tier, ${others.join(", ")})
		select v.project_id, v.version, v.valid_from, v.valid_to, v.snapshot_id, true, r.developer_id, r.canonical_name, r.tier,
			${others.map((name) => `v.${name}`).join(", ")}
		from restating r join project_versions v using (entry) where r.is_numbered order by r.entry`,
	);
	await tx`
		update project_versions v set valid_to = v.valid_from from restating r where r.entry = v.entry and r.is_numbered`;
}

/**
 * The requests in `relinked` have another developer and a new version: from here on in the order of loading, and on all days of the state before, whose
 * place it takes.
 */
export async function restatePresent(tx: Transaction): Promise<void> {
	await tx`drop table if exists ended`;
	await tx`
		create temporary table ended on commit drop as
		select distinct on (v.project_id) v.entry, v.project_id, v.valid_from, v.valid_to, v.snapshot_id, ${tx.unsafe(held)} as is_held
		from relinked r join project_versions v on v.project_id = r.id
		where v.seq_from is not null and v.seq_to is null
		order by v.project_id, v.version desc, v.entry desc`;
	await tx`
		update project_versions v set valid_to = case when e.is_held then v.valid_from else v.valid_to end,
			seq_to = greatest(v.seq_from, (select coalesce(max(seq), 0) from changes))
		from ended e where e.entry = v.entry`;
	await tx.unsafe(
		`insert into project_versions (project_id, version, valid_from, valid_to, seq_from, snapshot_id, derived, believed,
			${stateColumns.join(", ")})
		select p.id, p.version, e.valid_from, e.valid_to, (select coalesce(max(seq), 0) from changes), e.snapshot_id, true, e.is_held,
			${stateColumns.map((name) => `p.${name}`).join(", ")}
		from ended e join projects p on p.id = e.project_id`,
	);
}
