import { bigint, boolean, date, double, integer, json, moment, text, type View } from "#libs/parquet/view.ts";

const capitalRaises: View = {
	name: "capital_raises",
	description:
		"Exempt offerings as filed (Form D and D/A), as GET /capital-raises shows them. An amendment restates: sum amounts of is_latest only",
	columns: {
		accession_number: text("The SEC's number of the filing"),
		filing_date: date("Day of filing"),
		is_amendment: integer("1: an amendment (D/A); 0: a new filing"),
		issuer_name: text("Company that raises"),
		cik: text("The SEC's number of the company"),
		entity_type: text("Kind of company, as filed"),
		jurisdiction: text("Where it is incorporated"),
		issuer_city: text("City of the issuer"),
		issuer_state: text("SEC's code of its state or country: a US state, or A6, E9 and so on for elsewhere"),
		year_of_inc: text("Year of incorporation, as filed"),
		industry_group: text("Industry, as filed"),
		total_offering_amount: bigint("Whole offering; null where it is indefinite", "USD"),
		total_amount_sold: bigint("Sold since the first sale, cumulative", "USD"),
		date_of_first_sale: date("Day of the first sale"),
		is_equity: integer("1: equity is offered; otherwise 0"),
		is_debt: integer("1: debt is offered; otherwise 0"),
		related_persons: json(
			"Officers, directors and promoters: an array of objects with name, relationships, city and state",
		),
		energy_keyword: integer("1: industry or words are of the energy sector; otherwise 0"),
		developer_id: integer("Number of the developer that it was matched to"),
		developer_canonical: text("Canonical name of that developer"),
		project_name: text("Project that has the issuer's name"),
		match_method: text("Method of the match; none without a match"),
		match_confidence: double("Confidence of the match, 0 to 1", "fraction"),
		matched_text: text("Text by which the developer was found"),
		chain: text("The offering: a filing and its amendments share it"),
		is_latest: boolean(
			"The newest of its offering with a plausible amount sold, or else the newest: its amounts count",
		),
	},
	sql: `
		select r.accession_number, r.filing_date, r.is_amendment::int as is_amendment, r.issuer_name, r.cik, r.entity_type, r.jurisdiction,
		  r.issuer_city, r.issuer_state, r.year_of_inc, r.industry_group, r.total_offering_amount, r.total_amount_sold,
		  r.date_of_first_sale, r.is_equity::int as is_equity, r.is_debt::int as is_debt, r.related_persons, r.energy::int as energy_keyword,
		  r.developer_id, d.canonical_name as developer_canonical, r.project_name, r.match_method, r.match_confidence, r.matched_text, r.chain,
		  r.is_latest
		from raises r left join developers d using (developer_id)`,
	order: ["accession_number"],
};

const developerRaises: View = {
	name: "developer_raises",
	description:
		"Capital that each developer raised by exempt offerings, as GET /capital/leaderboard counts it. developer_standings of the database scoring compares it with what the developer built",
	columns: {
		developer_id: integer("Number of the developer"),
		developer: text("Canonical name"),
		tier: text("Tier of the developer"),
		capital_raised: double("Sold by the newest filing of each of its offerings", "USD"),
		raise_count: bigint("Number of its offerings"),
		latest_raise: date("Day of its latest filing"),
	},
	sql: `
		select r.developer_id, d.canonical_name as developer, d.tier,
		  coalesce(round(sum(r.total_amount_sold::numeric) filter (where r.is_latest and r.total_amount_sold > 0), 2), 0)::float8 as capital_raised,
		  count(*) filter (where r.is_latest) as raise_count, max(r.filing_date) as latest_raise
		from raises r join developers d using (developer_id) where r.filing_date <= current_date
		group by r.developer_id, d.canonical_name, d.tier`,
	order: ["developer_id"],
};

const indexedFilings: View = {
	name: "indexed_filings",
	description: "Form D filings that an index of the SEC names, whether or not their content is stored",
	columns: {
		accession_number: text("The SEC's number of the filing"),
		cik: text("The SEC's number of the company"),
		company: text("Company as the index names it"),
		form: text("D or D/A"),
		filing_date: date("Day of filing"),
		file_number: text("The SEC's number of the offering"),
		state: text("stored: in capital_raises; known: not fetched yet; missing: cannot be fetched"),
		attempted_at: moment("When it was last requested, UTC"),
	},
	sql: `
		select accession_number, cik, company, form, filing_date, file_number, state, attempted_at from indexed_filings`,
	order: ["state", "accession_number"],
};

/** The freshness of the sources of a database. */
export const sourcesOf = (
	database: "capital" | "signals",
	description: string,
	texts: { source: string; records: string; unchecked: string },
): View => ({
	name: "sources",
	description,
	columns: {
		source: text(texts.source),
		records: bigint(texts.records),
		unchecked_records: bigint(texts.unchecked),
		last_checked: moment("When it was last polled, UTC"),
		last_success: moment("When a file was last stored or found unchanged, UTC"),
		last_changed: moment("When a file last brought something new, UTC"),
		last_outcome: text("Outcome of the last poll: applied, unchanged, refused or failed"),
	},
	sql: `
		select pipeline as source, records, unchecked_records, last_checked_at as last_checked, last_success_at as last_success,
		  last_changed_at as last_changed, last_outcome
		from source_records where database = '${database}'`,
	order: ["source"],
});

const sources = sourcesOf("capital", "How fresh the exempt offerings are", {
	source: "form-d",
	records: "Stored filings",
	unchecked: "Filings that an index names but whose content is not stored",
});

export const capital: readonly View[] = [capitalRaises, developerRaises, indexedFilings, sources];
