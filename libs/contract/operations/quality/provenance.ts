/** Origin of values: file, cell and rule; verification against the archived file. */
import { z } from "zod";
import { citation, count, day, named, quantity, sha256, share, timestamp } from "../../envelopes.ts";
import { queueIngestOperation, scoringOperation } from "../../operation.ts";
import { choice, none, words } from "../../params.ts";
import { component, listFields, project } from "../../records/project.ts";
import { bonusStatuses, creditStatuses } from "../../vocabulary.ts";
import { asOf } from "../as-of.ts";
import { exampleId, projectIdParams } from "../projects/project.ts";

type ProjectField = keyof typeof project.shape;
const projectFields = Object.keys(project.shape) as [ProjectField, ...ProjectField[]];
/** Values with an origin: a request's fields, and the owners of its plant by generator. */
const provenanceFields = [...projectFields, "owners"] as const;
/** Values with an archived file. */
const verifiableFields = [...listFields, "owners"] as const;

const value = () =>
	z
		.union([
			z.string(),
			z.number().meta({ "x-unit": "that of the field" }),
			z.boolean(),
			z.array(z.string()),
			z.array(component),
		])
		.nullable();

const cell = {
	sheet: z.string().nullable().describe("Null: no cell, or a file without sheets"),
	row: z
		.int()
		.min(1)
		.nullable()
		.describe(
			"From 1: row of a sheet; record of a CSV, counting the header but no blank lines; record of JSON, XML and HTML",
		),
	column: z.string().nullable().describe("Letter of a sheet's column; for other files its number, from 1"),
	header: z.string().nullable().describe("As filed"),
	raw: z.string().nullable().describe("Text of the cell; a date in a workbook as YYYY-MM-DD"),
};

const origin = named("Origin", {
	field: z.string(),
	value: value(),
	file: z.string().nullable(),
	sha256: sha256().nullable(),
	...cell,
	rule: z.string().describe("Permanent name of the rule; `/provenance/rules` explains it"),
	confidence: share()
		.nullable()
		.describe("1: the cell states it; for a link or stage, its own confidence; null: not measured"),
	inputs: z.array(z.strictObject(cell)).describe("Other cells that the rule reads"),
	facts: z
		.array(z.string())
		.describe("Fields of the request that the value is computed from: each has its own row in the response"),
	citations: z.array(citation()).describe("For a tax credit: the law that applies, with its days"),
	overruled: z
		.array(z.strictObject({ value: value(), source: z.string(), sha256: sha256().nullable(), ...cell }))
		.describe("Other values, stated by another cell, list or publisher"),
	evidence: z
		.strictObject({ method: z.string(), confidence: share().nullable(), text: z.string().nullable() })
		.nullable()
		.describe(
			"For a link to a developer, a plant or another publisher's report: the method and the text that matched. For a tax credit: its status and reason. For a score: its version and inputs_hash",
		),
	see: z.string().nullable().describe("Address of the inputs of a computed value"),
});

const file = named("SourceFile", {
	sha256: sha256(),
	name: z.string(),
	feed: z.string(),
	url: z.string().nullable(),
	loaded_at: timestamp().describe("When it was fetched or loaded"),
	published_on: day().nullable().describe("The day that the file itself states"),
	as_of: timestamp().describe("The time of the list"),
	snapshot_id: z.int().nullable().describe("Null for a list of places, which belongs to no snapshot"),
});

export const getProjectProvenance = queueIngestOperation({
	summary: "Origin of each value of a request: file, sheet, row, header, raw text, rule, and overruled values.",
	params: z.strictObject({
		...projectIdParams,
		field: choice(provenanceFields)
			.optional()
			.describe("One field, and those that it is computed from; all when absent. owners: owners of its plant"),
		...asOf,
	}),
	reply: z.strictObject({ project_id: z.string(), data: z.array(origin), files: z.array(file) }),
	http: { method: "GET", path: "/projects/{project_id}/provenance", price: "standard" },
	example: { project_id: exampleId, field: "capacity_mw" },
	maxAgeMs: 60_000,
});

/** Whether a reference list, such as that of energy communities, contains a request's counties. */
const listing = z.strictObject({
	status: z.enum(bonusStatuses),
	reason: z.string(),
	file: z
		.strictObject({
			sha256: sha256(),
			name: z.string(),
			source: z.string(),
			published_on: day().nullable(),
			valid_from: day(),
			loaded_at: timestamp(),
		})
		.nullable()
		.describe("Null if no list is loaded"),
	cells: z.array(z.strictObject(cell)).describe("The first cells of its rows that decide the status"),
});

