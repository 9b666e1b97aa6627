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

/** An article that names developers, published when they change; without developers when a match was withdrawn. `version` is the article's. */
export const newsRecorded = event({
	publisher: "signals",
	name: "news.recorded",
	summary: "A headline names developers, or was matched anew.",
	example: examples.newsRecorded,
	payload: {
		article_id: z.int().meta({ description: "Number of the article" }),
		title: z.string().meta({ description: "The headline" }),
		url: z.string().meta({ description: "Of the article" }),
		domain: z.string().meta({ description: "Site that published it" }),
		published_at: timestamp().meta({ description: "Publication, else when the source first saw it" }),
		event_type: z.enum(eventTypes).meta({ description: "What the headline is about" }),
		seeks_capital: z.boolean().meta({ description: "The headline says that a company looks for money or a buyer." }),
		developers: z
			.array(
				z.strictObject({
					developer_id: z.int(),
					developer_canonical: z.string(),
					matched_on: z.enum(matchPlaces).meta({ description: "Where its name stands" }),
					match_confidence: share("How sure the match is"),
					subject: z
						.enum(newsSubjects)
						.meta({ description: "Its US business, or the worldwide group that it belongs to" }),
					bankruptcy: z.boolean().meta({
						description: "The headline states as a fact that this developer has filed for bankruptcy or insolvency.",
					}),
				}),
			)
			.meta({ description: "That the article names; empty where a match was withdrawn" }),
	},
});

/**
 * A Form D. A later amendment with a plausible amount sold publishes the earlier filing again with `is_latest` false; an amendment
 * without one is itself published with `is_latest` false. `version` is the filing's.
 */
export const raiseRecorded = event({
	publisher: "signals",
	name: "raise.recorded",
	summary: "An exempt offering was filed, amended or matched anew.",
	example: examples.raiseRecorded,
	payload: {
		accession_number: z.string().meta({ description: "SEC's number of the filing" }),
		filing_date: day().meta({ description: "Day on which it was filed" }),
		issuer_name: z.string().meta({ description: "As filed" }),
		cik: z.string().meta({ description: "SEC's number of the issuer" }),
		is_amendment: z.boolean().meta({ description: "Restates an earlier filing" }),
		chain: z.string().meta({ description: "The offering: a filing and its amendments share it" }),
		is_latest: z.boolean().meta({ description: "The one of its chain that counts" }),
		total_offering_amount: usd("Offered, USD").nullable(),
		total_amount_sold: usd("Sold so far, USD").nullable(),
		energy: z.boolean().meta({ description: "A word in it is one of the energy business" }),
		developer_id: z.int().nullable().meta({ description: "The developer that it was matched to" }),
		developer_canonical: z.string().nullable().meta({ description: "Its name" }),
		match_method: z.enum(matchMethods).meta({ description: "How the developer was found" }),
	},
});

/** A current report with a class. `version` is the filing's. */
export const filingRecorded = event({
	publisher: "signals",
	name: "filing.recorded",
	summary: "A current report (8-K) was filed, amended or matched anew.",
	example: examples.filingRecorded,
	payload: {
		accession_number: z.string().meta({ description: "SEC's number of the filing" }),
		filing_date: day().meta({ description: "Day on which it was filed" }),
		report_date: day().nullable().meta({ description: "Day of the event reported" }),
		form_type: z.string().meta({ description: "8-K or 8-K/A" }),
		issuer_name: z.string().meta({ description: "As filed" }),
		cik: z.string().meta({ description: "SEC's number of the issuer" }),
		event_type: z.enum(filingTypes).meta({ description: "The first class of its items" }),
		categories: z.array(z.enum(filingCategories)).meta({ description: "Every class of its items" }),
		item_codes: z.array(z.string()).meta({ description: "Of the items reported: 1.03, 2.01 ..." }),
		first_told: z.boolean().meta({ description: "False where every event in it was reported by an earlier filing" }),
		energy: z.boolean().meta({ description: "A word in it is one of the energy business" }),
		developer_id: z.int().nullable().meta({ description: "The developer that it was matched to" }),
		developer_canonical: z.string().nullable().meta({ description: "Its name" }),
	},
});

/** A plant or a queue position changed hands, as far as the reports show. `version` is the event's. */
export const ownershipChanged = event({
	publisher: "signals",
	name: "ownership.changed",
	summary: "A plant or queue position changed hands, or a report of it was taken back.",
	example: examples.ownershipChanged,
	payload: {
		ma_event_id: z.int().meta({ description: "Number of the event" }),
		event_type: z.enum(maEventTypes).meta({ description: "A plant's owner, or a queue position's developer" }),
		effective_date: day().meta({ description: "End of the year of the report, or day of the list" }),
		plant_id_eia: z.int().nullable().meta({ description: "EIA plant code; null for a queue position" }),
		generator_id: z.string().nullable().meta({ description: "Of the plant's generators" }),
		project_id: z.string().nullable().meta({ description: "The request; null for a plant without one" }),
		region: z.enum(projectRegions).nullable().meta({ description: "Of the request" }),
		capacity_mw: megawatts("Of the generator or the request, MW").nullable(),
		technology: z.string().nullable().meta({ description: "As reported or filed" }),
		seller: z.string().nullable().meta({ description: "By name, as reported" }),
		seller_canonical: z.string().nullable().meta({ description: "The developer behind it" }),
		buyer: z.string().nullable().meta({ description: "By name, as reported" }),
		buyer_canonical: z.string().nullable().meta({ description: "The developer behind it" }),
		fraction_owned: share("What the buyer holds afterwards").nullable(),
		source: z.enum([...ownershipSources, "queue_snapshots"]).meta({ description: "What it was seen in" }),
		confidence: z.enum(confidences).meta({ description: "How sure it is that it changed hands" }),
		retracted: z.boolean().meta({ description: "True: the report is taken back, delete it" }),
	},
});
