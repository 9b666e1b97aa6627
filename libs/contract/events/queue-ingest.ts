import { z } from "zod";
import { day, megawatts, share, timestamp } from "../envelopes.ts";
import { portfolio } from "../operations/developers/developer.ts";
import { change } from "../operations/history/change.ts";
import { drift } from "../operations/quality/source-drift.ts";
import { project } from "../records/project.ts";
import {
	changeTypes,
	companyKinds,
	developerTiers,
	driftSeverities,
	identifierSchemes,
	listFormats,
	ownershipSources,
	projectRegions,
} from "../vocabulary.ts";
import { event } from "./event.ts";
import { examples } from "./examples.ts";

/**
 * Published for each project that is new or changed in an applied snapshot; `version` is the project's. A republished event contains the current
 * state and no changes.
 */
export const projectChanged = event({
	publisher: "queue-ingest",
	name: "project.changed",
	summary: "An interconnection request is new or differs from the version before.",
	example: examples.projectChanged,
	payload: {
		project: project.describe("The request as it is now: the row of GET /projects"),
		as_of: timestamp().describe("Day of the list that states it"),
		snapshot_id: z
			.int()
			.nullable()
			.describe("Null when the event is published again, and where the status follows another publisher"),
		previous_developer: z
			.strictObject({
				filed: z.string().nullable().describe("Name as filed"),
				canonical: z.string().nullable().describe("The developer behind it"),
			})
			.nullable()
			.describe("Developer before this version, if the filed developer changed"),
		changes: z
			.array(
				z.strictObject({
					seq: z.int().describe("Place in the log: GET /changes?after="),
					change_type: z.enum(changeTypes),
					field_name: z.string().nullable().describe("Null for a new request"),
					old_value: z.string().nullable().describe("As text"),
					new_value: z.string().nullable().describe("As text"),
				}),
			)
			.describe(
				"Differences from the previous version; empty when only derived values differ, or the event is published again",
			),
		cod_changes: z
			.array(
				z.strictObject({
					on: day().describe("Day of the list that showed it"),
					old: day().nullable(),
					new: day().nullable(),
				}),
			)
			.describe(
				"Every change of the projected date in the change feed, oldest first; also when the event is published again",
			),
	},
});

/**
 * Published for each change, in the order of the log, except the rows of a feed's first list (`first_listed`): new consumers read the list or the
 * log instead. `version` is the change's `seq`, whose only gaps are those rows. Republished changes are also in order.
 */
export const changeRecorded = event({
	publisher: "queue-ingest",
	name: "change.recorded",
	summary: "A difference between two lists: the row of GET /changes.",
	about: "project_id",
	example: examples.changeRecorded,
	payload: change.shape,
});

/**
 * Published when a list is read, before guards accept or quarantine it, and only once per file, however often the file is loaded. `version` is the
 * snapshot's.
 */
export const listDrifted = event({
	publisher: "queue-ingest",
	name: "list.drifted",
	summary: "The structure of an operator's list differs from that of the list accepted before it.",
	about: "feed",
	example: examples.listDrifted,
	payload: {
		feed: z.string().describe("Name of the operator's list"),
		region: z.enum(projectRegions).describe("Publisher of the list"),
		snapshot_id: z.int().describe("Number of the archived file"),
		sha256: z.string().describe("SHA-256 of the file"),
		as_of: timestamp().describe("Time of the list"),
		format: z.enum(listFormats).describe("Lists are compared within one format"),
		compared_with: z.strictObject({ snapshot_id: z.int(), as_of: timestamp() }).describe("The list accepted before it"),
		severity: z.enum(driftSeverities).describe("The worst of its differences"),
		drift: z.array(drift).min(1).describe("As GET /source-contracts; 200 at most"),
	},
});

/** Published once for each applied snapshot that changed anything. */
export const snapshotApplied = event({
	publisher: "queue-ingest",
	name: "snapshot.applied",
	summary: "An operator's list was accepted.",
	example: examples.snapshotApplied,
	payload: {
		region: z.enum(projectRegions).describe("Publisher of the list"),
		feed: z.string().describe("Name of the list"),
		as_of: timestamp().describe("Time of the list"),
		rows: z.int().describe("Requests in it"),
		new: z.int().describe("Requests that are new"),
		changed: z.int().describe("Requests that differ"),
		snapshot_id: z.int().describe("Number of the archived file"),
		developer_changes: z.int().describe("How many of its project.changed carry previous_developer"),
		last_seq: z.int().describe("Highest seq of the change feed after this snapshot"),
	},
});

