/** A random history of events about a few requests and developers, each in several versions. Deterministic by its seed. */
import type { z } from "zod";
import { developerChanged, projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import { blankProject } from "../../support/blank-project.ts";

export type ProjectChanged = z.output<(typeof projectChanged)["payload"]>;

export const pick = <T>(random: () => number, values: readonly [T, ...T[]]): T =>
	values[Math.floor(random() * values.length)] ?? values[0];

export function shuffled<T>(random: () => number, values: readonly T[]): T[] {
	const result = [...values];
	for (let at = result.length - 1; at > 0; at--) {
		const other = Math.floor(random() * (at + 1));
		[result[at], result[other]] = [result[other] as T, result[at] as T];
	}
	return result;
}

const at = "2026-11-01T00:00:00Z";
const heading = (name: string, key: string | number, version: number) => ({
	id: `${name}:${key}:${version}`,
	occurred_at: at,
	version,
});

/** A request as queue-ingest publishes it; `more` replaces fields. */
export function projectEvent(
	id: string,
	version: number,
	more: Partial<ProjectChanged["project"]> = {},
): ProjectChanged {
	return {
		...heading(projectChanged.name, id, version),
		as_of: at,
		snapshot_id: 7,
		previous_developer: null,
		changes: [],
		cod_changes: [],
		project: {
			...blankProject,
			id,
			queue_id: id.split("-").slice(1).join("-"),
			name: `Project ${id}`,
			region: "ERCOT",
			state: "TX",
			county: "Bell",
			counties: ["Bell"],
			fips: "48027",
			developer_tier: "unknown",
			type: "Solar",
			status: "Active",
			queue_date: "2023-03-01",
			cod: "2027-12-31",
			construction_stage_confidence: 0.8,
			study_phase: "SIS",
			ia_status: "System Impact Study",
			poi: "Bell 138 kV",
			lat: 31,
			lon: -97,
			location_precision: "county",
			feed: "ercot",
			first_seen_at: at,
			last_changed_at: at,
			version,
			...more,
		},
	};
}

export const developerEvent = (
	developer_id: number,
	version: number,
	more: Partial<z.output<(typeof developerChanged)["payload"]>> = {},
) => ({
	...heading(developerChanged.name, developer_id, version),
	developer_id,
	canonical_name: `Developer ${developer_id}`,
	ambiguous: false,
	tier: "independent" as const,
	company_kind: "sponsor" as const,
	headquarters_state: "TX",
	parent_company: null,
	known: true,
	aliases: [{ alias: `Dev ${developer_id}`, ambiguous: false }],
	prefixes: [],
	identifiers: [],
	portfolio: {
		total_projects: 0,
		total_capacity_mw: 0,
		operating_capacity_mw: 0,
		in_construction_mw: 0,
		active_capacity_mw: 0,
		withdrawn_projects: 0,
		operational_projects: 0,
		completion_rate: null,
		states_active: [],
		primary_technologies: [],
	},
	...more,
});

export const newsEvent = (
	article_id: number,
	version: number,
	more: Partial<z.output<(typeof newsRecorded)["payload"]>> = {},
) => ({
	...heading(newsRecorded.name, article_id, version),
	article_id,
	title: `Developer news ${article_id}`,
	url: `https://news.example/${article_id}`,
	domain: "news.example",
	published_at: "2026-10-01T00:00:00Z",
	event_type: "mention" as const,
	seeks_capital: false,
	developers: [],
	...more,
});

/** One match of a headline. */
export const named = (developer_id: number, match_confidence = 0.9, bankruptcy = false) => ({
	developer_id,
	developer_canonical: `Developer ${developer_id}`,
	matched_on: "title" as const,
	match_confidence,
	subject: "us_business" as const,
	bankruptcy,
});

export const raiseEvent = (
	accession_number: string,
	version: number,
	more: Partial<z.output<(typeof raiseRecorded)["payload"]>> = {},
) => ({
	...heading(raiseRecorded.name, accession_number, version),
	accession_number,
	filing_date: "2026-05-01",
	issuer_name: "Developer Holdings LLC",
	cik: "1",
	is_amendment: false,
	chain: accession_number,
	is_latest: true,
	total_offering_amount: 100_000_000,
	total_amount_sold: 60_000_000,
	energy: true,
	developer_id: null,
	developer_canonical: null,
	match_method: "none" as const,
	...more,
});

export const filingEvent = (
	accession_number: string,
	version: number,
	more: Partial<z.output<(typeof filingRecorded)["payload"]>> = {},
) => ({
	...heading(filingRecorded.name, accession_number, version),
	accession_number,
	filing_date: "2026-06-01",
	report_date: null,
	form_type: "8-K",
	issuer_name: "Developer Inc",
	cik: "1",
	event_type: "financing" as const,
	categories: [],
	item_codes: ["2.03"],
	subsidiary_bankruptcy: null,
	first_told: true,
	energy: true,
	developer_id: null,
	developer_canonical: null,
	...more,
});

export const transferEvent = (
	ma_event_id: number,
	version: number,
	more: Partial<z.output<(typeof ownershipChanged)["payload"]>> = {},
) => ({
	...heading(ownershipChanged.name, ma_event_id, version),
	ma_event_id,
	event_type: "queue_developer_change" as const,
	effective_date: "2026-02-01",
	plant_id_eia: null,
	generator_id: null,
	project_id: null,
	region: null,
	capacity_mw: 100,
	technology: null,
	seller: null,
	seller_canonical: null,
	buyer: null,
	buyer_canonical: null,
	fraction_owned: null,
	source: "queue_snapshots" as const,
	confidence: "high" as const,
	retracted: false,
	...more,
});
