import { listMaEvents } from "#libs/contract/operations/signals/deals.ts";
import { listMaterialEvents } from "#libs/contract/operations/signals/filings.ts";
import { listEvents } from "#libs/contract/operations/signals/news.ts";
import { bigint, date, double, integer, rowColumns, text, texts, type View, viewOf } from "#libs/parquet/view.ts";
import { sourcesOf } from "./capital.ts";

const report = listMaterialEvents.reply.shape.data.element;
const deal = listMaEvents.reply.shape.data.element;

const events: View = {
	name: "events",
	description:
		"News about developers as GET /events?include_parent=true shows it: one row per headline and developer that it names",
	columns: {
		article_id: bigint("Number of the headline: count(distinct article_id) counts headlines"),
		developer_id: integer("Number of the developer"),
		...rowColumns(listEvents.reply.shape.data.element),
		developer_canonical: text("Canonical name of the developer"),
		url: text("Address of its earliest appearance"),
	},
	sql: `
		select m.article_id, m.developer_id, d.canonical_name as developer_canonical, m.event_type, a.title, a.url, a.domain, m.published_at,
		  a.source, m.matched_on, m.matched_text, m.confidence as match_confidence, m.subject, a.source_country, a.copies
		from article_matches m join articles a using (article_id) join developers d using (developer_id)`,
	order: ["article_id", "developer_id"],
};

const materialEvents = viewOf("filings f left join developers d using (developer_id) where f.event_type is not null", {
	name: "material_events",
	description: "Current reports (8-K) of events that matter to lenders and buyers, as GET /material-events shows them",
	columns: {
		...rowColumns(report, "accession_number", "filing_date", "report_date"),
		form_type: text("8-K or 8-K/A"),
		...rowColumns(report, "issuer_name", "cik"),
		sic: text("Code of its industry"),
		item_codes: texts("Items reported: 1.03, 2.01 and so on"),
		...rowColumns(report, "items"),
		categories: texts("Categories of the items: distress, ma, debt, equity, agreement"),
		...rowColumns(report, "event_type"),
		url: text("Address of the filing"),
		energy_keyword: integer("1: the issuer's industry or name is of the energy sector; otherwise 0"),
		developer_id: integer("Number of the developer that it was matched to"),
		developer_canonical: text("Canonical name of that developer"),
		...rowColumns(report, "match_method", "first_told", "subsidiary_bankruptcy"),
	},
	computed: { energy_keyword: "energy::int", developer_canonical: "canonical_name" },
	order: ["accession_number"],
});

const maEvents = viewOf("ma_events where not retracted", {
	name: "ma_events",
	description: "Plants and queue positions that changed hands, as GET /ma-events shows them, without retracted events",
	columns: {
		...rowColumns(deal, "event_type", "asset_class"),
		effective_date: date("Day on which the reports first show it"),
		...rowColumns(deal, "plant_id_eia", "generator_id"),
		project_id: text("Id of the interconnection request"),
		...rowColumns(deal, "queue_id", "region", "asset_name"),
		capacity_mw: double("Capacity of the generator or request", "MW"),
		technology: text("Technology: of a plant as the EIA names it, of a request standardized"),
		...rowColumns(deal, "state", "seller", "seller_canonical", "buyer", "buyer_canonical", "fraction_owned", "source"),
		seller: text("Previous owner or developer, as filed"),
		buyer: text("New owner or developer, as filed"),
		confidence: text("high, medium or low"),
		...rowColumns(deal, "reason"),
	},
	computed: { effective_date: "effective_on", plant_id_eia: "plant_id" },
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
});

const sources = sourcesOf("signals", "How fresh news and current reports are", {
	source: "news or 8-k",
	records: "Headlines or reports that are stored, matched or not",
	unchecked: "Records that are known but not stored",
});

export const signals: readonly View[] = [events, materialEvents, maEvents, sources];
