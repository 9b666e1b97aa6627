/** Decides which changes of developer in a list are deals, once the list and all of its changes have arrived. */
import type { z } from "zod";
import type { Events } from "#libs/contract/index.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { type MaEvent, settleMaEvents } from "./ma-events.ts";
import {
	type Candidate,
	type Deal,
	type FiledDeveloper,
	findDeals,
	type Judgment,
	judgeTransfers,
} from "./queue-transfers.ts";

type Project = z.output<Events["projectChanged"]["payload"]>["project"];

interface Snapshot {
	snapshot_id: number;
	region: Project["region"];
	/** The time and the day of the list. The day dates a deal. */
	as_of: string;
	day: string;
	rows: number;
}

/** A change of developer in a list. */
interface Row extends Candidate {
	project: Project;
}

/** Judges those of the lists whose changes have all arrived. The transaction must hold the lock of `lockMaEvents`. */
export async function judgeSnapshots(tx: Transaction, ids: number[]): Promise<void> {
	if (ids.length === 0) return;
	const complete = await tx<Snapshot[]>`
		update transfer_snapshots s set judged_at = now()
		where snapshot_id = any(${ids}::bigint[]) and judged_at is null and developer_changes <= (
			select count(*) from transfer_candidates c where c.snapshot_id = s.snapshot_id)
		returning snapshot_id, region, as_of, (as_of at time zone 'UTC')::date::text as day, rows`;
	for (const snapshot of complete.toSorted((a, b) => a.snapshot_id - b.snapshot_id)) await judgeSnapshot(tx, snapshot);
}

async function judgeSnapshot(tx: Transaction, snapshot: Snapshot): Promise<void> {
	const rows = await readCandidates(tx, snapshot);
	if (rows.length === 0) return;
	const judgment = judgeTransfers({
		rows: snapshot.rows,
		candidates: rows,
		isStillFiled: await readStillFiled(tx, snapshot, rows),
		isInNews: await readPairsInNews(tx, snapshot, rows),
	});
	await settleMaEvents(tx, eventsOf(judgment.deals, rows, snapshot), await readRefutedKeys(tx, rows));
	await recordOutcomes(tx, snapshot, judgment);
	await recordReviews(tx, snapshot, judgment);
}

/**
 * Rates the deals of these developers again, after a change of the developers or news of a deal. The transaction must hold the lock of
 * `lockMaEvents`.
 */
export async function reweighDeals(tx: Transaction, names: string[]): Promise<void> {
	const lowerNames = names.map((name) => name.toLowerCase());
	const snapshots = await tx<Snapshot[]>`
		select snapshot_id, region, as_of, (as_of at time zone 'UTC')::date::text as day, rows from transfer_snapshots
		where snapshot_id in (select snapshot_id from transfer_candidates where outcome = 'deal'
			and (lower(from_canonical) = any(${lowerNames}::text[]) or lower(to_canonical) = any(${lowerNames}::text[])))
		order by snapshot_id`;
	for (const snapshot of snapshots) {
		const rows = await readCurrentDeals(tx, snapshot);
		const deals = findDeals(rows, await readPairsInNews(tx, snapshot, rows));
		await settleMaEvents(
			tx,
			eventsOf(deals, rows, snapshot),
			rows.map(({ projectId }) => dealKey(snapshot, projectId)),
		);
	}
}

/** The changes of a list that are deals and have not been retracted. */
async function readCurrentDeals(tx: Transaction, snapshot: Snapshot): Promise<Row[]> {
	const rows = await readCandidates(tx, snapshot);
	const keys = rows.map(({ projectId }) => dealKey(snapshot, projectId));
	const published = await tx<
		{ key: string }[]
	>`select key from ma_events where key = any(${keys}::text[]) and not retracted`;
	const currentKeys = new Set(published.map(({ key }) => key));
	return rows.filter(({ projectId }) => currentKeys.has(dealKey(snapshot, projectId)));
}

const dealKey = ({ snapshot_id }: Snapshot, projectId: string): string =>
	JSON.stringify(["queue", snapshot_id, projectId]);

async function readCandidates(tx: Transaction, { snapshot_id }: Snapshot): Promise<Row[]> {
	return tx<Row[]>`
		select c.project_id as "projectId", c.project ->> 'status_std' as status, c.project ->> 'kind' = 'generation' as "isGeneration",
			c.correction as "isCorrection", c.project,
			jsonb_build_object('name', c.from_name, 'canonical', c.from_canonical, 'parent', f.parent_company,
				'known', coalesce(f.known, false)) as "from",
			jsonb_build_object('name', c.to_name, 'canonical', c.to_canonical, 'parent', t.parent_company,
				'known', coalesce(t.known, false)) as "to"
		from transfer_candidates c
		left join lateral (select parent_company, known from developers d
			where lower(d.canonical_name) = lower(c.from_canonical) order by known desc limit 1) f on true
		left join lateral (select parent_company, known from developers d
			where lower(d.canonical_name) = lower(c.to_canonical) order by known desc limit 1) t on true
		where c.snapshot_id = ${snapshot_id} order by c.project_id`;
}