export const readOrigins = scoringOperation({
	summary: "Sources of the flags, the tax credit and the score of a request: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id") }),
	reply: z.strictObject({
		energy_community: listing,
		low_income: listing,
		listing_facts: z.array(z.string()).describe("Fields that state its location"),
		credit: z
			.strictObject({
				status: z.enum(creditStatuses),
				reasons: z.array(z.string()),
				domestic_content: z.strictObject({ status: z.enum(bonusStatuses), reason: z.string() }),
				facts: z.array(z.string()),
				citations: z.array(citation()),
			})
			.nullable()
			.describe("Null for a request that is closed or not for generation"),
		score: z
			.strictObject({
				score_version: z.int(),
				inputs_hash: z.string(),
				scored_at: timestamp(),
				facts: z.array(z.string()),
				cost: z
					.strictObject({
						file: z.string(),
						sha256: sha256(),
						source: z.string().nullable(),
						usd_per_kw: quantity("USD/kW"),
					})
					.nullable()
					.describe("Study that states its interconnection cost"),
			})
			.nullable()
			.describe("Null if it is not scored"),
	}),
	maxAgeMs: 60_000,
});

export const verifyValue = queueIngestOperation({
	summary: "Reads the archived file of a value again and compares the result with the stored value.",
	params: z.strictObject({
		project_id: projectIdParams.project_id,
		field: choice(verifiableFields).describe(
			"A field that a list states or that is derived from its row; owners: owners of its plant. Computed values and lists of places have no archived file",
		),
		region: projectIdParams.region,
		...asOf,
	}),
	reply: z.strictObject({
		project_id: z.string(),
		field: z.string(),
		stored: value(),
		read_again: value().describe("Also null if the archive is damaged"),
		agrees: z
			.boolean()
			.describe(
				"Case and white space are ignored, as they are when values are stored. Also true if earlier lists decide the value: the first queue date, a technology that the row lacks, a modification",
			),
		archive: z
			.enum(["intact", "damaged"])
			.describe("damaged: the archived bytes do not match the file's SHA-256; nothing was read"),
		sha256: sha256(),
		file: z.string(),
		cell: z.strictObject(cell).nullable(),
	}),
	http: { method: "GET", path: "/verify", price: "premium", looksUp: true },
	example: { project_id: exampleId, field: "capacity_mw" },
});

export const listProvenanceRules = queueIngestOperation({
	summary: "The rules that turn cells into values: name and explanation.",
	params: none,
	reply: z.strictObject({ data: z.array(z.strictObject({ rule: z.string(), sentence: z.string() })) }),
	http: { method: "GET", path: "/provenance/rules", price: "free" },
	noPast: "The rules are those of the current release.",
});

const ofFile = () =>
	z
		.string({ error: "must be text" })
		.trim()
		.toLowerCase()
		.regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
		.describe("SHA-256 of the file's bytes");

export const getFile = queueIngestOperation({
	summary: "An archived file: names, source, size, license, and each load with its outcome.",
	params: z.strictObject({ sha256: ofFile() }),
	reply: z.strictObject({
		sha256: sha256(),
		bytes: count().meta({ "x-unit": "bytes" }),
		archived_at: timestamp().describe("When the file was archived"),
		publisher: z.string(),
		licence: z.string(),
		may_be_passed_on: z.boolean().describe("Whether /files/{sha256}/bytes returns its bytes"),
		loads: z.array(
			z.strictObject({
				snapshot_id: z.int(),
				name: z.string(),
				feed: z.string().nullable(),
				url: z.string().nullable(),
				loaded_at: timestamp(),
				published_on: day().nullable(),
				as_of: timestamp(),
				outcome: z.string().describe("applied, backfilled, unchanged, quarantined, failed, retracted or started"),
				rows_in: count().nullable().describe("Rows read from the file"),
				requests: count().nullable(),
			}),
		),
	}),
	http: { method: "GET", path: "/files/{sha256}", price: "standard" },
	example: { sha256: "0".repeat(64) },
	noPast: "An archived file never changes; each of its loads has a day.",
});

export const getFileBytes = queueIngestOperation({
	summary:
		"The archived bytes of a file whose license allows it (EIA, Berkeley Lab). Operators' files are not available.",
	params: z.strictObject({ sha256: ofFile() }),
	reply: z.string(),
	http: { method: "GET", path: "/files/{sha256}/bytes", price: "pro" },
	mediaType: "application/octet-stream",
	streamed: true,
	example: { sha256: "0".repeat(64) },
	noPast: "An archived file never changes.",
});
