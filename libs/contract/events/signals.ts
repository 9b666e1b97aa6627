import { z } from "zod";
import { day, megawatts, share, timestamp, usd } from "../envelopes.ts";
import {
	confidences,
	eventTypes,
	filingCategories,
	filingTypes,
	maEventTypes,
	matchMethods,
	matchPlaces,
	newsSubjects,
	ownershipSources,
	projectRegions,
} from "../vocabulary.ts";
import { event } from "./event.ts";
import { examples } from "./examples.ts";

/**
 * An article and the developers that it names, published when those change. It has no developers if a match was withdrawn. `version` is the
 * article's.
 */
export const newsRecorded = event({
	publisher: "signals",
	name: "news.recorded",
	summary: "A headline names developers, or was matched anew.",
	example: examples.newsRecorded,
	payload: {
		article_id: z.int().describe("Number of the article"),
		title: z.string().describe("The headline"),
		url: z.string().describe("Address of the article"),
		domain: z.string().describe("Site that published it"),
		published_at: timestamp().describe("Time of publication, or when the source first saw it"),
		event_type: z.enum(eventTypes).describe("What the headline is about"),
		seeks_capital: z.boolean().describe("Whether the headline states that a company seeks capital or a buyer"),
		developers: z
			.array(
				z.strictObject({
					developer_id: z.int(),
					developer_canonical: z.string(),
					matched_on: z.enum(matchPlaces).describe("Where its name was found"),
					match_confidence: share("How sure the match is"),
					subject: z.enum(newsSubjects).describe("Its US business, or the worldwide group that it belongs to"),
					bankruptcy: z
						.boolean()
						.describe("The headline states as a fact that this developer has filed for bankruptcy or insolvency."),
				}),
			)
			.describe("Developers that the article names; empty when a match was withdrawn"),
	},
});

/**
 * A Form D. If a later amendment has a plausible amount sold, the earlier filing is republished with `is_latest` false; an amendment without
 * one is itself published with `is_latest` false. `version` is the filing's.
 */
export const raiseRecorded = event({
	publisher: "signals",
	name: "raise.recorded",
	summary: "An exempt offering was filed, amended or matched anew.",
	example: examples.raiseRecorded,
	payload: {
		accession_number: z.string().describe("SEC's number of the filing"),
		filing_date: day().describe("Day on which it was filed"),
		issuer_name: z.string().describe("As filed"),
		cik: z.string().describe("SEC's number of the issuer"),
		is_amendment: z.boolean().describe("Restates an earlier filing"),
		chain: z.string().describe("The offering: a filing and its amendments share it"),
		is_latest: z.boolean().describe("The one of its chain that counts"),
		total_offering_amount: usd("Offered, USD").nullable(),
		total_amount_sold: usd("Sold so far, USD").nullable(),
		energy: z.boolean().describe("A word in it is one of the energy business"),
		developer_id: z.int().nullable().describe("The developer that it was matched to"),
		developer_canonical: z.string().nullable().describe("Its name"),
		match_method: z.enum(matchMethods).describe("How the developer was found"),
	},
});

/** A current report (8-K) that has a class. `version` is the filing's. */
export const filingRecorded = event({
	publisher: "signals",
	name: "filing.recorded",
	summary: "A current report (8-K) was filed, amended or matched anew.",
	example: examples.filingRecorded,
	payload: {
		accession_number: z.string().describe("SEC's number of the filing"),
		filing_date: day().describe("Day on which it was filed"),
		report_date: day().nullable().describe("Day of the event reported"),
		form_type: z.string().describe("8-K or 8-K/A"),
		issuer_name: z.string().describe("As filed"),
		cik: z.string().describe("SEC's number of the issuer"),
		event_type: z.enum(filingTypes).describe("The first class of its items"),
		categories: z.array(z.enum(filingCategories)).describe("Every class of its items"),
		item_codes: z.array(z.string()).describe("Codes of the items reported: 1.03, 2.01 ..."),
		subsidiary_bankruptcy: z
			.boolean()
			.nullable()
			.default(null)
			.describe("True if item 1.03 names a subsidiary, and not the issuer, as the debtor; null if it was not read"),
		first_told: z.boolean().describe("False if an earlier filing reported every event in it"),
		energy: z.boolean().describe("A word in it is one of the energy business"),
		developer_id: z.int().nullable().describe("The developer that it was matched to"),
		developer_canonical: z.string().nullable().describe("Its name"),
	},
});

/** A change of ownership of a plant or a queue position, derived from reports. `version` is the event's. */
export const ownershipChanged = event({
	publisher: "signals",
	name: "ownership.changed",
	summary: "A plant or queue position changed hands, or a report of it was withdrawn.",
	example: examples.ownershipChanged,
	payload: {
		ma_event_id: z.int().describe("Number of the event"),
		event_type: z.enum(maEventTypes).describe("A plant's owner, or a queue position's developer"),
		effective_date: day().describe("End of the year of the report, or day of the list"),
		plant_id_eia: z.int().nullable().describe("EIA plant code; null for a queue position"),
		generator_id: z.string().nullable().describe("Id of the generator in its plant"),
		project_id: z.string().nullable().describe("The request; null for a plant without one"),
		region: z.enum(projectRegions).nullable().describe("Grid operator of the request"),
		capacity_mw: megawatts("Capacity of the generator or the request, MW").nullable(),
		technology: z.string().nullable().describe("As reported or filed"),
		seller: z.string().nullable().describe("By name, as reported"),
		seller_canonical: z.string().nullable().describe("The developer behind it"),
		buyer: z.string().nullable().describe("By name, as reported"),
		buyer_canonical: z.string().nullable().describe("The developer behind it"),
		fraction_owned: share("Share that the buyer holds afterwards").nullable(),
		source: z.enum([...ownershipSources, "queue_snapshots"]).describe("Source that shows the change"),
		confidence: z.enum(confidences).describe("How sure it is that it changed hands"),
		retracted: z.boolean().describe("True: the report was withdrawn; delete it"),
	},
});
