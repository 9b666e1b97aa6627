/** The project as every answer shows it (specification 2.2), and the filters that choose projects. */
import { z } from "zod";
import { day, megawatts, quantity, share, timestamp, usd } from "../envelopes.ts";
import { choice, decimal, flag, integer, isoDate, stateCode, words } from "../params.ts";
import {
	constructionStages,
	creditStatuses,
	creditTypes,
	developerTiers,
	iaStatuses,
	locationPrecisions,
	nameMethods,
	regions,
	requestKinds,
	statuses,
	statusFlags,
	studyPhases,
	technologies,
} from "../vocabulary.ts";

/** A request that exists in NYISO's own list, for examples. Documents generated at run time show one that is loaded. */
export const aProject = "NYISO-0832";

/** One interconnection request. Fields that no source states yet are null. */
export const project = z.strictObject({
	id: z.string().meta({ description: "<REGION>-<number as filed>, assigned once" }),
	queue_id: z.string().meta({ description: "The operator's number, as filed" }),
	name: z.string().nullable(),
	region: z.enum(regions),
	state: z.string().nullable(),
	county: z.string().nullable().meta({ description: "First county" }),
	counties: z.array(z.string()),
	fips: z.string().nullable().meta({ description: "County FIPS code, five digits" }),
	developer: z.string().nullable().meta({ description: "As filed; null where the operator publishes none" }),
	developer_tier: z
		.enum(developerTiers)
		.nullable()
		.meta({ description: "Tier of the canonical developer; unknown where none is known" }),
	developer_id: z.int().nullable(),
	developer_canonical: z.string().nullable().meta({ description: "The developer behind the name as filed" }),
	type: z.string().nullable().meta({ description: "Technology as filed" }),
	type_std: z.enum(technologies).or(z.string()),
	kind: z.enum(requestKinds).meta({
		description:
			"generation, or a row that is none (population=all); distribution: an installation of a programme, id DG-...",
	}),
	status: z.string().nullable().meta({ description: "Status as filed" }),
	status_std: z.enum(statuses),
	status_flag: z.enum(statusFlags).nullable(),
	capacity_mw: megawatts().nullable().meta({ description: "Injection limit at the point of interconnection, MW" }),
	summer_mw: megawatts().nullable(),
	winter_mw: megawatts().nullable(),
	queue_date: day().nullable(),
	cod: day().nullable().meta({ description: "Projected commercial operation date" }),
	actual_cod: day().nullable(),
	withdrawn_date: day().nullable(),
	ia_date: day().nullable().meta({ description: "Interconnection agreement signed" }),
	backfeed_date: day().nullable(),
	energized_date: day().nullable(),
	security_posted: z.boolean().nullable(),
	construction_stage: z.enum(constructionStages),
	construction_stage_confidence: share(),
	study_phase: z.enum(studyPhases).nullable(),
	study_phase_filed: z.string().nullable(),
	ia_status: z.enum(iaStatuses),
	ia_status_filed: z.string().nullable(),
	poi: z.string().nullable().meta({ description: "Point of interconnection as filed" }),
	utility: z.string().nullable().meta({ description: "Transmission owner at the point of interconnection" }),
	cluster: z.string().nullable(),
	service: z.string().nullable(),
	lat: quantity("degrees", "Latitude, WGS 84").nullable(),
	lon: quantity("degrees", "Longitude, WGS 84").nullable(),
	location_precision: z.enum(locationPrecisions).nullable(),
	energy_community_eligible: z.boolean().nullable(),
	low_income_eligible: z.boolean().nullable(),
	domestic_content_eligible: z.boolean().nullable(),
	tax_credit_type: z.enum(creditTypes).nullable().meta({ description: "Null: no credit, or the request is closed" }),
	tax_credit_status: z.enum(creditStatuses).nullable().meta({ description: "How sure the credit is" }),
	tax_credit_pct: share()
		.nullable()
		.meta({ description: "Fraction of eligible cost (ITC or its equivalent), adders included" }),
	estimated_credit_value: usd().nullable(),
	effective_credit_rate: share()
		.nullable()
		.meta({ description: "The same rate as tax_credit_pct, as /investable names it" }),
	needs_capital: z.boolean().nullable().meta({ description: "Of its developer; null where none is known" }),
	investable: z.boolean().nullable(),
	investability_score: z.int().min(0).max(100).nullable().meta({ description: "Null: a closed request is not scored" }),
	feed: z.string().meta({ description: "The operator's list that states this row" }),
	first_seen_at: timestamp(),
	last_changed_at: timestamp(),
	missing_since: timestamp()
		.nullable()
		.meta({ description: "Absent from the operator's list since; not a withdrawal" }),
	version: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
});

