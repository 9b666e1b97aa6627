import { listCapitalRaises } from "#libs/contract/operations/signals/filings.ts";
import {
	bigint,
	date,
	double,
	integer,
	json,
	moment,
	rowColumns,
	text,
	type View,
	viewOf,
} from "#libs/parquet/view.ts";

const raise = listCapitalRaises.reply.shape.data.element;

const capitalRaises = viewOf("raises r left join developers d using (developer_id)", {
	name: "capital_raises",
	description:
		"Exempt offerings as filed (Form D and D/A), as GET /capital-raises shows them. An amendment restates: sum amounts of is_latest only",
	columns: {
		...rowColumns(raise, "accession_number", "filing_date"),
		is_amendment: integer("1: an amendment (D/A); 0: a new filing"),
		...rowColumns(raise, "issuer_name", "cik", "entity_type", "jurisdiction", "issuer_city", "issuer_state"),
		...rowColumns(raise, "year_of_inc", "industry_group"),
		total_offering_amount: bigint("Whole offering; null where it is indefinite", "USD"),
		total_amount_sold: bigint("Sold since the first sale, cumulative", "USD"),
		...rowColumns(raise, "date_of_first_sale"),
		is_equity: integer("1: equity is offered; otherwise 0"),
		is_debt: integer("1: debt is offered; otherwise 0"),
		related_persons: json(
			"Officers, directors and promoters: an array of objects with name, relationships, city and state",
		),
		energy_keyword: integer("1: industry or words are of the energy sector; otherwise 0"),
		developer_id: integer("Number of the developer that it was matched to"),
		developer_canonical: text("Canonical name of that developer"),
		project_name: text("Project that has the issuer's name"),
		...rowColumns(raise, "match_method", "match_confidence", "matched_text", "chain", "is_latest"),
	},
	computed: {
		is_amendment: "is_amendment::int",
		is_equity: "is_equity::int",
		is_debt: "is_debt::int",
		energy_keyword: "energy::int",
		developer_canonical: "canonical_name",
	},
	order: ["accession_number"],
});

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

const indexedFilings = viewOf("indexed_filings", {
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
	order: ["state", "accession_number"],
});

/** The freshness of the sources of a database. */
export const sourcesOf = (
	database: "capital" | "signals",
	description: string,
	texts: { source: string; records: string; unchecked: string },
): View =>
	viewOf(`source_records where database = '${database}'`, {
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
		computed: {
			source: "pipeline",
			last_checked: "last_checked_at",
			last_success: "last_success_at",
			last_changed: "last_changed_at",
		},
		order: ["source"],
	});

const sources = sourcesOf("capital", "How fresh the exempt offerings are", {
	source: "form-d",
	records: "Stored filings",
	unchecked: "Filings that an index names but whose content is not stored",
});

export const capital: readonly View[] = [capitalRaises, developerRaises, indexedFilings, sources];
