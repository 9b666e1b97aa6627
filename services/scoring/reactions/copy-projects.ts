/** Keeps the copy of projects; what is scored of them, and of their developers before and now, is computed again. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueDevelopers, enqueueFeeds, enqueuePeers, enqueueProjects, lockCopies } from "../jobs/recompute-queue.ts";
import { columns, filterColumns, type Incoming, incomingRows, type ProjectChanged, rowOf } from "./incoming.ts";

export const copyProjects: Reaction<typeof projectChanged> = {
	service: "scoring",
	name: "copy-projects",
	event: projectChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const advanced = await noteListDays(tx, events);
		await enqueueFeeds(tx, advanced);
		const copied = await copy(tx, newestOfEach(events, (event) => event.project.id).map(rowOf));
		const differing = copied.filter(({ recompute }) => recompute);
		await enqueueProjects(
			tx,
			differing.flatMap(({ project_id, counts, twins }) => (counts ? [project_id, ...twins] : twins)),
		);
		await enqueueDevelopers(
			tx,
			differing.flatMap(({ before_developer, developer_id }) => [before_developer, developer_id]),
		);
		await enqueuePeers(
			tx,
			differing.flatMap(({ operators }) => operators),
		);
		if (copied.some(({ differs }) => differs) || advanced.length > 0) await raiseDataVersion(tx);
	},
};

/**
 * Answers the lists of which these events show a newer one: by the number of the snapshot, because a list that is taken back is
 * followed by an older one, and the bundled sample by real lists of the past. What is said again has no number, only the time of its last change.
 */
async function noteListDays(tx: Transaction, events: readonly ProjectChanged[]): Promise<string[]> {
	const rows = events.map(({ project, as_of, snapshot_id }) => ({
		feed: project.feed,
		as_of,
		snapshot_id: snapshot_id ?? 0,
	}));
	const advanced = await tx<{ feed: string }[]>`
		insert into feeds as t (feed, as_of, snapshot_id)
		select distinct on (feed) feed, as_of, snapshot_id
		from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (feed text, as_of timestamptz, snapshot_id bigint)
		order by feed, snapshot_id desc, as_of desc
		on conflict (feed) do update set as_of = excluded.as_of, snapshot_id = excluded.snapshot_id
			where (excluded.snapshot_id, excluded.as_of) > (t.snapshot_id, t.as_of)
		returning feed`;
	return advanced.map(({ feed }) => feed);
}

interface Copied {
	project_id: string;
	/** From what was known before, the version apart. */
	differs: boolean;
	/** In more than what lists are only filtered by. */
	recompute: boolean;
	/** Is or was open, or was published: of the others, two thirds of a list, there is nothing to compute. */
	counts: boolean;
	before_developer: number | null;
	developer_id: number | null;
	/** Others that look like the same request filed twice, as before or as now. */
	twins: string[];
	/** Of whose requests others are now withdrawn, or others were made. */
	operators: string[];
}

const excluded = columns.replaceAll(/\w+/g, "excluded.$&");

/** As JSON, without what is of no account and `less`. */
const factsOf = (row: string, less: string): string =>
	`(to_jsonb(${row}) - '{version, snapshot_id, shown${less && `, ${less}`}}'::text[])`;

/** In the order of their ids: two replicas that copy overlapping sets do not wait for each other in a circle. */
function copy(tx: Transaction, rows: readonly Incoming[]): Promise<Copied[]> {
	return tx.unsafe<Copied[]>(
		`with incoming as (${incomingRows}),
		before as materialized (select p.* from projects p join incoming using (project_id)),
		copied as (
			insert into projects as t (project_id, ${columns}, snapshot_id, shown, version)
			select project_id, ${columns.replace("developer_tier", "coalesce(developer_tier, 'unknown')")}, snapshot_id, shown, version
			from incoming order by project_id
			on conflict (project_id) do update set (${columns}, snapshot_id, shown, version)
				= (${excluded}, coalesce(excluded.snapshot_id, t.snapshot_id), excluded.shown, excluded.version)
				where excluded.version > t.version
			returning *)
		select c.project_id, c.developer_id, b.developer_id as before_developer,
			-- What was not here before needs no comparing.
			b.project_id is null or ${factsOf("b", "")} is distinct from ${factsOf("c", "")} as differs,
			b.project_id is null or ${factsOf("b", filterColumns)} is distinct from ${factsOf("c", filterColumns)} as recompute,
			c.open or c.shown or coalesce(b.open, false)
				or exists (select from published_scores t where t.project_id = c.project_id) as counts,
			case when b.twin_key is not distinct from c.twin_key then '{}' else array(
				select p.project_id from projects p where p.twin_key in (b.twin_key, c.twin_key) and p.project_id <> c.project_id)
			end as twins,
			case when (b.region, b.kind, b.status_std, b.listed, b.queue_date)
					is not distinct from (c.region, c.kind, c.status_std, c.listed, c.queue_date)
				then '{}' else array_remove(array[b.region, c.region], null) end as operators
		from copied c left join before b using (project_id)`,
		[JSON.stringify(rows)],
	);
}