/** The detail adds every other column as filed, and every number the request was ever filed under. */
export const projectDetail = project.extend({
	aliases: z.array(z.string()),
	developer_match: z
		.strictObject({ method: z.enum(nameMethods).or(z.string()), confidence: share(), matched_text: z.string() })
		.nullable()
		.meta({ description: "How the filed name was found to be developer_canonical's" }),
	raw: z.record(z.string(), z.string()),
});

/** Region names as users and operators write them. */
const regionAliases = { ISONE: "ISO-NE", "ISO NE": "ISO-NE", NEISO: "ISO-NE" } as const;

export const region = () =>
	z.preprocess(
		(value) =>
			typeof value === "string"
				? (Object.entries(regionAliases).find(([alias]) => alias === value.trim().toUpperCase())?.[1] ?? value)
				: value,
		choice(regions),
	);

export const populations = ["transmission", "all"] as const;
export const population = () => choice(populations).default("transmission");

/** Columns a list can be sorted by. Each is mapped to one SQL identifier by its owner. */
export const projectSorts = [
	"id",
	"queue_id",
	"name",
	"region",
	"state",
	"county",
	"developer",
	"type_std",
	"status_std",
	"capacity_mw",
	"queue_date",
	"cod",
	"construction_stage",
	"construction_stage_confidence",
	"study_phase",
	"ia_status",
	"investability_score",
	"effective_credit_rate",
	"estimated_credit_value",
] as const;

export const projectFilters = {
	iso: region().optional().describe("Grid operator; the same as region"),
	region: region().optional().describe("Grid operator"),
	state: stateCode().optional().describe("Two-letter state code"),
	fuel_type: words().optional().describe("Any part of type_std, in any case"),
	status: words()
		.optional()
		.describe("status_std where it is one of its values, else the status as filed; in any case"),
	developer: words().optional().describe("Any part of the developer's name, in any case"),
	capacity_min: decimal(-1e6, 1e6, "MW").optional().describe("Least capacity_mw, inclusive"),
	capacity_max: decimal(-1e6, 1e6, "MW").optional().describe("Largest capacity_mw, inclusive"),
	date_from: isoDate().optional().describe("Queue date, inclusive"),
	date_to: isoDate().optional().describe("Queue date, inclusive"),
	energy_community: flag().optional().describe("Energy-community eligibility"),
	low_income: flag().optional().describe("Low-income eligibility"),
	has_tax_credit: flag().optional().describe("Whether a tax credit is known for the project"),
	construction_stage: choice(constructionStages).optional().describe("How far construction has come"),
	study_phase: words().optional().describe("Standardised or filed study phase, in any case"),
	ia_status: words().optional().describe("Standardised or filed agreement status, in any case"),
	min_confidence: decimal(0, 1, "fraction").optional().describe("Least construction_stage_confidence"),
	developer_tier: choice(developerTiers).optional().describe("Tier of the developer"),
	investable: flag().optional().describe("Whether the project passes the investability rule"),
	needs_capital: flag().optional().describe("Whether its developer needs capital"),
	min_score: integer(0, 100).optional().describe("Least investability_score"),
	population: population().describe(
		"transmission: generation requests; all: also rows that are none, and installations of distributed generation, flagged by kind",
	),
};

/** Contradictory filters are an error, not an empty list. */
export function consistent<
	T extends {
		iso?: string | undefined;
		region?: string | undefined;
		capacity_min?: number | undefined;
		capacity_max?: number | undefined;
		date_from?: string | undefined;
		date_to?: string | undefined;
	},
>(filters: T, context: z.RefinementCtx): void {
	if (filters.iso !== undefined && filters.region !== undefined && filters.iso !== filters.region)
		context.addIssue({
			code: "custom",
			path: ["iso"],
			message: `contradicts region (${filters.iso}, ${filters.region})`,
		});
	if (
		filters.capacity_min !== undefined &&
		filters.capacity_max !== undefined &&
		filters.capacity_min > filters.capacity_max
	)
		context.addIssue({ code: "custom", path: ["capacity_min"], message: "is above capacity_max" });
	if (filters.date_from !== undefined && filters.date_to !== undefined && filters.date_from > filters.date_to)
		context.addIssue({ code: "custom", path: ["date_from"], message: "is after date_to" });
}