async function readStillFiled(tx: Transaction, { region }: Snapshot, candidates: readonly Candidate[]) {
	const names = [...new Set(candidates.flatMap(({ from }) => from.name?.toLowerCase() ?? []))];
	const rows = await tx<{ name: string }[]>`
		select distinct lower(developer) as name from queue_developers
		where region = ${region} and lower(developer) = any(${names}::text[])`;
	const filed = new Set(rows.map(({ name }) => name));
	return (name: string) => filed.has(name.toLowerCase());
}

/** Pairs of known developers named by one article about a deal, published up to 180 days before or after the list. */
async function readPairsInNews(tx: Transaction, { as_of }: Snapshot, candidates: readonly Candidate[]) {
	const canonical = (developer: FiledDeveloper) => (developer.known ? (developer.canonical ?? []) : []);
	const names = [...new Set(candidates.flatMap(({ from, to }) => [from, to].flatMap(canonical)))];
	const rows = await tx<{ one: string; other: string }[]>`
		with named as (
			select m.article_id, d.canonical_name as name
			from developers d join article_matches m using (developer_id)
			where d.canonical_name = any(${names}::text[]) and m.event_type = 'ma'
				and m.published_at between ${as_of}::timestamptz - interval '180 days' and ${as_of}::timestamptz + interval '180 days')
		select distinct a.name as one, b.name as other
		from named a join named b on b.article_id = a.article_id and b.name <> a.name`;
	const pairs = new Set(rows.map(({ one, other }) => JSON.stringify([one, other])));
	return (seller: string, buyer: string) => pairs.has(JSON.stringify([seller, buyer]));
}

function eventsOf(deals: readonly Deal[], rows: readonly Row[], snapshot: Snapshot): MaEvent[] {
	const projects = new Map(rows.map(({ projectId, project }) => [projectId, project]));
	return deals.flatMap((deal) => {
		const project = projects.get(deal.projectId);
		return project === undefined ? [] : [eventOf(deal, project, snapshot)];
	});
}

function eventOf({ projectId, from, to, confidence, reason }: Deal, project: Project, snapshot: Snapshot): MaEvent {
	return {
		key: dealKey(snapshot, projectId),
		event_type: "queue_developer_change",
		asset_class: "queue_project",
		effective_on: snapshot.day,
		plant_id: null,
		generator_id: null,
		project_id: projectId,
		queue_id: project.queue_id,
		region: project.region,
		asset_name: project.name,
		capacity_mw: project.capacity_mw,
		technology: project.type_std,
		state: project.state,
		seller: from.name,
		seller_canonical: from.canonical,
		buyer: to.name,
		buyer_canonical: to.canonical,
		fraction_owned: null,
		source: "queue_snapshots",
		confidence,
		reason,
	};
}

/** Keys of deals that a correction refutes: the list names the previous developer again. */
async function readRefutedKeys(tx: Transaction, candidates: readonly Candidate[]): Promise<string[]> {
	const corrections = candidates
		.filter(({ isCorrection }) => isCorrection)
		.map(({ projectId, from, to }) => ({ project_id: projectId, seller: to.name, buyer: from.name }));
	const rows = await tx<{ key: string }[]>`
		select e.key
		from jsonb_to_recordset(${JSON.stringify(corrections)}::text::jsonb) as c (project_id text, seller text, buyer text)
		join ma_events e using (project_id, seller, buyer)
		where e.event_type = 'queue_developer_change' and not e.retracted`;
	return rows.map(({ key }) => key);
}

async function recordOutcomes(tx: Transaction, { snapshot_id }: Snapshot, { deals, heldDeals, renames }: Judgment) {
	const outcomes = [
		...deals.map(({ projectId }) => ({ project_id: projectId, outcome: "deal" })),
		...heldDeals.map(({ projectId }) => ({ project_id: projectId, outcome: "held" })),
		...renames.flatMap(({ projectIds }) => projectIds.map((project_id) => ({ project_id, outcome: "rename" }))),
	];
	await tx`
		update transfer_candidates c set outcome = coalesce(o.outcome, 'none')
		from transfer_candidates same
		left join jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) as o (project_id text, outcome text)
			on o.project_id = same.project_id
		where c.snapshot_id = ${snapshot_id} and same.snapshot_id = c.snapshot_id and same.project_id = c.project_id`;
}

async function recordReviews(tx: Transaction, snapshot: Snapshot, { heldDeals, renames }: Judgment): Promise<void> {
	const reviews = renames.map(({ from, to, projectIds }) => ({
		kind: "rename",
		old_developer: from,
		new_developer: to,
		project_ids: projectIds,
		reason: `${projectIds.length} projects changed developer at once and the old name is no longer filed: the new name may be an alias`,
	}));
	const holdReview = {
		kind: "recode",
		old_developer: null,
		new_developer: null,
		project_ids: heldDeals.map(({ projectId }) => projectId),
		reason: `more than 2 % of ${snapshot.rows} rows changed their developer at once: ${heldDeals.length} deals are held back`,
	};
	const rows = heldDeals.length === 0 ? reviews : [...reviews, holdReview];
	if (rows.length === 0) return;
	await tx`
		insert into ma_reviews (snapshot_id, region, as_of, kind, old_developer, new_developer, projects, project_ids, reason)
		select ${snapshot.snapshot_id}, ${snapshot.region}, ${snapshot.as_of}::timestamptz, kind, old_developer, new_developer,
			cardinality(project_ids), project_ids, reason
		from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (kind text, old_developer text, new_developer text,
			project_ids text[], reason text)`;
	await raiseDataVersion(tx);
}
