/**
 * Stores 8-Ks. A filing from several feeds is one row with the facts of all of them, in whatever order they arrive. All filings of a
 * company are compared to find the one that first reports an event.
 */
import { isDeepStrictEqual } from "node:util";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { isAboutEnergy } from "../companies/energy.ts";
import { loadMatchers, type Matchers } from "../companies/matchers.ts";
import { describeItems, type ItemCategory, type MaterialEventType } from "../edgar/item-codes.ts";
import { readRows, rematchRows, writeRows } from "../records/filing-rows.ts";
import { mergeBy, mergeText } from "../records/merge-rules.ts";
import type { EightK, Stored } from "../records/records.ts";
import { storeInBatches } from "../records/storing.ts";
import { type FilingFacts, mergeFiling, toFilingFacts } from "./facts.ts";
import { findFirstReports } from "./first-reports.ts";

interface Filing extends FilingFacts {
	cik: string;
	issuer_name: string;
	sic: string | null;
	items: string[];
	categories: ItemCategory[];
	event_type: MaterialEventType | null;
	first_told: boolean;
	energy: boolean;
	developer_id: number | null;
	match_method: "issuer_cik" | "none";
	version: number;
}

export const storeFilings = (sql: Sql, filings: readonly EightK[]): Promise<Stored> =>
	storeInBatches(sql, filings, async (tx, batch) =>
		mergeFacts(tx, await loadMatchers(sql, tx), batch.map(toFilingFacts)),
	);

export const rematchFilings = (tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> =>
	rematchRows<Filing>(tx, "filings", afterKey, ({ companies }) => matchers.matchCompanies(companies));

const accession = ({ accession_number }: FilingFacts): string => accession_number;

/** Stores new facts and updates the companies' other filings. Returns how many filings are new or have more facts than before. */
async function mergeFacts(tx: Transaction, matchers: Matchers, incoming: readonly FilingFacts[]): Promise<number> {
	const known = await readRows<Filing>(tx, "filings", tx`accession_number = any(${incoming.map(accession)})`);
	const newFacts = mergeBy<FilingFacts>([...known, ...incoming], accession, mergeFiling);
	// The facts are spread over the filing, because a row has more columns.
	for (const filing of known)
		if (isDeepStrictEqual({ ...filing, ...newFacts.get(filing.accession_number) }, filing))
			newFacts.delete(filing.accession_number);
	if (newFacts.size === 0) return 0;
	const storedFilings = await readFilingsOfCompanies(tx, [...newFacts.values(), ...known]);
	const all = new Map<string, FilingFacts>([...storedFilings, ...newFacts]);
	const firstReports = findFirstReports([...all.values()].map((facts) => ({ ...facts, cik: issuerCik(facts) })));
	const names = collectCompanyNames(all.values());
	const sics = await readSicCodes(tx, [...all.values()]);
	const changes = [...all.values()].map((facts) => {
		const { accession_number } = facts;
		const filing = storedFilings.get(accession_number);
		const derived = filing === undefined || newFacts.has(accession_number) ? derive(facts, matchers) : filing;
		const first_told = reportsNewEvent(facts, firstReports.get(accession_number) ?? []);
		const issuer_name = facts.companies[0]?.name || names.get(issuerCik(facts)) || "";
		const version = filing?.version ?? 0;
		return {
			before: filing,
			after: { ...derived, ...facts, ...industryOf(facts, sics, names), issuer_name, first_told, version },
		};
	});
	await writeRows<Filing>(tx, "filings", changes);
	return newFacts.size;
}

async function readFilingsOfCompanies(tx: Transaction, filings: readonly FilingFacts[]): Promise<Map<string, Filing>> {
	const ciks = filings.flatMap(({ companies }) => companies.map(({ cik }) => cik));
	const condition = tx`cik = any(${ciks}) or accession_number = any(${filings.map(accession)})`;
	const rows = await readRows<Filing>(tx, "filings", condition);
	return new Map(rows.map((row) => [row.accession_number, row]));
}

/** SIC codes by CIK, from these filings and the stored filings of their issuers. */
async function readSicCodes(tx: Transaction, filings: readonly FilingFacts[]): Promise<Map<string, string>> {
	const issuerPatterns = [...new Set(filings.map(issuerCik))].map((cik) => JSON.stringify([{ cik }]));
	const stored = await tx<{ companies: FilingFacts["companies"] }[]>`
		select f.companies from unnest(${issuerPatterns}::text[]) as w (company) join filings f on f.companies @> w.company::jsonb`;
	const sics = new Map<string, string>();
	for (const { companies } of [...stored, ...filings]) {
		for (const { cik, sic } of companies) {
			const code = mergeText(sics.get(cik) ?? null, sic);
			if (code !== null) sics.set(cik, code);
		}
	}
	return sics;
}

/** Most feeds lack the SIC code, and some the company's name. Both may be known from another filing of the company. */
function industryOf(
	facts: FilingFacts,
	sics: ReadonlyMap<string, string>,
	companyNames: ReadonlyMap<string, string>,
): Pick<Filing, "sic" | "energy"> {
	const sic = facts.companies[0]?.sic ?? sics.get(issuerCik(facts)) ?? null;
	const energy = isAboutEnergy({
		sic,
		ciks: facts.companies.map(({ cik }) => cik),
		names: facts.companies.map(({ cik, name }) => name || companyNames.get(cik) || ""),
	});
	return { sic, energy };
}

const issuerCik = ({ companies }: FilingFacts): string => companies[0]?.cik ?? "";

/** Names by CIK, because some feeds lack company names. */
function collectCompanyNames(filings: Iterable<FilingFacts>): Map<string, string> {
	const names = new Map<string, string>();
	for (const { companies } of filings)
		for (const { cik, name } of companies) names.set(cik, mergeText(names.get(cik) ?? "", name) ?? "");
	return names;
}

/** Whether any of these items, which no earlier filing reported, is an event. */
const reportsNewEvent = ({ deal_text }: FilingFacts, codes: readonly string[]): boolean =>
	describeItems(codes, deal_text).eventType !== null;

function derive(facts: FilingFacts, matchers: Matchers) {
	const { items, categories, eventType } = describeItems(facts.item_codes, facts.deal_text);
	return {
		cik: issuerCik(facts),
		items,
		categories,
		event_type: eventType,
		...matchers.matchCompanies(facts.companies),
	};
}
