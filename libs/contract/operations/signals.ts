/** What the public record says of developers: news, capital raises, current reports, changes of hands (specification 2.7 to 2.11). */
import { z } from "zod";
import { count, day, page, share, timestamp } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, decimal, flag, integer, isoDate, words } from "../params.ts";
import {
	confidences,
	eventTypes,
	filingCategories,
	filingTypes,
	maEventTypes,
	matchMethods,
	matchPlaces,
	ownershipSources,
	regions,
} from "../vocabulary.ts";
import { region } from "./project.ts";

const paging = {
	page: integer(1).default(1).describe("Page, from 1"),
	per_page: integer(1, 200).default(50).describe("Rows a page"),
};
const binary = () => z.union([z.literal(0), z.literal(1)]);

/** A headline that names a developer. Several developers named are several rows. */
const newsFields = {
	event_type: z.enum(eventTypes),
	title: z.string().meta({ description: "Headline" }),
	url: z.string(),
	domain: z.string(),
	published_at: timestamp().meta({ description: "Publication, else when the source first saw it" }),
	source: z.string().meta({ description: "Name of the news feed" }),
	matched_on: z.enum(matchPlaces),
	matched_text: z.string(),
	match_confidence: share().meta({ description: "0.9: the name stands in the headline" }),
	source_country: z.string().nullable(),
	copies: count().meta({ description: "Further appearances of the same headline within three days" }),
};
const newsEvent = z.strictObject({ developer_canonical: z.string(), ...newsFields });

export const listEvents = operation({
	owner: "signals",
	summary: "News about developers, classified and matched to them; newest first.",
	params: z.strictObject({
		developer: words().optional().describe("Canonical name, or any part of one, in any case"),
		event_type: choice(eventTypes).optional().describe("Class of the headline"),
		days: integer(1, 365).default(30).describe("How many days back, by publication"),
		min_confidence: decimal(0, 1).optional().describe("Least match_confidence"),
		...paging,
	}),
	reply: page(newsEvent),
	http: { method: "GET", path: "/events", price: "standard" },
	maxAgeMs: 60_000,
});

export const summariseEvents = operation({
	owner: "signals",
	summary: "News by class, and the developers with most of it.",
	params: z.strictObject({
		developer: words().optional().describe("Canonical name, or any part of one, in any case"),
		days: integer(1, 365).default(30).describe("How many days back, by publication"),
	}),
	reply: z.strictObject({
		total_events: count(),
		days: z.int(),
		by_type: z.array(z.strictObject({ event_type: z.enum(eventTypes), count: count(), developers: count() })),
		top_developers: z.array(
			z.strictObject({
				developer_canonical: z.string(),
				events: count(),
				distress: count(),
				financing: count(),
				litigation: count(),
				latest_event: timestamp(),
			}),
		),
	}),
	http: { method: "GET", path: "/events/summary", price: "standard" },
	maxAgeMs: 60_000,
});

export const listDeveloperEvents = operation({
	owner: "signals",
	summary: "News about one developer, newest first.",
	params: z.strictObject({
		developer_id: words().describe("Numeric id, or the canonical name"),
		event_type: choice(eventTypes).optional().describe("Class of the headline"),
		days: integer(1, 365).default(90).describe("How many days back, by publication"),
		...paging,
	}),
	reply: page(z.strictObject(newsFields)).extend({ developer: z.string() }),
	http: { method: "GET", path: "/developers/{developer_id}/events", price: "standard" },
	maxAgeMs: 60_000,
});

const usd = () => z.number().min(0).meta({ description: "USD" });

export const listCapitalRaises = operation({
	owner: "signals",
	summary: "Exempt offerings of securities (Form D) as filed, newest first. An amendment restates: never sum both.",
	params: z.strictObject({
		developer: words().optional().describe("Any part of the matched developer's canonical name"),
		issuer: words().optional().describe("Any part of the issuer's name"),
		matched_only: flag().default(false).describe("Only filings matched to a developer"),
		energy_only: flag().default(false).describe("Only filings whose industry or words are the energy sector's"),
		min_amount_sold: decimal(0, 1e12).optional().describe("USD, inclusive"),
		since: isoDate().optional().describe("Filing date, inclusive"),
		is_amendment: flag().optional().describe("true: amendments only; false: new filings only"),
		...paging,
	}),
	reply: page(
		z.strictObject({
			accession_number: z.string(),
			filing_date: day(),
			is_amendment: binary(),
			issuer_name: z.string(),
			cik: z.string(),
			entity_type: z.string().nullable(),
			jurisdiction: z.string().nullable(),
			issuer_city: z.string().nullable(),
			issuer_state: z.string().nullable().meta({ description: "SEC's code: a US state, or A6, E9 ... for elsewhere" }),
			year_of_inc: z.string().nullable(),
			industry_group: z.string().nullable(),
			total_offering_amount: usd().nullable().meta({ description: "USD; null where it is indefinite" }),
			total_amount_sold: usd().nullable().meta({ description: "USD, cumulative since the first sale" }),
			date_of_first_sale: day().nullable(),
			is_equity: binary(),
			is_debt: binary(),
			related_persons: z.array(
				z.strictObject({
					name: z.string(),
					relationships: z.array(z.string()),
					city: z.string().nullable(),
					state: z.string().nullable(),
				}),
			),
			energy_keyword: binary(),
			developer_canonical: z.string().nullable(),
			project_name: z.string().nullable(),
			match_method: z.enum(matchMethods),
			match_confidence: share().nullable(),
			matched_text: z.string().nullable(),
			chain: z.string().meta({ description: "The offering: a filing and its amendments share it" }),
			is_latest: z.boolean().meta({ description: "The newest of its offering: the one whose amounts count" }),
		}),
	),
	http: { method: "GET", path: "/capital-raises", price: "standard" },
});

