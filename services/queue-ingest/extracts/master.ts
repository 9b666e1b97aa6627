/** The database `master`, as SQL and files show it. */
import { activeCondition, activeMw } from "#libs/contract/filters/project-condition.ts";
import { change } from "#libs/contract/operations/history/change.ts";
import { piece } from "#libs/parquet/select.ts";
import {
	bigint,
	boolean,
	date,
	double,
	integer,
	json,
	moment,
	requestColumns,
	rowColumns,
	text,
	type View,
	viewOf,
} from "#libs/parquet/view.ts";

const projectColumns = requestColumns();

const projects = viewOf("projects", {
	name: "projects",
	description:
		"One row per interconnection request, as GET /projects?population=all shows it. For totals of the transmission queues, filter by kind = 'generation' and listed = 'listed'; the view active_requests contains only the active ones",
	columns: projectColumns,
	order: ["region", "state", "id"],
});

const activeRequests: View = {
	...projects,
	name: "active_requests",
	description:
		"The rows of projects that are active: kind generation, in their operator's newest list, status_std Active or plant_state partially_operating, neither void (status_flag void_window) nor of existing rights (request_class replacement, surplus, capacity_rights). The sum of active_mw is active_capacity_gw in GET /stats",
	columns: { ...projectColumns, active_mw: double("MW that it adds and that are not in operation yet", "MW") },
	sql: `
		select ${Object.keys(projectColumns).join(", ")}, ${activeMw(piece).parts.join("")} as active_mw
		from projects p where ${activeCondition(piece).parts.join("")}`,
};

const projectRaw = viewOf("projects", {
	name: "project_raw",
	description: "Every other column of a request as the operator filed it",
	columns: {
		project_id: text("Id of the request in projects"),
		region: text("Grid operator"),
		feed: text("The list that states the row"),
		raw: json("Cells as filed, by header: raw ->> '<header>'"),
	},
	computed: { project_id: "id" },
	order: ["region", "project_id"],
});

const projectAliases = viewOf("project_aliases", {
	name: "project_aliases",
	description: "Every number that a request was ever filed under",
	columns: {
		project_id: text("Id of the request in projects"),
		number: text("Number as filed"),
		region: text("Grid operator whose number it is"),
		queue_key: text("Normalized number; with region, it joins lbnl_requests"),
		first_seen_at: moment("Time of the first snapshot that shows the number, UTC"),
	},
	computed: { queue_key: "key" },
	order: ["region", "project_id", "number"],
});

const projectVersions = viewOf("project_versions v where valid_to is distinct from valid_from", {
	name: "project_versions",
	description:
		"States of each request from one list to the next, as known now; valid_to of the present state is null. FROM projects_as_of('2024-12-31') selects the states of a day. Filter by project_id or valid_from if possible",
	columns: {
		project_id: text("Id of the request in projects; a request that only past lists show is in this view only"),
		version: bigint(
			"Version of the request, increasing with gaps; a state that was inserted later has the version of the state before it",
		),
		valid_from: moment("Time of the list that first shows this state, UTC"),
		valid_to: moment("Time of the list that ended this state, UTC; null if it is the present state"),
		...requestColumns("region", "name", "developer", "developer_canonical", "type_std", "kind", "status"),
		...requestColumns("status_std", "capacity_mw", "queue_date", "cod", "construction_stage", "study_phase"),
		...requestColumns("ia_status", "poi", "queue_id", "state", "county", "fips", "developer_id", "listed"),
		...requestColumns("actual_cod", "withdrawn_date", "ia_date", "feed"),
		developer_canonical: text("The developer behind the request then, as known now"),
		listed: text("listed, missing or disappeared, as the list of that day showed it"),
		backfilled: boolean("Whether the state is from a list that was loaded after a newer one"),
	},
	computed: { backfilled: "(select s.outcome = 'backfilled' from snapshots s where s.id = v.snapshot_id)" },
	order: ["region", "project_id", "valid_from", "version"],
});

const changes = viewOf("changes where change_type <> 'raw_update'", {
	name: "changes",
	description:
		"The change feed: one row per difference between two snapshots of a list, as GET /changes returns it, without its limit in days. Excludes raw_update, which /changes and its exports return with include=raw",
	columns: {
		seq: bigint("Increases by one in commit order; the only gaps are changes of type raw_update"),
		...rowColumns(change, "detected_at", "project_id", "queue_id", "region", "kind"),
		change_type: text(
			"new_project, status_change, capacity_change, component_change, cod_change, developer_change, study_phase_change, field_update, disappeared, correction, evidence_update (a status_std that follows another publisher, not a change of a list) or first_listed (what a list showed when it was first loaded)",
		),
		field_name: text("Field that differs"),
		old_value: text("Value before the change"),
		new_value: text("Value after the change"),
		...rowColumns(change, "project_name", "developer_canonical", "capacity_mw", "type_std", "state"),
		feed: text("The list that shows the change"),
		backfilled: boolean(
			"Whether the change is from a list that was loaded after a newer one or retracted, or from lists that were read again",
		),
	},
	order: ["region", "state", "seq"],
});

