/** Finds a request by a current or former number, another publisher's number, a name with its location, or a point. */
import { z } from "zod";
import { count, megawatts, share } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { stateCode, words } from "../../params.ts";
import { project } from "../../records/project.ts";
import { listings, projectRegions, resolveMethods, resolveOutcomes } from "../../vocabulary.ts";
import { exampleId, region } from "./project.ts";
import { parseResolveQuery } from "./resolve-query.ts";

/** Maximum queries in a call. */
const maxQueries = 1_000;

const query = {
	q: words()
		.superRefine((q, context) => {
			const parsed = parseResolveQuery(q);
			if (typeof parsed === "string") context.addIssue({ code: "custom", message: parsed });
		})
		.meta({
			examples: ["J1234", "lbnl:MISO/J1234", "eia:66075/GEN1", "Fawn River Solar, Branch County, MI", "31.97,-102.08"],
		})
		.describe(
			"A current or former id or number; a name, with county and state after it or as parameters; latitude,longitude; lbnl:[<entity>/]<number>; eia:<plant>[/<generator>]; cluster:<number>; gem:<id>",
		),
	region: region().optional().describe("Only requests of this operator's queue"),
	state: stateCode().optional().describe("State of the request, two letters"),
	county: words(1, 100).optional().describe("A county of the request"),
};

const named = z.strictObject({
	id: project.shape.id,
	queue_id: project.shape.queue_id,
	region: z.enum(projectRegions).describe("As in /projects"),
	name: project.shape.name,
	state: project.shape.state,
	county: project.shape.county,
	type_std: project.shape.type_std,
	status_std: project.shape.status_std,
	listed: z.enum(listings).describe("As in /projects"),
	capacity_mw: megawatts().nullable(),
});

const answer = z.strictObject({
	q: z.string().describe("The query as sent"),
	outcome: z
		.enum(resolveOutcomes)
		.describe(
			"ambiguous: several requests fit equally well; contradicted: the request that fits is in another place; gone: an id that no longer names a request",
		),
	project: named.nullable().describe("The request found; null unless `outcome` is found"),
	method: z
		.enum(resolveMethods)
		.nullable()
		.describe(
			"id; number: as filed now; former_number; cluster: its only request; lbnl_number, lbnl_name: Berkeley Lab's number, or its name and date; eia_plant, eia_generator: linked to the plant; name: as filed; plant_name: of the linked plant; point: the nearest site",
		),
	confidence: share()
		.nullable()
		.describe("1: a number that only one request has; for a link, the confidence of the link"),
	evidence: z
		.strictObject({
			text: z.string().describe("The evidence, as a sentence"),
			source: z.string().nullable().describe("The list that states the request, by its feed"),
			file: z.string().nullable(),
			sha256: z.string().nullable(),
			sheet: z.string().nullable().describe("Null of a file without sheets"),
			row: count().nullable().describe("From 1, as in provenance"),
		})
		.nullable()
		.describe("Why this request was chosen, and the newest list that states it"),
	reason: z.string().nullable().describe("Why no request was chosen; null if one was"),
	alternatives: z
		.array(
			z.strictObject({
				project: named
					.pick({ id: true, region: true, name: true, state: true, county: true })
					.describe("Facts that identify it"),
				method: z.enum(resolveMethods).describe("As `method` above"),
				confidence: share(),
				text: z.string(),
			}),
		)
		.describe("Other candidates, most likely first; at most five"),
	alternatives_total: count().describe("Number of other candidates, including those not shown"),
});

export const resolve = queueIngestOperation({
	summary:
		"Finds the request for any current or former number, a number of Berkeley Lab or the EIA, a name with its location, or a point; with method and evidence.",
	params: z.strictObject(query),
	reply: answer,
	http: { method: "GET", path: "/resolve", price: "standard" },
	example: { q: exampleId },
	noPast: "Current and former numbers lead to their request, regardless of the day.",
});

export const resolveMany = queueIngestOperation({
	summary: `The same of up to ${maxQueries.toLocaleString("en")} queries at once, answered in their order.`,
	params: z.strictObject({
		queries: z
			.array(z.strictObject(query), { error: "must be an array of queries" })
			.min(1, "must have a query")
			.max(maxQueries, `must have at most ${maxQueries} queries`)
			.describe("Each as the parameters of GET /resolve"),
	}),
	reply: z.strictObject({ data: z.array(answer) }),
	http: { method: "POST", path: "/resolve", price: "premium", readsByPost: true },
	example: { queries: [{ q: exampleId }, { q: "lbnl:NYISO/0832" }] },
	noPast: "Current and former numbers lead to their request, regardless of the day.",
});
