/** Copies requests, list days and developers from queue-ingest. A change queues the scores and ratings that depend on it. */
import type { Reaction } from "#libs/bus/events/react.ts";
import { developerChanged, projectChanged, sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Project } from "#libs/contract/records/project.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { copyRows } from "#libs/postgres/events/copies.ts";
import { newestOfEach } from "#libs/postgres/events/inbox.ts";
import { cumulativeSlipDays, factFields } from "../domain/facts.ts";
import {
	enqueueDevelopers,
	enqueueFeeds,
	enqueuePeers,
	enqueueProjects,
	lockCopies,
	lockScoring,
} from "../tables/recompute-queue.ts";

export const copyProjects: Reaction<typeof projectChanged> = {
	service: "scoring",
	name: "copy-projects",
	event: projectChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const advanced = await recordListDays(tx, events);
		await enqueueFeeds(tx, advanced);
		const copied = await copyRequests(tx, newestOfEach(events, (event) => event.project.id).map(rowOf));
		const differing = copied.filter(({ recompute }) => recompute);
		const projects = differing.flatMap(({ project_id: id, scorable, twins }) => (scorable ? [id, ...twins] : twins));
		const developers = differing.flatMap(({ before_developer, developer_id }) => [before_developer, developer_id]);
		const peers = differing.flatMap(({ peer_regions }) => peer_regions);
		await enqueueProjects(tx, projects);
		await enqueueDevelopers(tx, developers);
		await enqueuePeers(tx, peers);
		if (copied.some(({ differs }) => differs) || advanced.length > 0) await raiseDataVersion(tx);
	},
};

type ProjectChanged = Parameters<(typeof copyProjects)["handler"]>[1][number];

/**
 * Records the day of each feed's newest list. The newest list is the one with the highest snapshot number, not the latest day: an older list
 * may replace a retracted one, and past real lists replace the bundled sample. A republished event has no number, only the time of its last
 * change.
 * @returns the feeds that now have a newer list
 */
async function recordListDays(tx: Transaction, events: readonly ProjectChanged[]): Promise<string[]> {
	const rows = events.map(({ project: { feed }, as_of, snapshot_id }) => ({
		feed,
		as_of,
		snapshot_id: snapshot_id ?? 0,
	}));
	const advanced = await tx<{ feed: string }[]>`
		insert into feeds as t (feed, as_of, snapshot_id)
		select distinct on (feed) feed, as_of, snapshot_id
		from json_populate_recordset(null::feeds, ${JSON.stringify(rows)}::text::json)
		order by feed, snapshot_id desc, as_of desc
		on conflict (feed) do update set as_of = excluded.as_of, snapshot_id = excluded.snapshot_id
			where (excluded.snapshot_id, excluded.as_of) > (t.snapshot_id, t.as_of)
		returning feed`;
	return advanced.map(({ feed }) => feed);
}

/** Fields from which scores are computed (`factFields`), and fields returned with scores. */
const scoredFields = [
	...factFields,
	...(["feed", "queue_id", "county", "developer", "developer_canonical", "listed"] as const),
] as const;
/** Fields that do not affect scores, but filter lists or select the neighbors whose costs are returned. */
const filterFields = [
	...(["status", "ia_status_filed", "construction_stage_confidence"] as const),
	...(["lat", "lon", "last_changed_at", "utility"] as const),
] as const;
const copiedFields = [...scoredFields, ...filterFields];
const filterColumns = filterFields.join(", ");
const columns = `project_id, ${copiedFields.join(", ")}, located, cod_changes, cod_slip_days, snapshot_id, shown, version`;

/** Returns only the copied fields, because PostgreSQL takes as long to read a field that it drops as one that it stores. */
const rowOf = ({ project, cod_changes, snapshot_id, version }: ProjectChanged) => ({
	project_id: project.id,
	...(Object.fromEntries(copiedFields.map((name) => [name, project[name]])) as Pick<
		Project,
		(typeof copiedFields)[number]
	>),
	developer_tier: project.developer_tier ?? "unknown",
	located: project.location_precision === "poi" || project.location_precision === "county",
	cod_changes,
	cod_slip_days: cod_changes.length === 0 ? null : cumulativeSlipDays(cod_changes, project.cod),
	snapshot_id,
	shown: project.investability_score !== null,
	version,
});

interface Copied {
	project_id: string;
	/** Whether any column has changed, except those that `comparedColumns` ignores. */
	differs: boolean;
	/** Whether a column other than those of `filterFields` has changed. */
	recompute: boolean;
	/** Whether the request is or was open or published. Nothing is computed for the other requests, two thirds of a list. */
	scorable: boolean;
	before_developer: number | null;
	developer_id: number | null;
	/** Other requests that, by this request's old or new values, look like the same request filed twice. */
	twins: string[];
	/** Operators whose withdrawal rate may have changed. Developers are compared with that rate. */
	peer_regions: string[];
}

