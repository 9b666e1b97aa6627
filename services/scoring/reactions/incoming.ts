/** What is copied of an event about a request, as rows for PostgreSQL. */

import type { Reaction } from "#libs/bus/react.ts";
import type { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { cumulativeSlipDays } from "../domain/score/index.ts";

export type ProjectChanged = Parameters<Reaction<typeof projectChanged>["handler"]>[1][number];

/** Only what is copied: what PostgreSQL is to read past costs it as much as what it keeps. */
export const rowOf = ({ project, cod_changes, snapshot_id, version }: ProjectChanged) => ({
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

export type Incoming = ReturnType<typeof rowOf>;

/** No score is computed from these: lists are filtered by them, and neighbours chosen whose costs are shown. */
export const filterColumns =
	"status, ia_status_filed, construction_stage_confidence, lat, lon, last_changed_at, utility";
export const columns = `feed, queue_id, name, region, kind, state, county, counties, fips, developer, developer_id, developer_canonical,
	developer_tier, type_std, status_std, listed, capacity_mw, queue_date, cod, ia_date, security_posted, construction_stage, study_phase,
	study_phase_filed, ia_status, poi, located, cod_changes, cod_slip_days, ${filterColumns}`;

/** The rows of the first parameter, a JSON array of `Incoming`, as a query. */
export const incomingRows = `
	select * from json_to_recordset($1::text::json) as e (project_id text, feed text, queue_id text, name text, region text, kind text,
		state text, county text, counties text[], fips text, developer text, developer_id integer, developer_canonical text, developer_tier text,
		type_std text, status_std text, listed text, capacity_mw float8, queue_date date, cod date, ia_date date, security_posted boolean,
		construction_stage text, study_phase text, study_phase_filed text, ia_status text, poi text, located boolean,
		cod_changes jsonb, cod_slip_days integer, status text, ia_status_filed text, construction_stage_confidence float8, lat float8,
		lon float8, last_changed_at timestamptz, utility text, snapshot_id bigint, shown boolean, version bigint)
	-- What the bundled sample said may arrive after it was left.
	where snapshot_id is null or snapshot_id >= (select sample_until from settings)`;