/** The current state of a developer: its portfolio, and its names for consumers that match texts. `version` is the developer's. */
export const developerChanged = event({
	publisher: "queue-ingest",
	name: "developer.changed",
	summary: "A developer's name, aliases, facts or portfolio differ from the version before.",
	example: examples.developerChanged,
	payload: {
		developer_id: z.int().describe("As GET /developers/{id}"),
		canonical_name: z.string().describe("The name shown in responses"),
		ambiguous: z.boolean().describe("Whether the name alone is an ordinary word, which needs context"),
		tier: z.enum(developerTiers).describe("Kind and size of the company"),
		company_kind: z.enum(companyKinds).describe("special_purpose: made for one project"),
		headquarters_state: z.string().nullable().describe("US state, else the country or province code"),
		parent_company: z.string().nullable().describe("Name; null if unknown"),
		known: z.boolean().describe("Whether it is in the curated list; otherwise it is only named in a queue"),
		aliases: z
			.array(z.strictObject({ alias: z.string(), ambiguous: z.boolean() }))
			.describe("Other names of the developer"),
		prefixes: z.array(z.string()).describe("First words that only its project companies have"),
		identifiers: z
			.array(z.strictObject({ scheme: z.enum(identifierSchemes), value: z.string() }))
			.describe("Its numbers in other registers"),
		portfolio: portfolio.describe("Totals of its requests, as in GET /developers/{id}"),
	},
});

/** The owners of a generator in a year, as reported to the EIA. `version` counts the reports of that generator and year. */
export const ownershipRecorded = event({
	publisher: "queue-ingest",
	name: "ownership.recorded",
	summary: "The owners of a generator in a year, new or corrected.",
	example: examples.ownershipRecorded,
	payload: {
		plant_id: z.int().describe("EIA plant code"),
		plant_name: z.string().nullable().describe("As reported"),
		state: z.string().nullable().describe("State of the plant"),
		generator_id: z.string().describe("Id of the generator in its plant, as reported"),
		year: z.int().describe("Year that the report covers"),
		operator: z
			.strictObject({
				utility_id: z.int().describe("EIA's utility id"),
				name: z.string().nullable(),
				developer_canonical: z.string().nullable().describe("The developer behind the name"),
				parent: z.string().nullable(),
			})
			.describe("Company that reports the generator"),
		technology: z.string().nullable().describe("As reported"),
		capacity_mw: megawatts("Nameplate capacity, MW").nullable(),
		status: z.string().nullable().describe("As reported"),
		source: z.enum(ownershipSources).describe("The schedule of owners, or the operator if it lists none"),
		owners: z
			.array(
				z.strictObject({
					owner_id: z.int().nullable().describe("EIA's utility id of the owner"),
					name: z.string(),
					fraction: share("Part of the generator"),
					developer_canonical: z.string().nullable().describe("The developer behind the name"),
					parent: z.string().nullable(),
					address: z.string().nullable(),
					city: z.string().nullable(),
					state: z.string().nullable(),
				}),
			)
			.describe("All of them, each with its part"),
	},
});

/**
 * Tells consumers to delete these requests, companies and plants. Published when a publisher's first list or form replaces the bundled sample. Also
 * published, without companies and plants, when a new file replaces a program's installations, or when the only list with these requests is
 * retracted.
 */
export const sampleLeft = event({
	publisher: "queue-ingest",
	name: "sample.left",
	summary: "The invented sample or a mistaken list was removed: these records were never true.",
	example: examples.sampleLeft,
	payload: {
		project_ids: z.array(z.string()).describe("Requests to delete"),
		developer_ids: z.array(z.int()).describe("Developers to delete"),
		plant_ids: z.array(z.int()).describe("Plants whose ownership is to be deleted"),
	},
});