const comparedColumns = (row: string, without: string): string =>
	`(to_jsonb(${row}) - '{version, snapshot_id, shown${without && `, ${without}`}}'::text[])`;

/** Copies the rows that are newer than their copies. Ignores late events about the bundled sample. */
function copyRequests(tx: Transaction, rows: readonly ReturnType<typeof rowOf>[]): Promise<Copied[]> {
	const where = tx`snapshot_id is null or snapshot_id >= (select sample_until from settings)`;
	const differing = (without: string) =>
		tx.unsafe(`${comparedColumns("b", without)} is distinct from ${comparedColumns("c", without)}`);
	return tx<Copied[]>`
		${copyRows(tx, "projects", columns, rows, { where, retained: "snapshot_id" })}
		select c.project_id, c.developer_id, b.developer_id as before_developer,
			b.project_id is null or ${differing("")} as differs,
			b.project_id is null or ${differing(filterColumns)} as recompute,
			c.open or c.shown or coalesce(b.open, false)
				or exists (select from published_scores t where t.project_id = c.project_id) as scorable,
			case when b.twin_key is not distinct from c.twin_key then '{}' else array(
				select p.project_id from projects p where p.twin_key in (b.twin_key, c.twin_key) and p.project_id <> c.project_id)
			end as twins,
			case when (b.region, b.kind, b.status_std, b.listed, b.queue_date)
					is not distinct from (c.region, c.kind, c.status_std, c.listed, c.queue_date)
				then '{}' else array_remove(array[b.region, c.region], null) end as peer_regions
		from copied c left join before b using (project_id)`;
}

export const copyDevelopers: Reaction<typeof developerChanged> = {
	service: "scoring",
	name: "copy-developers",
	event: developerChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const newest = newestOfEach(events, (event) => event.developer_id).map((event) => ({
			...event,
			aliases: event.aliases.map(({ alias }) => alias),
		}));
		const differing = await tx<{ developer_id: number }[]>`
			${copyRows(tx, "developers", "developer_id, canonical_name, tier, company_kind, aliases, known, version", newest)}
			select c.developer_id from copied c left join before b using (developer_id)
			where (b.canonical_name, b.tier, b.company_kind, b.aliases, b.known)
				is distinct from (c.canonical_name, c.tier, c.company_kind, c.aliases, c.known)`;
		const developers = differing.map((row) => row.developer_id);
		await enqueueDevelopers(tx, developers);
		if (developers.length > 0) await raiseDataVersion(tx);
	},
};

/** Deletes the bundled sample's requests and developers when queue-ingest has removed them. */
export const removeSampleData: Reaction<typeof sampleLeft> = {
	service: "scoring",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		// Waits for a running computation, which may refer to the rows deleted here.
		await lockScoring(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		// A request that a later list contains is retained.
		const until = Math.max(...events.map(({ version }) => version));
		// An event without developers removed only distributed generation, so late events about the sample's requests remain valid.
		if (developers.length > 0) await tx`update settings set sample_until = greatest(sample_until, ${until})`;
		await lockCopies(tx);
		const removed = await tx<
			{ project_id: string; developer_id: number | null; region: string; twin_key: string | null }[]
		>`
			delete from projects where project_id = any(${projects}::text[]) and coalesce(snapshot_id, 0) < ${until}
			returning project_id, developer_id, region, twin_key`;
		const ids = removed.map((row) => row.project_id);
		for (const table of ["score_versions", "published_scores", "project_recompute_queue"])
			await tx`delete from ${tx(table)} where project_id = any(${ids}::text[])`;
		for (const table of ["developer_rating_versions", "developers", "developer_recompute_queue"])
			await tx`delete from ${tx(table)} where developer_id = any(${developers}::integer[])`;
		const twins = removed.flatMap(({ twin_key }) => twin_key ?? []);
		const others = await tx<{ project_id: string }[]>`
			select project_id from projects where twin_key = any(${twins}::text[]) or developer_id = any(${developers}::integer[])`;
		const otherIds = others.map((row) => row.project_id);
		await enqueueProjects(tx, otherIds);
		const deleted = new Set(developers);
		const remaining = removed.map((row) => row.developer_id).filter((id) => id !== null && !deleted.has(id));
		await enqueueDevelopers(tx, remaining);
		const regions = removed.map((row) => row.region);
		await enqueuePeers(tx, regions);
		await raiseDataVersion(tx);
	},
};
