/** The developer in all responses. */
import { z } from "zod";
import { count, megawatts, named, share } from "../../envelopes.ts";
import { defineExportTable } from "../../exports/columns.ts";
import { words } from "../../params.ts";
import {
	companyKinds,
	developerTiers,
	identifierMethods,
	identifierSchemes,
	taxCreditActivities,
} from "../../vocabulary.ts";

/** Totals of a developer's generation requests, updated in the transactions that change the requests. */
export const portfolio = z.strictObject({
	total_projects: count(),
	total_capacity_mw: megawatts(),
	operating_capacity_mw: megawatts(),
	in_construction_mw: megawatts(),
	active_capacity_mw: megawatts().describe("Requests that are still in a queue, MW"),
	withdrawn_projects: count(),
	operational_projects: count(),
	completion_rate: share()
		.nullable()
		.describe(
			"Share of finished requests that became operational; null if none is finished. Operators name few developers of withdrawn requests: read it as an upper bound",
		),
	states_active: z.array(z.string()).describe("States of requests still in a queue, most MW first"),
	primary_technologies: z.array(z.string()).describe("At most three, most MW first"),
});

export const developer = named("Developer", {
	developer_id: z.int(),
	canonical_name: z.string(),
	tier: z
		.enum(developerTiers)
		.describe(
			"Tier in the register; for other developers, by the MW that the EIA lists as owned or built by them; unknown: neither",
		),
	...portfolio.shape,
	needs_capital: z.boolean().nullable().describe("Also null with as_of: only current ratings exist"),
	company_kind: z
		.enum(companyKinds)
		.describe("special_purpose: a company made for one project, without tier and parent until its sponsor is known"),
	company_group: z
		.string()
		.nullable()
		.describe("Words that the names of its series of special-purpose companies share; null for a company alone"),
});

/** A row of an export: the developer with its numbers in other registers. */
export const exportedDeveloper = developer.extend({
	identifiers: z
		.array(z.string())
		.describe("Numbers in other registers, such as cik:1326160, by scheme and number; with as_of too those known now"),
});

/** The version changes as `projectSchemaVersion` does. */
export const developerTable = defineExportTable("developers", "1.2", exportedDeveloper);

const related = named("RelatedDeveloper", {
	developer_id: z.int(),
	canonical_name: z.string(),
	tier: z.enum(developerTiers),
});

export const registeredNumber = named("DeveloperIdentifier", {
	scheme: z
		.enum(identifierSchemes)
		.describe(
			"cik: SEC. lei: legal entity identifier. eia_utility: utility number of forms EIA-860 and EIA-861. eia_entity: entity number of the monthly EIA-860M, owner number of Schedule 4",
		),
	value: z.string(),
	method: z
		.enum(identifierMethods)
		.describe(
			"legal_name: the register has exactly this developer's legal name. name: the same name with another legal form. alias: another name of the developer. correction: stated by a person",
		),
	confidence: share(),
	evidence: z.string().describe("The register and entry with the number, or who corrected it, when and why"),
	source: z.string().describe("The file or form with the number; correction if a person stated it"),
});

export const developerDetail = developer.extend({
	aliases: z.array(z.string()),
	identifiers: z
		.array(registeredNumber)
		.describe(
			"Numbers in other registers whose name is exactly one of this developer's; a developer with several companies has several",
		),
	headquarters_state: z.string().nullable().describe("US state, else the country or province code"),
	parent_company: z.string().nullable(),
	certainty: z
		.enum(["seen", "known"])
		.nullable()
		.describe("seen: a source states the parent or the developer; known: general knowledge, not yet verified"),
	tax_credit_activity: z.enum(taxCreditActivities).nullable(),
	contact_published: z.boolean(),
	relationships: z.strictObject({
		parent: z.strictObject({ name: z.string(), developer_id: z.int().nullable() }).nullable(),
		subsidiaries: z.array(related),
		shells: z.array(
			z.strictObject({
				name: z.string(),
				method: z.string(),
				confidence: share(),
				project_count: count(),
			}),
		),
	}),
});

export const developerSorts = ["total_projects", "active_capacity_mw", "completion_rate", "canonical_name"] as const;
export const portfolioSorts = ["capacity_mw", "queue_date_std", "status_std"] as const;

export const developerId = () => words().describe("Numeric id, or the canonical name");

const identifierForm = "must be cik, eia_utility or eia_entity and a number, or lei and 20 characters, as cik:1326160";

/** Normalises leading zeros: `cik:0001326160` becomes `cik:1326160`. */
export const identifier = () =>
	z
		.string({ error: identifierForm })
		.trim()
		.toLowerCase()
		.regex(/^(?:(?:cik:0*|eia_utility:0*|eia_entity:0*)[1-9][0-9]{0,9}|lei:[0-9a-z]{20})$/, identifierForm)
		.overwrite((text) => text.replace(/:0+/, ":"))
		.meta({ examples: ["cik:1326160"] });
