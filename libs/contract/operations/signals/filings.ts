/** Issuers' filings with the SEC: exempt offerings and current reports. */
import { z } from "zod";
import { datedPage, day, named, share, usd } from "../../envelopes.ts";
import { signalsOperation } from "../../operation.ts";
import { choice, decimal, flag, isoDate, listParams, words } from "../../params.ts";
import { filingCategories, filingTypes, matchMethods } from "../../vocabulary.ts";

const binary = () => z.union([z.literal(0), z.literal(1)]);

export const listCapitalRaises = signalsOperation({
	summary: "Exempt offerings of securities (Form D) as filed, newest first. An amendment restates: never sum both.",
	params: listParams(
		{
			developer: words().optional().describe("Any part of the matched developer's canonical name"),
			issuer: words().optional().describe("Any part of the issuer's name"),
			matched_only: flag().default(false).describe("Only filings matched to a developer"),
			energy_only: flag().default(false).describe("Only filings of the energy sector, by industry or words"),
			min_amount_sold: decimal(0, 1e12, "USD").optional().describe("Least total_amount_sold, inclusive"),
			since: isoDate().optional().describe("Filing date, inclusive"),
			is_amendment: flag().optional().describe("true: amendments only; false: new filings only"),
		},
		200,
	),
	reply: datedPage(
		named("CapitalRaise", {
			accession_number: z.string(),
			filing_date: day(),
			is_amendment: binary(),
			issuer_name: z.string(),
			cik: z.string(),
			entity_type: z.string().nullable(),
			jurisdiction: z.string().nullable(),
			issuer_city: z.string().nullable(),
			issuer_state: z.string().nullable().describe("SEC's code: a US state, or A6, E9 ... for elsewhere"),
			year_of_inc: z.string().nullable(),
			industry_group: z.string().nullable(),
			total_offering_amount: usd().min(0).nullable().describe("USD; null if it is indefinite"),
			total_amount_sold: usd().min(0).nullable().describe("USD, cumulative since the first sale"),
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
			chain: z.string().describe("The offering: a filing and its amendments share it"),
			is_latest: z
				.boolean()
				.describe(
					"Whether it is the newest of its offering with a plausible amount sold (or the newest): its amounts count",
				),
		}),
	),
	http: { method: "GET", path: "/capital-raises", price: "standard" },
	example: { energy_only: true, min_amount_sold: 1_000_000 },
	noPast: "Each row has its own day; `since` chooses by it.",
});

export const listMaterialEvents = signalsOperation({
	summary: "Current reports (8-K) of events that matter to lenders and buyers, newest first.",
	params: listParams(
		{
			event_type: choice(filingTypes).optional().describe("Class of the report"),
			developer: words().optional().describe("Any part of the matched developer's canonical name"),
			category: choice(filingCategories).optional().describe("Category of one of its items"),
			matched_only: flag().default(false).describe("Only reports matched to a developer"),
			energy_only: flag().default(false).describe("Only issuers of the energy sector, by industry or name"),
			since: isoDate().optional().describe("Filing date, inclusive"),
		},
		200,
	),
	reply: datedPage(
		named("MaterialEvent", {
			accession_number: z.string(),
			filing_date: day(),
			report_date: day().nullable().describe("Day of the event reported"),
			form_type: z.string().describe("Form of the SEC"),
			issuer_name: z.string(),
			cik: z.string(),
			items: z.array(z.string()).describe("Item titles"),
			categories: z.array(z.enum(filingCategories)),
			event_type: z.enum(filingTypes),
			url: z.string(),
			energy_keyword: binary(),
			developer_canonical: z.string().nullable(),
			match_method: z.enum(matchMethods),
			first_told: z.boolean().describe("False if an earlier filing reported every event in it"),
			subsidiary_bankruptcy: z
				.boolean()
				.nullable()
				.describe("Whether item 1.03 names a subsidiary, and not the issuer, as the debtor; null if it was not read"),
		}),
	),
	http: { method: "GET", path: "/material-events", price: "standard" },
	example: { energy_only: true, event_type: "financing" },
	noPast: "Each row has its own day; `since` chooses by it.",
});
