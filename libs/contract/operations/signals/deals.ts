/** Plants and queue positions that change owners. */
import { z } from "zod";
import { count, datedPage, day, megawatts, named, page, share, timestamp } from "../../envelopes.ts";
import { signalsOperation } from "../../operation.ts";
import { choice, flag, isoDate, listParams, none, words } from "../../params.ts";
import { confidences, maEventTypes, ownershipSources, projectRegions, regions } from "../../vocabulary.ts";
import { region } from "../projects/project.ts";

export const listMaEvents = signalsOperation({
	summary: "Plants and queue positions that changed hands, newest first.",
	params: listParams(
		{
			event_type: choice(maEventTypes).optional().describe("Operating plants, or requests in a queue"),
			developer: words().optional().describe("Canonical developer on either side"),
			region: region().optional().describe("Grid operator, of queue events"),
			technology: words().optional().describe("Any part of the technology, in any case"),
			min_confidence: choice(confidences).optional().describe("Least confidence"),
			matched_only: flag().default(false).describe("Only events with a known developer on either side"),
			since: isoDate().optional().describe("effective_date, inclusive"),
		},
		200,
	),
	reply: datedPage(
		named("MaEvent", {
			event_type: z.enum(maEventTypes),
			asset_class: z.enum(["operating", "queue_project"]),
			effective_date: day(),
			plant_id_eia: z.int().nullable().describe("EIA plant code"),
			generator_id: z.string().nullable(),
			queue_id: z.string().nullable(),
			region: z.enum(projectRegions).nullable(),
			asset_name: z.string().nullable(),
			capacity_mw: megawatts().nullable(),
			technology: z.string().nullable(),
			state: z.string().nullable(),
			seller: z.string().nullable(),
			seller_canonical: z.string().nullable(),
			buyer: z.string().nullable().describe("New owner, as published"),
			buyer_canonical: z.string().nullable(),
			fraction_owned: share().nullable().describe("Share that the buyer holds afterwards"),
			source: z.enum([...ownershipSources, "queue_snapshots"]),
			confidence: z.enum(confidences),
			reason: z.string().describe("Why this confidence"),
		}),
		"event_type",
	),
	http: { method: "GET", path: "/ma-events", price: "standard" },
	example: { event_type: "ownership_change", min_confidence: "medium" },
	noPast: "Each row has its own day; `since` chooses by it.",
});

export const summariseMaEvents = signalsOperation({
	summary: "Changes of ownership by kind and confidence, and the largest acquirers.",
	params: none,
	reply: z.strictObject({
		total: count(),
		by_type: z.partialRecord(z.enum(maEventTypes), count()),
		by_confidence: z.partialRecord(z.enum(confidences), count()).describe("By confidence"),
		top_acquirers: z.array(
			z.strictObject({
				developer: z.string(),
				acquisitions: count().describe("Distinct assets; events of low confidence are left out"),
			}),
		),
	}),
	http: { method: "GET", path: "/ma-events/summary", price: "standard" },
	noPast: "Sums over all deals; each deal in `/ma-events` has its own day.",
});

export const listMaReviews = signalsOperation({
	summary: "Waves of developer changes that were held back for a person: bus-only.",
	params: listParams({}, 200),
	reply: page(
		z.strictObject({
			region: z.enum(regions),
			as_of: timestamp(),
			kind: z.enum(["recode", "rename"]),
			old_developer: z.string().nullable(),
			new_developer: z.string().nullable(),
			projects: count(),
			reason: z.string(),
		}),
	),
});
