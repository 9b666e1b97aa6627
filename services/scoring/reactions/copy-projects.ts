/** Keeps the copy of projects; what is scored of them, and of their developers before and now, is computed again. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { cumulativeSlipDays } from "../domain/score/index.ts";
import { enqueueDevelopers, enqueueFeeds, enqueuePeers, enqueueProjects, lockCopies } from "../jobs/recompute-queue.ts";

type ProjectChanged = Parameters<(typeof copyProjects)["handler"]>[1][number];

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

/** Only what is copied: what PostgreSQL is to read past costs it as much as what it keeps. */
const rowOf = ({ project, cod_changes, snapshot_id, version }: ProjectChanged) => ({
	project_id: project.id,
	feed: project.feed,
	queue_id: project.queue_id,
	name: project.name,
	region: project.region,
	kind: project.kind,
	state: project.state,
	county: project.county,
	counties: project.counties,
	fips: project.fips,
	developer: project.developer,
	developer_id: project.developer_id,
	developer_canonical: project.developer_canonical,
	developer_tier: project.developer_tier,
	type_std: project.type_std,
	status_std: project.status_std,
	listed: project.listed,
	capacity_mw: project.capacity_mw,
	queue_date: project.queue_date,
	cod: project.cod,
	ia_date: project.ia_date,
	security_posted: project.security_posted,
	construction_stage: project.construction_stage,
	study_phase: project.study_phase,
	study_phase_filed: project.study_phase_filed,
	ia_status: project.ia_status,
	poi: project.poi,
	utility: project.utility,
	status: project.status,
	ia_status_filed: project.ia_status_filed,
	construction_stage_confidence: project.construction_stage_confidence,
	lat: project.lat,
	lon: project.lon,
	last_changed_at: project.last_changed_at,
	located: project.location_precision === "poi" || project.location_precision === "county",
	cod_changes,
	cod_slip_days: cod_changes.length === 0 ? null : cumulativeSlipDays(cod_changes, project.cod),
	snapshot_id,
	shown: project.investability_score !== null,
	version,
});

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

/** No score is computed from these: lists are filtered by them, and neighbours chosen whose costs are shown. */
const filterColumns = "status, ia_status_filed, construction_stage_confidence, lat, lon, last_changed_at, utility";
const columns = `feed, queue_id, name, region, kind, state, county, counties, fips, developer, developer_id, developer_canonical,
	developer_tier, type_std, status_std, listed, capacity_mw, queue_date, cod, ia_date, security_posted, construction_stage, study_phase,
	study_phase_filed, ia_status, poi, located, cod_changes, cod_slip_days, ${filterColumns}`;
const excluded = columns.replaceAll(/\w+/g, "excluded.$&");

/** As JSON, without what is of no account and `less`. */
const factsOf = (row: string, less: string): string =>
	`(to_jsonb(${row}) - '{version, snapshot_id, shown${less && `, ${less}`}}'::text[])`;

/** In the order of their ids: two replicas that copy overlapping sets do not wait for each other in a circle. */
function copy(tx: Transaction, rows: readonly ReturnType<typeof rowOf>[]): Promise<Copied[]> {
	return tx.unsafe<Copied[]>(
		`with incoming as (
			select * from json_to_recordset($1::text::json) as e (project_id text, feed text, queue_id text, name text, region text, kind text,
				state text, county text, counties text[], fips text, developer text, developer_id integer, developer_canonical text, developer_tier text,
				type_std text, status_std text, listed text, capacity_mw float8, queue_date date, cod date, ia_date date, security_posted boolean,
				construction_stage text, study_phase text, study_phase_filed text, ia_status text, poi text, located boolean,
				cod_changes jsonb, cod_slip_days integer, status text, ia_status_filed text, construction_stage_confidence float8, lat float8,
				lon float8, last_changed_at timestamptz, utility text, snapshot_id bigint, shown boolean, version bigint)
			-- What the bundled sample said may arrive after it was left.
			where snapshot_id is null or snapshot_id >= (select sample_until from settings)),
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
