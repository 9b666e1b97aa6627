/**
 * The fields of an interconnection request, each declared once, in the order of every response. Schemas, filters, tables, files, SQL views,
 * history, changes and provenance are derived from them. A new filed field needs a line here, one in an adapter and a column in a migration.
 */
import { z } from "zod";
import { day, megawatts, quantity, share, timestamp, usd } from "../envelopes.ts";
import { choice, several, stateCode, words } from "../params.ts";
import {
	capacityBases,
	constructionStages,
	creditStatuses,
	creditTypes,
	developerTiers,
	domesticContentBases,
	iaStatuses,
	listings,
	locationPrecisions,
	plantReports,
	plantStateBases,
	plantStates,
	projectRegions,
	regions,
	requestClasses,
	requestKinds,
	statusBases,
	statuses,
	statusFlags,
	studyPhases,
	technologies,
	utilityQueues,
} from "../vocabulary.ts";
import { type Attributes, derived, filed, kept, linked, nullable, type Origin, scored, text } from "./field.ts";

/** Descriptions of the bonus for domestic content, for all responses that contain it. */
export const domesticContent = {
	eligible: "Null if the law allows the bonus but the plant's content is unknown; false: no credit that it adds to",
	basis: "technology: by the law for the technology and its dates; null if nothing is known",
};

export const component = z.strictObject({
	type_std: z.enum(technologies).or(z.string()),
	capacity_mw: megawatts().nullable().meta({ description: "As filed, MW" }),
});

export const severalOf = "; several by comma or repetition";

