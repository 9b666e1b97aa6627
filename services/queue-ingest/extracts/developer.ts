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
		parent_company: text("Parent as the register words it: perhaps several owners, or a kind of owner"),
		parent_name: text("Parent where it is one company"),
		...rowColumns(developerDetail, "certainty", "tax_credit_activity"),
		distress_level: text(
			"Low, Moderate, Elevated, High, or unknown where too few sources were read; null before it was rated",
		),
		contact_published: boolean("Whether it publishes a contact"),
		known: boolean("Of the curated register; else only named in a queue"),
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
		alias: text("Another name of it"),
		ambiguous: boolean("Whether the alias alone is an ordinary word, or several companies', and needs context"),
		origin: text("register: of the curated register; former: a canonical name that it had here before"),
	},
	sql: `
		select a.developer_id, d.canonical_name, a.alias, a.ambiguous, a.origin
		from developer_aliases a join developers d using (developer_id)`,
	order: ["developer_id", "alias"],
};

const identifiers = viewOf("developer_identifiers join developers using (developer_id)", {
	name: "identifiers",
	description: "Numbers of developers in other registers, each where its name is exactly one of the developer's",
	columns: {
		developer_id: integer("Number of the developer"),
		canonical_name: text("Its canonical name"),
		...rowColumns(registeredNumber),
		value: text("The number"),
		confidence: double("How sure it is, 0 to 1", "fraction"),
	},
	order: ["scheme", "value"],
});

const filedNames = viewOf("developer_links left join developers using (developer_id)", {
	name: "filed_names",
	description: "What every name that an operator filed was found to be: projects.developer is raw_name here",
	columns: {
		raw_name: text("Name as filed"),
		outcome: text(
			"matched; new: a company that only queues name; shell: a project company of no known parent; review: nearly matched, waits for a person; none: no company",
		),
		developer_id: integer("Number of the developer; null where none was found"),
		canonical_name: text("Canonical name of the developer"),
		tier: text("Tier of the developer"),
		method: text(
			"How it was found: developer_exact, developer_alias, developer_distinct, developer_prefix, developer_fuzzy, or correction: a person's",
		),
		confidence: double("How sure the match is, 0 to 1", "fraction"),
		matched_text: text("What it was matched with"),
		is_shell: boolean("Whether it is a company made for one project"),
		reason: text("Reason why it was not matched; null if it was"),
		linked_at: moment("When it was decided, UTC"),
	},
	order: ["raw_name"],
});

const companyEvidence = viewOf("company_evidence", {
	name: "company_evidence",
	description:
		"Who published files say stands behind a company's name: material for judging developers, never an answer by itself. Show `attribution` with what you use",
	columns: {
		source: text(
			"eia_861 (form EIA-861), gem (Global Energy Monitor), sec_company_tickers (SEC's list of listed companies) or sec_exhibit_21 (subsidiaries in annual reports)",
		),
		edition: text("Data year, release, or accession number of the filing"),
		row_number: integer("Row of the file, from 1 below its header"),
		raw_name: text("Company as named"),
		parent_name: text("Its parent as named; null where none is stated"),
		share: double("What the parent holds, 0 to 1; null where none is stated", "fraction"),
		location: text("Place as stated: of the utility, the plant or the incorporation"),
		registrant_cik: bigint(
			"Number with the SEC: of the registrant that lists the subsidiary, or of the listed company itself",
		),
		utility_id: integer("EIA's number of the utility"),
		ownership_type: text("Kind of ownership in EIA's words: Municipal, Investor Owned and so on"),
		attribution: text("What the licence asks to be shown with it"),
	},
	order: ["source", "edition", "row_number", "raw_name", "parent_name"],
});

const sources = viewOf("developer_sources", {
	name: "sources",
	description: "How fresh the register of developers and the files of company_evidence are",
	columns: {
		source: text("developer-register, or a source of company_evidence"),
		records: bigint("Rows that stand on it"),
		last_checked: moment("When it was last taken in, UTC; null: never"),
		last_changed: moment("When it last brought something new, UTC"),
	},
	computed: {
		last_checked: "last_checked_at",
		last_changed: "last_changed_at",
	},
	order: ["source"],
});

export const developer: readonly View[] = [developers, aliases, identifiers, filedNames, companyEvidence, sources];
