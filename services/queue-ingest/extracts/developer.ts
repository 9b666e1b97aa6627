/** The database `developer`, as SQL and files show it. */
import {
	developerDetail,
	developer as developerRow,
	portfolio,
	registeredNumber,
} from "#libs/contract/operations/developers/developer.ts";
import { bigint, boolean, double, integer, moment, rowColumns, text, type View, viewOf } from "#libs/parquet/view.ts";

const developers: View = {
	name: "developers",
	description:
		"One row per developer with the totals of its generation requests, as GET /developers and GET /developers/{developer_id} show it",
	columns: {
		developer_id: integer("Number of the developer"),
		...rowColumns(developerRow, "canonical_name", "tier"),
		...rowColumns(portfolio),
		total_capacity_mw: double("Capacity of all its requests", "MW"),
		needs_capital: boolean("Whether it needs capital; null before it was rated"),
		...rowColumns(developerDetail, "headquarters_state"),
		parent_company: text("Parent as the register states it; may be several owners or a kind of owner"),
		parent_name: text("Parent if it is a single company"),
		...rowColumns(developerDetail, "certainty", "tax_credit_activity"),
		distress_level: text(
			"Low, Moderate, Elevated, High, or unknown where too few sources were read; null before it was rated",
		),
		contact_published: boolean("Whether it publishes a contact"),
		known: boolean("Whether the curated register contains it; otherwise only queues name it"),
		...rowColumns(developerRow, "company_kind", "company_group"),
		updated_at: moment("When the row last changed, UTC"),
	},
	sql: `
		select d.developer_id, d.canonical_name, d.tier, d.total_projects, p.total_capacity_mw, p.operating_capacity_mw,
		  p.in_construction_mw, d.active_capacity_mw, p.withdrawn_projects, p.operational_projects, d.completion_rate,
		  array(select jsonb_array_elements_text(d.portfolio -> 'states_active')) as states_active,
		  array(select jsonb_array_elements_text(d.portfolio -> 'primary_technologies')) as primary_technologies,
		  d.needs_capital, d.headquarters_state, d.parent_company, d.parent_name, d.certainty, d.tax_credit_activity, d.distress_level,
		  d.contact_published, d.known, d.company_kind, d.company_group, d.updated_at
		from listed_developers l join developers d using (developer_id)
		  cross join lateral jsonb_to_record(d.portfolio) as p (total_capacity_mw float8, operating_capacity_mw float8,
		    in_construction_mw float8, withdrawn_projects integer, operational_projects integer)`,
	order: ["developer_id"],
};

const aliases: View = {
	name: "aliases",
	description: "Other names of developers",
	columns: {
		developer_id: integer("Number of the developer"),
		canonical_name: text("Its canonical name"),
		alias: text("Another name of the developer"),
		ambiguous: boolean("Whether the alias alone is an ordinary word, or several companies', and needs context"),
		origin: text("register: from the curated register; former: a former canonical name"),
	},
	sql: `
		select a.developer_id, d.canonical_name, a.alias, a.ambiguous, a.origin
		from developer_aliases a join developers d using (developer_id)`,
	order: ["developer_id", "alias"],
};

const identifiers = viewOf("developer_identifiers join developers using (developer_id)", {
	name: "identifiers",
	description: "Numbers of developers in other registers, matched by exactly the same name",
	columns: {
		developer_id: integer("Number of the developer"),
		canonical_name: text("Its canonical name"),
		...rowColumns(registeredNumber),
		value: text("The number"),
		confidence: double("Confidence of the match, 0 to 1", "fraction"),
	},
	order: ["scheme", "value"],
});

const filedNames = viewOf("developer_links left join developers using (developer_id)", {
	name: "filed_names",
	description: "The developer found for each name that operators filed; raw_name joins projects.developer",
	columns: {
		raw_name: text("Name as filed"),
		outcome: text(
			"matched; new: a company that only queues name; shell: a project company without a known parent; review: nearly matched, to be reviewed by a person; none: not a company",
		),
		developer_id: integer("Number of the developer; null if none was found"),
		canonical_name: text("Canonical name of the developer"),
		tier: text("Tier of the developer"),
		method: text(
			"How it was found: developer_exact, developer_alias, developer_distinct, developer_prefix, developer_fuzzy, or correction (made by a person)",
		),
		confidence: double("Confidence of the match, 0 to 1", "fraction"),
		matched_text: text("The developer's name that it was matched with"),
		is_shell: boolean("Whether it is a company founded for one project"),
		reason: text("Reason why it was not matched; null if it was"),
		linked_at: moment("When the match was decided, UTC"),
	},
	order: ["raw_name"],
});

const companyEvidence = viewOf("company_evidence", {
	name: "company_evidence",
	description:
		"Owners of companies as published files state them: evidence about developers, not a conclusion. Show `attribution` with the rows that you use",
	columns: {
		source: text(
			"eia_861 (form EIA-861), gem (Global Energy Monitor), sec_company_tickers (SEC's list of listed companies) or sec_exhibit_21 (subsidiaries in annual reports)",
		),
		edition: text("Data year, release, or accession number of the filing"),
		row_number: integer("Row of the file, from 1 below its header"),
		raw_name: text("Company as named"),
		parent_name: text("Its parent as named; null if none is stated"),
		share: double("Share that the parent holds, 0 to 1; null if none is stated", "fraction"),
		location: text("Place as stated: of the utility, the plant or the incorporation"),
		registrant_cik: bigint(
			"Number with the SEC: of the registrant that lists the subsidiary, or of the listed company itself",
		),
		utility_id: integer("EIA's number of the utility"),
		ownership_type: text("Kind of ownership in EIA's words: Municipal, Investor Owned and so on"),
		attribution: text("Attribution that the license requires"),
	},
	order: ["source", "edition", "row_number", "raw_name", "parent_name"],
});

const sources = viewOf("developer_sources", {
	name: "sources",
	description: "How fresh the register of developers and the files of company_evidence are",
	columns: {
		source: text("developer-register, or a source of company_evidence"),
		records: bigint("Number of rows from the source"),
		last_checked: moment("When it was last loaded, UTC; null if never"),
		last_changed: moment("When it last contained something new, UTC"),
	},
	computed: {
		last_checked: "last_checked_at",
		last_changed: "last_changed_at",
	},
	order: ["source"],
});

export const developerViews: readonly View[] = [developers, aliases, identifiers, filedNames, companyEvidence, sources];