export const listMaEvents = operation({
	owner: "signals",
	summary: "Plants and queue positions that changed hands, newest first.",
	params: z.strictObject({
		event_type: choice(maEventTypes).optional().describe("Operating plants, or requests in a queue"),
		developer: words().optional().describe("Canonical developer on either side"),
		region: region().optional().describe("Grid operator, of queue events"),
		technology: words().optional().describe("Any part of the technology, in any case"),
		min_confidence: choice(confidences).optional().describe("Least confidence"),
		matched_only: flag().default(false).describe("Only events with a known developer on a side"),
		since: isoDate().optional().describe("effective_date, inclusive"),
		...paging,
	}),
	reply: page(
		z.strictObject({
			event_type: z.enum(maEventTypes),
			asset_class: z.enum(["operating", "queue_project"]),
			effective_date: day(),
			plant_id_eia: z.int().nullable(),
			generator_id: z.string().nullable(),
			queue_id: z.string().nullable(),
			region: z.enum(regions).nullable(),
			asset_name: z.string().nullable(),
			capacity_mw: z.number().nullable().meta({ description: "MW" }),
			technology: z.string().nullable(),
			state: z.string().nullable(),
			seller: z.string().nullable(),
			seller_canonical: z.string().nullable(),
			buyer: z.string().nullable(),
			buyer_canonical: z.string().nullable(),
			fraction_owned: share().nullable().meta({ description: "What the buyer holds afterwards" }),
			source: z.enum([...ownershipSources, "queue_snapshots"]),
			confidence: z.enum(confidences),
			reason: z.string().meta({ description: "Why this confidence" }),
		}),
	),
	http: { method: "GET", path: "/ma-events", price: "standard" },
});

export const summariseMaEvents = operation({
	owner: "signals",
	summary: "Changes of hands by kind and confidence, and who acquired most.",
	params: z.strictObject({}),
	reply: z.strictObject({
		total: count(),
		by_type: z.partialRecord(z.enum(maEventTypes), count()),
		by_confidence: z.partialRecord(z.enum(confidences), count()),
		top_acquirers: z.array(
			z.strictObject({
				developer: z.string(),
				acquisitions: count().meta({ description: "Distinct assets; events of low confidence are left out" }),
			}),
		),
	}),
	http: { method: "GET", path: "/ma-events/summary", price: "standard" },
});

export const listMaReviews = operation({
	owner: "signals",
	summary: "Waves of developer changes that were held back for a person: bus-only.",
	params: z.strictObject(paging),
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

export const listMaterialEvents = operation({
	owner: "signals",
	summary: "Current reports (8-K) of events that matter to lenders and buyers, newest first.",
	params: z.strictObject({
		event_type: choice(filingTypes).optional().describe("Class of the report"),
		developer: words().optional().describe("Any part of the matched developer's canonical name"),
		category: choice(filingCategories).optional().describe("Category of one of its items"),
		matched_only: flag().default(false).describe("Only reports matched to a developer"),
		energy_only: flag().default(false).describe("Only issuers whose industry or name is the energy sector's"),
		since: isoDate().optional().describe("Filing date, inclusive"),
		...paging,
	}),
	reply: page(
		z.strictObject({
			accession_number: z.string(),
			filing_date: day(),
			report_date: day().nullable().meta({ description: "Day of the event reported" }),
			form_type: z.string(),
			issuer_name: z.string(),
			cik: z.string(),
			items: z.array(z.string()).meta({ description: "Item titles" }),
			categories: z.array(z.enum(filingCategories)),
			event_type: z.enum(filingTypes),
			url: z.string(),
			energy_keyword: binary(),
			developer_canonical: z.string().nullable(),
			match_method: z.enum(matchMethods),
			first_told: z.boolean().meta({ description: "False where every event in it was told by an earlier filing" }),
		}),
	),
	http: { method: "GET", path: "/material-events", price: "standard" },
});
