import { z } from "zod";
import { day, share, timestamp } from "../envelopes.ts";
import { event } from "../event.ts";
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

/** An article that names developers, published when they change; without developers when a match was withdrawn. `version` is the article's. */
export const newsRecorded = event({
	publisher: "signals",
	name: "news.recorded",
	summary: "A headline names developers, or was matched anew.",
	payload: {
		article_id: z.int(),
		title: z.string(),
		url: z.string(),
		domain: z.string(),
		published_at: timestamp(),
		event_type: z.enum(eventTypes),
		seeks_capital: z.boolean().meta({ description: "The headline says that a company looks for money or a buyer." }),
		developers: z.array(
			z.strictObject({
				developer_id: z.int(),
				developer_canonical: z.string(),
				matched_on: z.enum(matchPlaces),
				match_confidence: share(),
				// The default is for events that were published before the field existed.
				subject: z.enum(newsSubjects).default("us_business"),
				bankruptcy: z.boolean().meta({
					description: "The headline states as a fact that this developer has filed for bankruptcy or insolvency.",
				}),
			}),
		),
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
	payload: {
		accession_number: z.string(),
		filing_date: day(),
		issuer_name: z.string(),
		cik: z.string(),
		is_amendment: z.boolean(),
		chain: z.string(),
		is_latest: z.boolean(),
		total_offering_amount: z.number().nullable(),
		total_amount_sold: z.number().nullable(),
		energy: z.boolean(),
		developer_id: z.int().nullable(),
		developer_canonical: z.string().nullable(),
		match_method: z.enum(matchMethods),
	},
});

/** A current report with a class. `version` is the filing's. */
export const filingRecorded = event({
	publisher: "signals",
	name: "filing.recorded",
	summary: "A current report (8-K) was filed, amended or matched anew.",
	payload: {
		accession_number: z.string(),
		filing_date: day(),
		report_date: day().nullable(),
		form_type: z.string(),
		issuer_name: z.string(),
		cik: z.string(),
		event_type: z.enum(filingTypes),
		categories: z.array(z.enum(filingCategories)),
		item_codes: z.array(z.string()).default([]).meta({ description: "Of the items reported: 1.03, 2.01 ..." }),
		first_told: z.boolean(),
		energy: z.boolean(),
		developer_id: z.int().nullable(),
		developer_canonical: z.string().nullable(),
	},
});

/** A plant or a queue position changed hands, as far as the reports show. `version` is the event's. */
export const ownershipChanged = event({
	publisher: "signals",
	name: "ownership.changed",
	summary: "A plant or queue position changed hands, or a report of it was taken back.",
	payload: {
		ma_event_id: z.int(),
		event_type: z.enum(maEventTypes),
		effective_date: day(),
		plant_id_eia: z.int().nullable(),
		generator_id: z.string().nullable(),
		project_id: z.string().nullable(),
		region: z.enum(projectRegions).nullable(),
		capacity_mw: z.number().nullable(),
		technology: z.string().nullable(),
		seller: z.string().nullable(),
		seller_canonical: z.string().nullable(),
		buyer: z.string().nullable(),
		buyer_canonical: z.string().nullable(),
		fraction_owned: share().nullable(),
		source: z.enum([...ownershipSources, "queue_snapshots"]),
		confidence: z.enum(confidences),
		retracted: z.boolean(),
	},
});
