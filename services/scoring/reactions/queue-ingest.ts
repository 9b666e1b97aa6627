/** Keeps the copy of projects; what is scored of them, and of their developers before and now, is computed again. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { developerChanged, projectChanged, sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Project } from "#libs/contract/records/project.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { declaredColumns } from "#libs/postgres/project-columns.ts";
import { cumulativeSlipDays, factFields } from "../domain/facts.ts";
import { lockScoring } from "../jobs/scoring-worker.ts";
import {
	enqueueDevelopers,
	enqueueFeeds,
	enqueuePeers,
	enqueueProjects,
	lockCopies,
} from "../tables/recompute-queue.ts";

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

// MERGED services/scoring/reactions/queue-ingest.ts: What is copied of an event about a request, as rows for PostgreSQL.
export type ProjectChanged = Parameters<Reaction<typeof projectChanged>["handler"]>[1][number];

/** What scores are computed from, and what they are shown with. */
const scoredFields = [
	...factFields,
	"feed",
	"queue_id",
	"county",
	"developer",
	"developer_canonical",
	"listed",
] as const;
/** No score is computed from these: lists are filtered by them, and neighbours chosen whose costs are shown. */
const filterFields = [
	...(["status", "ia_status_filed", "construction_stage_confidence"] as const),
	...(["lat", "lon", "last_changed_at", "utility"] as const),
];
const copied = [...scoredFields, ...filterFields];

/** Only what is copied: what PostgreSQL is to read past costs it as much as what it keeps. */
export const rowOf = ({ project, cod_changes, snapshot_id, version }: ProjectChanged) => ({
	project_id: project.id,
	...(Object.fromEntries(copied.map((name) => [name, project[name]])) as Pick<Project, (typeof copied)[number]>),
	located: project.location_precision === "poi" || project.location_precision === "county",
	cod_changes,
	cod_slip_days: cod_changes.length === 0 ? null : cumulativeSlipDays(cod_changes, project.cod),
	snapshot_id,
	shown: project.investability_score !== null,
	version,
});

export type Incoming = ReturnType<typeof rowOf>;

export const filterColumns = filterFields.join(", ");
export const columns = `${copied.join(", ")}, located, cod_changes, cod_slip_days`;

/** The rows of the first parameter, a JSON array of `Incoming`, as a query. */
export const incomingRows = `
	select * from json_to_recordset($1::text::json) as e (project_id text, ${declaredColumns(copied)}, located boolean,
		cod_changes jsonb, cod_slip_days integer, snapshot_id bigint, shown boolean, version bigint)
	-- What the bundled sample said may arrive after it was left.
	where snapshot_id is null or snapshot_id >= (select sample_until from settings)`;

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

// MERGED services/scoring/reactions/queue-ingest.ts: Keeps the copy of developers: their names and tiers. Portfolios are counted from the copies of their requests.
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
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(newest)}::text::jsonb) as e (developer_id integer, canonical_name text,
					tier text, aliases text[], known boolean, version bigint)),
			before as materialized (select d.* from developers d join incoming using (developer_id)),
			copied as (
				insert into developers as t (developer_id, canonical_name, tier, aliases, known, version)
				select developer_id, canonical_name, tier, aliases, known, version from incoming order by developer_id
				on conflict (developer_id) do update set (canonical_name, tier, aliases, known, version)
					= (excluded.canonical_name, excluded.tier, excluded.aliases, excluded.known, excluded.version)
					where excluded.version > t.version
				returning *)
			select c.developer_id from copied c left join before b using (developer_id)
			where (b.canonical_name, b.tier, b.aliases, b.known) is distinct from (c.canonical_name, c.tier, c.aliases, c.known)`;
		await enqueueDevelopers(
			tx,
			differing.map((row) => row.developer_id),
		);
		if (differing.length > 0) await raiseDataVersion(tx);
	},
};

// MERGED services/scoring/reactions/queue-ingest.ts: When the invented queues are gone, so is what was made of them here.
export const forgetSample: Reaction<typeof sampleLeft> = {
	service: "scoring",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		// What is being computed refers to what is deleted here.
		await lockScoring(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		// What a later list said stays.
		const until = Math.max(...events.map(({ version }) => version));
		// Where no company left, installations alone did: what is said of the sample's requests still counts.
		if (developers.length > 0) await tx`update settings set sample_until = greatest(sample_until, ${until})`;
		await lockCopies(tx);
		const left = await tx<
			{ project_id: string; developer_id: number | null; region: string; twin_key: string | null }[]
		>`
			delete from projects where project_id = any(${projects}::text[]) and coalesce(snapshot_id, 0) < ${until}
			returning project_id, developer_id, region, twin_key`;
		const removed = left.map((row) => row.project_id);
		await tx`delete from score_versions where project_id = any(${removed}::text[])`;
		await tx`delete from developer_rating_versions where developer_id = any(${developers}::integer[])`;
		await tx`delete from published_scores where project_id = any(${removed}::text[])`;
		await tx`delete from project_recompute_queue where project_id = any(${removed}::text[])`;
		await tx`delete from developers where developer_id = any(${developers}::integer[])`;
		await tx`delete from developer_recompute_queue where developer_id = any(${developers}::integer[])`;
		// Twins of what is gone, and requests of developers that are.
		const others = await tx<{ project_id: string }[]>`
			select project_id from projects where twin_key = any(${left.flatMap(({ twin_key }) => twin_key ?? [])}::text[])
				or developer_id = any(${developers}::integer[])`;
		await enqueueProjects(
			tx,
			others.map((row) => row.project_id),
		);
		const gone = new Set(developers);
		await enqueueDevelopers(
			tx,
			left.map((row) => row.developer_id).filter((id) => id !== null && !gone.has(id)),
		);
		await enqueuePeers(
			tx,
			left.map((row) => row.region),
		);
		await raiseDataVersion(tx);
	},
};
