/** What is copied of an event about a request, as rows for PostgreSQL. */

import type { Reaction } from "#libs/bus/react.ts";
import type { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Project } from "#libs/contract/records/project.ts";
import { declaredColumns } from "#libs/postgres/project-columns.ts";
import { factFields } from "../domain/facts.ts";
import { cumulativeSlipDays } from "../domain/score/index.ts";

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