export const projectFields = {
	id: kept(z.string().meta({ description: "<REGION>-<number as filed>, assigned once" }), { sortable: true }),
	queue_id: filed(z.string().meta({ description: "The operator's number, as filed" }), { sortable: true }),
	name: filed(text(), {
		column: "Name of the project; where none is published, of its point of interconnection",
		change: "field_update",
		sortable: true,
	}),
	region: kept(
		z.enum(projectRegions).meta({
			description: "Grid operator, or a utility outside them",
		}),
		{
			column: `Grid operator: ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(regions)}; a utility outside them: ${utilityQueues.join(", ")}`,
			sortable: true,
		},
	),
	state: filed(text(), {
		column: "Two-letter code of the state",
		change: "field_update",
		sortable: true,
		filter: several(stateCode(), 60).optional().describe(`Two-letter state code${severalOf}`),
	}),
	county: filed(text("First county"), { change: "field_update", sortable: true }),
	counties: derived(z.array(z.string()), { column: "All counties" }),
	fips: derived(text("County FIPS code, five digits"), {
		filter: several(
			z
				.string()
				.regex(/^\d{5}$/, "must be a county FIPS code, five digits")
				.meta({ examples: ["48201"] }),
			100,
		)
			.optional()
			.describe(`FIPS code, any edition${severalOf}`),
	}),
	developer: filed(text("As filed; null where the operator publishes none"), {
		column: "Developer as filed; null where the operator publishes none",
		change: "developer_change",
		sortable: true,
	}),
	developer_tier: linked(
		nullable(z.enum(developerTiers), "Tier of the canonical developer; unknown where none is known"),
		{ filter: several(choice(developerTiers)).optional().describe(`Tier of the developer${severalOf}`) },
	),
	developer_id: linked(z.int().nullable(), {
		column: "Number of the canonical developer, as in the database developer",
		stored: "int32",
	}),
	developer_canonical: linked(text("The developer behind the name as filed")),
	type: filed(text("Technology as filed")),
	type_std: filed(z.enum(technologies).or(z.string()), {
		column: "Standardized technology: Solar, Storage, Wind, Gas, Solar + Storage and so on",
		change: "field_update",
		sortable: true,
	}),
	kind: filed(
		z.enum(requestKinds).meta({
			description:
				"generation; others only with kind or population=all. distribution: an installation of a program, id DG-...; utility: generation in the queue of a utility; affected_system: another operator's request, studied for its effects here",
		}),
		{
			column:
				"generation, transmission, load, distribution or affected_system; utility: generation in the queue of a utility",
			filter: several(choice(requestKinds)).optional().describe(`Kind of request, instead of population${severalOf}`),
		},
	),
	status: filed(text("Status as filed"), { change: "status_change", outcome: true }),
	status_std: filed(z.enum(statuses), {
		column: "Active, Withdrawn, Operational, Suspended; Unknown: no source states its status",
		outcome: true,
		sortable: true,
	}),
	status_basis: filed(
		nullable(
			z.enum(statusBases),
			"What status_std rests on: filed (word, code, list or sheet), milestone, date, other_source, outcome_sheet (of another month) or absence; null: nothing but that it is listed",
		),
		{ outcome: true },
	),
	status_evidence: linked(
		text("The statement, its source and edition, where status_basis is other_source, outcome_sheet or absence"),
	),
	status_flag: filed(z.enum(statusFlags).nullable(), {
		column:
			"at_risk: a termination is announced; retired: built and closed since; void_window: listed as active, void by the operator's process",
		outcome: true,
	}),
	listed: kept(
		z.enum(listings).meta({
			description:
				"listed: in the operator's newest list, or finished when a list of active requests (ERCOT, SPP) dropped it; missing: absent; disappeared: absent from a later one too. Absence is no withdrawal",
		}),
		{
			column:
				"listed: in the operator's newest list, or finished when a list of active requests dropped it; missing: absent; disappeared: absent from a later one too",
		},
	),
	plant_state: derived(
		z.enum(plantStates).meta({
			description:
				"What stands at the site. none: no source says that anything is built; energized: connected or synchronized, not yet commercial; unknown: a plant may stand there: a date has passed, or a part is built",
		}),
		{
			column:
				"What stands at the site: none, under_construction, energized, operating, partially_operating, retired or unknown",
			outcome: true,
			sortable: true,
			filter: several(choice(plantStates)).optional().describe(`What stands at the site${severalOf}`),
		},
	),
	plant_state_basis: derived(
		nullable(z.enum(plantStateBases), "Who says so; date_only: nothing but a projected date that has passed"),
		{
			column:
				"Source of plant_state: operator, operator_update_sheet, eia_860, eia_860m, eia_epm, lbnl; date_only: a projected date that has passed",
			outcome: true,
		},
	),
	plant_state_evidence: derived(text("What the source says, in a sentence"), {
		column: "What the source of plant_state says",
		outcome: true,
	}),
	plant_report: derived(
		nullable(z.enum(plantReports), "What the EIA says of a plant not in service; cancelled includes postponed"),
		{
			column: "What the EIA says of a plant not in service: planned, under_construction, cancelled (or postponed)",
			outcome: true,
		},
	),
	plant_reported_on: derived(nullable(day(), "Last day that this report covers"), { outcome: true }),
	construction_begun_by: derived(nullable(day(), "Day of the EIA's first report of construction"), { outcome: true }),
	request_class: filed(
		z.enum(requestClasses).meta({
			description:
				"new: a plant; modification: parts added to a plant; replacement, surplus: a plant that uses the rights of an existing one; capacity_rights: rights without output",
		}),
		{
			column: "new, modification, replacement, surplus or capacity_rights",
			filter: several(choice(requestClasses)).optional().describe(`What the request asks for${severalOf}`),
		},
	),
	capacity_mw: filed(nullable(megawatts(), "Injection limit at the point of interconnection, MW"), {
		column: "Injection limit at the point of interconnection",
		change: "capacity_change",
		sortable: true,
	}),
	capacity_basis: filed(
		z.enum(capacityBases).meta({
			description: "What capacity_mw is. net_change: of a plant that is rebuilt, what its capacity grows by",
		}),
		{ column: "What capacity_mw is: injection_limit, or net_change of a plant that is rebuilt" },
	),
	incremental_mw: filed(
		nullable(
			megawatts(),
			"MW that the request adds: capacity_mw of a new plant, the new parts of a modification, 0 of replacement, surplus and capacity_rights",
		),
		{
			column:
				"MW that the request adds at its point of interconnection: capacity_mw of a new plant, 0 of replacement, surplus and capacity_rights",
			sortable: true,
		},
	),
	added_type_std: derived(text("Technology of the parts that a modification adds, where the lists show it"), {
		column: "Standard technology of the parts that a modification adds",
	}),
	operating_mw: filed(
		nullable(megawatts(), "MW in service of a plant that is partly in service, as filed or by the EIA"),
		{
			column: "MW in service of a plant that is partly in service",
			outcome: true,
		},
	),
	components: filed(
		z.array(component).meta({
			description:
				"Parts of the plant in the order filed, or those of a hybrid's type_std; in ERCOT each is a request of its own; empty: one technology. MW are the machines' and need not add up to capacity_mw. In files, JSON as text",
		}),
		{
			column:
				"Parts of the plant in the order filed, as [{type_std, capacity_mw}]: unnest(components::struct(type_std varchar, capacity_mw double)[]); MW of a part null where the file states none",
			change: "component_change",
		},
	),
	summer_mw: filed(megawatts().nullable(), { column: "Summer capacity as filed" }),
	winter_mw: filed(megawatts().nullable(), { column: "Winter capacity as filed" }),
	queue_date: filed(day().nullable(), {
		column: "Day on which the request entered the queue, as first filed",
		outcome: true,
		sortable: true,
	}),
	queue_date_current: derived(nullable(day(), "Queue date of the newest list, if more than a month later"), {
		column: "Queue date of the newest list, where it is more than a month later than the first filed",
		change: "field_update",
		outcome: true,
	}),
	cod: filed(nullable(day(), "Projected commercial operation date"), {
		change: "cod_change",
		outcome: true,
		sortable: true,
	}),
	actual_cod: filed(day().nullable(), {
		column: "Day on which commercial operation began",
		change: "field_update",
		outcome: true,
	}),
	withdrawn_date: filed(day().nullable(), {
		column: "Day on which the request was withdrawn",
		change: "field_update",
		outcome: true,
	}),
	ia_date: filed(nullable(day(), "Interconnection agreement signed"), {
		change: "field_update",
		outcome: true,
	}),
	backfeed_date: filed(day().nullable(), { column: "Day from which the site can draw power", outcome: true }),
	energized_date: filed(day().nullable(), {
		column: "Day on which the plant was energized or synchronized",
		change: "field_update",
		outcome: true,
	}),
	security_posted: filed(z.boolean().nullable(), {
		column: "Whether financial security is posted; null where it is not published",
		change: "field_update",
		outcome: true,
	}),
	construction_stage: derived(z.enum(constructionStages), {
		column: "early, mid, late, construction, operational, withdrawn or suspended",
		outcome: true,
		sortable: true,
		filter: several(choice(constructionStages)).optional().describe(`How far construction has come${severalOf}`),
	}),
	construction_stage_confidence: derived(share(), {
		column: "How sure the stage is, 0 to 1",
		outcome: true,
		sortable: true,
	}),
	study_phase: filed(z.enum(studyPhases).nullable(), {
		column: "Not Started, Feasibility, SIS, Facilities, GIA or IA Executed",
		change: "study_phase_change",
		outcome: true,
		sortable: true,
	}),
	study_phase_filed: filed(text(), { column: "Study phase in the operator's words", outcome: true }),
	ia_status: derived(z.enum(iaStatuses), {
		column: "Standardized state of the interconnection agreement",
		outcome: true,
		sortable: true,
	}),
	ia_status_filed: filed(text(), {
		column: "State of the agreement in the operator's words",
		change: "field_update",
		outcome: true,
	}),
	poi: filed(text("Point of interconnection as filed"), { change: "field_update" }),
	poi_id: derived(text("Id of the point in `/pois`; null if `poi` names no single point"), {
		filter: several(words(3, 160), 100).optional().describe(`Id of a point of interconnection${severalOf}`),
	}),
	utility: filed(text("Transmission owner at the point of interconnection; for kind utility, the owner of the queue"), {
		column: "Transmission owner at the point of interconnection",
		filter: several(words()).optional().describe(`Transmission owner as listed${severalOf}`),
	}),
	cluster: filed(text(), { column: "Study cluster or cycle", change: "field_update" }),
	service: filed(text(), { column: "Service asked for, as filed: NRIS, ERIS and so on" }),
	lat: derived(quantity("degrees", "Latitude, WGS 84").nullable()),
	lon: derived(quantity("degrees", "Longitude, WGS 84").nullable()),
	location_precision: derived(z.enum(locationPrecisions).nullable(), {
		column: "How exactly the place is known: poi, county or state",
	}),
	energy_community_eligible: scored(z.boolean().nullable(), {
		column: "Whether it lies in an energy community; null where no list says",
	}),
	low_income_eligible: scored(z.boolean().nullable(), {
		column: "Whether the low-income bonus is open to it; null where no list says",
	}),
	domestic_content_eligible: scored(nullable(z.boolean(), domesticContent.eligible)),
	domestic_content_basis: scored(nullable(z.enum(domesticContentBases), domesticContent.basis)),
	tax_credit_type: scored(nullable(z.enum(creditTypes), "Null: no credit, or the request is closed"), {
		column: "ITC or PTC; null: no credit, or the request is closed",
	}),
	tax_credit_status: scored(nullable(z.enum(creditStatuses), "How sure the credit is"), {
		column: "How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination",
	}),
	tax_credit_pct: scored(nullable(share(), "Fraction of eligible cost (ITC or its equivalent), adders included")),
	estimated_credit_value: scored(usd().nullable(), { column: "Estimated value of the credit" }),
	effective_credit_rate: scored(nullable(share(), "The same rate as tax_credit_pct, as /investable names it")),
	needs_capital: linked(nullable(z.boolean(), "Of its developer; null where none is known"), {
		column: "Whether its developer needs capital; null where none is known",
	}),
	investable: scored(z.boolean().nullable(), {
		column: "Whether it passes the investability rule; null of a closed request",
	}),
	p_cod_36: scored(nullable(share(), "Chance of commercial operation within 36 months"), {
		column: "Chance of commercial operation within 36 months of its list's day; null where none is stated",
	}),
	investability_score: scored(nullable(z.int().min(0).max(100), "Null: a closed request is not scored"), {
		column: "Score, 0 to 100; null of a closed request, which is not scored",
		unit: "points",
	}),
	feed: kept(z.string().meta({ description: "The operator's list that states this row" })),
	first_seen_at: kept(timestamp(), { column: "Time of the first snapshot that shows it, UTC" }),
	last_changed_at: kept(timestamp(), { column: "Time of the last snapshot that changed it, UTC" }),
	missing_since: kept(nullable(timestamp(), "Absent from the operator's list since; not a withdrawal")),
	version: kept(z.int().min(1).max(Number.MAX_SAFE_INTEGER), {
		column: "Number of its state, from 1: the same as in project_versions",
	}),
};

