import { bigint, boolean, date, double, integer, moment, text, texts, type View } from "#libs/parquet/view.ts";
import { sourcesOf } from "./capital.ts";

const events: View = {
	name: "events",
	description:
		"News about developers as GET /events?include_parent=true shows it: one row per headline and developer that it names",
	columns: {
		article_id: bigint("Number of the headline: count(distinct article_id) counts headlines"),
		developer_id: integer("Number of the developer"),
		developer_canonical: text("Canonical name of the developer"),
		event_type: text("Class of the headline: distress, litigation, ma, financing, project or mention"),
		title: text("Headline"),
		url: text("Address of its earliest appearance"),
		domain: text("Site of that address"),
		published_at: moment("Publication, else when the source first saw it, UTC"),
		source: text("Name of the news feed"),
		matched_on: text("Where the developer was found: title, url, title_project, organizations or body"),
		matched_text: text("Text by which the developer was found"),
		match_confidence: double("Confidence of the match; 0.9: the headline contains the name", "fraction"),
		subject: text("us_business: news of the developer; parent: news of its worldwide parent"),
		source_country: text("Country of the site"),
		copies: integer("Further appearances of the same headline within three days"),
	},
	sql: `
		select m.article_id, m.developer_id, d.canonical_name as developer_canonical, m.event_type, a.title, a.url, a.domain, m.published_at,
		  a.source, m.matched_on, m.matched_text, m.confidence as match_confidence, m.subject, a.source_country, a.copies
		from article_matches m join articles a using (article_id) join developers d using (developer_id)`,
	order: ["article_id", "developer_id"],
};

const materialEvents: View = {
	name: "material_events",
	description: "Current reports (8-K) of events that matter to lenders and buyers, as GET /material-events shows them",
	columns: {
		accession_number: text("The SEC's number of the filing"),
		filing_date: date("Day of filing"),
		report_date: date("Day of the event reported"),
		form_type: text("8-K or 8-K/A"),
		issuer_name: text("Company that filed"),
		cik: text("The SEC's number of the company"),
		sic: text("Code of its industry"),
		item_codes: texts("Items reported: 1.03, 2.01 and so on"),
		items: texts("Their titles"),
		categories: texts("Categories of the items: distress, ma, debt, equity, agreement"),
		event_type: text("Class of the report: financing, ma or distress"),
		url: text("Address of the filing"),
		energy_keyword: integer("1: the issuer's industry or name is of the energy sector; otherwise 0"),
		developer_id: integer("Number of the developer that it was matched to"),
		developer_canonical: text("Canonical name of that developer"),
		match_method: text("Method of the match; none without a match"),
		first_told: boolean("False if earlier filings reported all of its events"),
	},
	sql: `
		select f.accession_number, f.filing_date, f.report_date, f.form_type, f.issuer_name, f.cik, f.sic, f.item_codes, f.items, f.categories,
		  f.event_type, f.url, f.energy::int as energy_keyword, f.developer_id, d.canonical_name as developer_canonical, f.match_method,
		  f.first_told
		from filings f left join developers d using (developer_id) where f.event_type is not null`,
	order: ["accession_number"],
};

const maEvents: View = {
	name: "ma_events",
	description: "Plants and queue positions that changed hands, as GET /ma-events shows them, without retracted events",
	columns: {
		event_type: text("ownership_change (of an operating plant) or queue_developer_change"),
		asset_class: text("operating or queue_project"),
		effective_date: date("Day on which the reports first show it"),
		plant_id_eia: integer("EIA plant code"),
		generator_id: text("Number of the generator within its plant, as filed"),
		project_id: text("Id of the interconnection request"),
		queue_id: text("The operator's number of the request, as filed"),
		region: text("Grid operator of the request"),
		asset_name: text("Name of the plant or project"),
		capacity_mw: double("Capacity of the generator or request", "MW"),
		technology: text("Technology: of a plant as the EIA names it, of a request standardised"),
		state: text("Two-letter code of the state"),
		seller: text("Previous owner or developer, as filed"),
		seller_canonical: text("Developer that the seller was matched to"),
		buyer: text("New owner or developer, as filed"),
		buyer_canonical: text("Developer that the buyer was matched to"),
		fraction_owned: double("Share of the buyer afterwards, 0 to 1", "fraction"),
		source: text("eia_860_ownership, eia_860_operator or queue_snapshots"),
		confidence: text("high, medium or low"),
		reason: text("Reason for the confidence"),
	},
	sql: `
		select event_type, asset_class, effective_on as effective_date, plant_id as plant_id_eia, generator_id, project_id, queue_id, region,
		  asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned, source, confidence,
		  reason
		from ma_events where not retracted`,
	order: [
		"region",
		"state",
		"effective_date",
		"plant_id_eia",
		"generator_id",
		"project_id",
		"seller",
		"buyer",
		"event_type",
	],
};

const sources = sourcesOf("signals", "How fresh news and current reports are", {
	source: "news or 8-k",
	records: "Headlines or reports that are stored, matched or not",
	unchecked: "Records that are known but not stored",
});

export const signals: readonly View[] = [events, materialEvents, maEvents, sources];