const lbnlRequests: View = {
	name: "lbnl_requests",
	description:
		'Requests of all operators and some fifty utilities as Berkeley Lab\'s yearly "Queued Up" file lists them (CC BY 4.0, Lawrence Berkeley National Laboratory): history and comparison, never added to projects',
	columns: {
		entity: text("Operator or utility whose queue it is"),
		q_id: text("Number of the request, unique within its entity only"),
		repeat: integer("Numbers rows that share entity and number, from 1"),
		lbnl_region: text("Region as Berkeley Lab names it: an operator, West or Southeast"),
		queue_key: text("Normalized number; with lbnl_region, it joins project_aliases"),
		name: text("Name of the project"),
		developer: text("Developer as listed"),
		state: text("Two-letter code of the state"),
		county: text("First county"),
		fips: text("County FIPS codes, five digits each, separated by commas"),
		type: text("Technology as listed"),
		type_std: text("Standardized technology"),
		status: text("Status as listed"),
		status_std: text("Active, Withdrawn, Operational, Suspended or Unknown"),
		capacity_mw: double("Largest of the parts of a hybrid, which share one connection", "MW"),
		queue_date: date("Day on which the request entered the queue"),
		...requestColumns("cod", "actual_cod", "withdrawn_date", "ia_date"),
		study_phase: text("Standardized study phase; null for a withdrawn request"),
		ia_status_filed: text("State of the agreement in the operator's words"),
		poi: text("Point of interconnection"),
		utility: text("Utility at the point of interconnection"),
		cluster: text("Study cluster"),
		service: text("Requested service"),
	},
	sql: `
		select entity, q_id, repeat, lbnl_region, key as queue_key, request ->> 'name' as name, request ->> 'developer' as developer,
		  request ->> 'state' as state, request ->> 'county' as county, request -> 'raw' ->> 'fips' as fips, request ->> 'type' as type,
		  request ->> 'typeStd' as type_std, request ->> 'status' as status, status_std,
		  (request ->> 'capacityMw')::float8 as capacity_mw, (request ->> 'queueDate')::date as queue_date,
		  (request ->> 'cod')::date as cod, (request ->> 'actualCod')::date as actual_cod,
		  (request ->> 'withdrawnDate')::date as withdrawn_date, (request ->> 'iaDate')::date as ia_date,
		  request ->> 'studyPhase' as study_phase, request ->> 'iaStatusFiled' as ia_status_filed, request ->> 'poi' as poi,
		  request ->> 'utility' as utility, request ->> 'cluster' as cluster, request ->> 'service' as service
		from lbnl_requests`,
	order: ["state", "entity", "q_id", "repeat"],
};

const sources: View = {
	name: "sources",
	description: "How fresh each list, form and dataset behind the databases master, grid, dg, datacenter and market is",
	columns: {
		source: text("Name of the source: feed of the rows that it states"),
		database: text("Database that holds its rows"),
		records: bigint("Number of rows from the source"),
		unchecked_records: bigint("Rows that its last accepted list did not show"),
		as_of: moment("Time that the last accepted list is of, UTC"),
		published_on: date("Day of publication that the file states"),
		last_checked: moment("When it was last checked, UTC"),
		last_success: moment("Time of the last list that was accepted or found unchanged, UTC"),
		last_changed: moment("When it last contained something new, UTC"),
		last_outcome: text("Outcome of the last check: applied, unchanged, quarantined or failed"),
		last_reason: text("Why it was held back or failed"),
	},
	sql: `
		select f.feed as source, r.database, r.records, r.unchecked_records, f.applied_as_of as as_of, f.published_on,
		  f.last_checked_at as last_checked, f.last_success_at as last_success, f.last_changed_at as last_changed, f.last_outcome, f.last_reason
		from feeds f join source_records r using (feed)`,
	order: ["source"],
};

const snapshots: View = {
	name: "snapshots",
	description: "Every attempt to load a list, one row per file; each file repeats the counts of its attempt",
	columns: {
		region: text("Grid operator; else LBNL, EIA-860, companies or the database of a dataset"),
		feed: text("The list, if it was recognized"),
		as_of: moment("Time that the list is of, UTC"),
		outcome: text("applied, unchanged, quarantined (held back by a guard), failed, retracted or started"),
		reason: text("Why it was held back or failed"),
		rows: integer("Requests that the attempt stored or found"),
		new: integer("Requests that are new"),
		changed: integer("Requests that changed"),
		status_changes: integer("Requests whose status changed"),
		withdrawn: integer("Known requests that became Withdrawn"),
		disappeared: integer("Known requests that are newly missing"),
		started_at: moment("Start of the attempt, UTC"),
		finished_at: moment("End of the attempt, UTC"),
		file_name: text("Name of the file"),
		published_on: date("Day of publication that the file states"),
		rows_in: integer("Data rows found in the file"),
		requests: integer("Rows that were kept"),
		dropped: json("Rows that were left out: an array of objects with reason, count and examples"),
		unknown_values: json(
			"Values outside the known vocabulary, kept as filed: an array of objects with field, value and count and, if its row is known, column and example (the number of the first request with the value)",
		),
		unknown_columns: json("Headers that no known column claims"),
	},
	sql: `
		select s.region, coalesce(s.feed, f.feed) as feed, s.as_of, s.outcome, s.reason, s.rows, s.new, s.changed,
		  s.status_changes, s.withdrawn, s.disappeared, s.started_at, s.finished_at, regexp_replace(f.name, '^.*[/\\\\]', '') as file_name,
		  f.published_on, f.rows_in, f.requests, f.dropped, f.unknown_values, f.unknown_columns
		from snapshots s left join snapshot_files f on f.snapshot_id = s.id`,
	order: ["region", "feed", "started_at", "file_name", "as_of"],
};

export const masterViews: readonly View[] = [
	projects,
	activeRequests,
	projectRaw,
	projectAliases,
	projectVersions,
	changes,
	lbnlRequests,
	sources,
	snapshots,
];