type Fields = typeof projectFields;
export type ProjectField = keyof Fields;
/** The names of the fields whose attribute `Key` has this value. */
type Having<Key extends PropertyKey, Value> = {
	[Name in ProjectField]: Fields[Name] extends Record<Key, Value> ? Name : never;
}[ProjectField];
export type FiledField = Having<"origin", "filed">;
export type DerivedField = Having<"origin", "derived">;
export type ScoredField = Having<"origin", "scored">;
export type ListField = FiledField | DerivedField;
/** Fields with a parameter of the same name that filters by equality. */
export type FilterField = Having<"filter", z.ZodType>;

export const fieldsOfProject = Object.entries<Attributes & { origin: Origin; schema: z.ZodType }>(projectFields).map(
	([name, attributes]) => ({ name: name as ProjectField, ...attributes }),
);

const namesOf = <Name extends ProjectField>(isSelected: (field: (typeof fieldsOfProject)[number]) => boolean) =>
	fieldsOfProject.filter(isSelected).map(({ name }) => name) as [Name, ...Name[]];
export const filedFields = namesOf<FiledField>(({ origin }) => origin === "filed");
/**
 * Fields that are read from an operator's list, or computed from its row. (The `poi_id` of a row without a state also depends on other rows with the
 * same name.)
 */
