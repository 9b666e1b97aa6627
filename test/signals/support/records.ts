/** Records as the readers of the sources hand them on, with everything that a test does not name filled in. */
import type { Article, EightK, FormD } from "../../../services/signals/records/records.ts";
import { blankProject } from "../../support/blank-project.ts";
import type { DeveloperEvent, ProjectEvent } from "./signals.ts";

let count = 0;

/** A developer as it is announced; its version grows with each call. */
export function developer(
	facts: Partial<DeveloperEvent> & { developer_id: number; canonical_name: string },
): DeveloperEvent {
	count++;
	return {
		id: `developer.changed:${facts.developer_id}:${count}`,
		occurred_at: "2026-06-01T00:00:00Z",
		version: count,
		ambiguous: false,
		tier: "mid_platform",
		company_kind: "sponsor",
		headquarters_state: null,
		parent_company: null,
		known: true,
		aliases: [],
		prefixes: [],
		identifiers: [],
		portfolio: {
			total_projects: 1,
			total_capacity_mw: 100,
			operating_capacity_mw: 0,
			in_construction_mw: 0,
			active_capacity_mw: 100,
			withdrawn_projects: 0,
			operational_projects: 0,
			completion_rate: null,
			states_active: [],
			primary_technologies: [],
		},
		...facts,
	};
}

/** A project as it is announced. */
export function project(facts: Partial<ProjectEvent["project"]> & { id: string }): ProjectEvent {
	count++;
	return {
		id: `project.changed:${facts.id}:${count}`,
		occurred_at: "2026-06-01T00:00:00Z",
		version: count,
		as_of: "2026-06-01T00:00:00Z",
		snapshot_id: null,
		previous_developer: null,
		changes: [],
		cod_changes: [],
		project: { ...blankProject, queue_id: facts.id, version: count, ...facts },
	};
}

export function article(facts: Partial<Article> & { title: string }): Article {
	const domain = facts.domain ?? "example.com";
	return {
		url: `https://${domain}/${facts.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
		domain,
		publishedAt: "2026-06-20T10:00:00Z",
		source: "GDELT DOC",
		sourceCountry: "United States",
		organizations: [],
		snippet: null,
		...facts,
	};
}

export function formD(facts: Partial<FormD> & { accession_number: string }): FormD {
	return {
		filing_date: "2026-03-02",
		filing_date_known: true,
		file_number: null,
		is_amendment: false,
		previous_accession_number: null,
		cik: "1900001",
		issuer_name: "Harvest Lane Holdings LLC",
		previous_names: [],
		entity_type: "Limited Liability Company",
		jurisdiction: "DELAWARE",
		issuer_street: "1 MAIN STREET",
		issuer_city: "NASHVILLE",
		issuer_state: "TN",
		year_of_inc: "2024",
		industry_group: "Other Energy",
		total_offering_amount: 20_000_000,
		total_amount_sold: 5_000_000,
		date_of_first_sale: "2026-02-20",
		is_equity: true,
		is_debt: false,
		related_persons: [{ name: "Ann Example", relationships: ["Executive Officer"], city: "NASHVILLE", state: "TN" }],
		clarification: null,
		...facts,
	};
}

export function eightK(facts: Partial<EightK> & { accessionNumber: string }): EightK {
	const cik = facts.cik ?? "1900002";
	return {
		cik,
		company: "EXAMPLE SUN CORP",
		coFilers: [],
		form: "8-K",
		filingDate: "2026-04-10",
		fileNumber: "001-00001",
		reportDate: "2026-04-07",
		items: ["1.01", "9.01"],
		sic: "4911",
		url: `https://www.sec.gov/Archives/edgar/data/${cik}/${facts.accessionNumber.replaceAll("-", "")}/a.htm`,
		dealText: null,
		subsidiaryBankruptcy: null,
		...facts,
	};
}

/** Every order of the items. */
export function orders<T>(items: readonly T[]): T[][] {
	if (items.length < 2) return [[...items]];
	return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