export const listFields = namesOf<ListField>(({ origin }) => origin === "filed" || origin === "derived");
export const scoredFields = namesOf<ScoredField>(({ origin }) => origin === "scored");
export const filterFields = namesOf<FilterField>(({ filter }) => filter !== undefined);
export const sortableFields = namesOf<Having<"sortable", true>>(({ sortable }) => sortable === true);

type Shape = { [Name in ProjectField]: Fields[Name]["schema"] };

/** One interconnection request. A field is null if no source has a value for it yet. */
export const project = z.strictObject(
	Object.fromEntries(fieldsOfProject.map(({ name, schema }) => [name, schema])) as unknown as Shape,
);
export type Project = z.output<typeof project>;

/** A request whose fields are all null, as a base for examples. */
export const blankProject = Object.fromEntries(fieldsOfProject.map(({ name }) => [name, null])) as unknown as Project;

/** Parameters that filter fields by equality. */
export const fieldFilters = Object.fromEntries(
	fieldsOfProject.flatMap(({ name, filter }) => (filter === undefined ? [] : [[name, filter]])),
) as { [Name in FilterField]: Fields[Name]["filter"] };

/** Names of pairs of filters, `<name>_from` and `<name>_to`, and the column of days that each pair filters. */
export const dayFilters = { date: "queue_date", cod: "cod", ia: "ia_date", withdrawn: "withdrawn_date" } as const;
