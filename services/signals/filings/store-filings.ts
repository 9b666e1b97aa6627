/**
 * Stores 8-Ks. A filing from several feeds is one row with the facts of all of them, whatever the order of delivery. Which filing is the
 * first to report an event is decided over all filings of its company.
 */
import { isDeepStrictEqual } from "node:util";
import { filingRecorded } from "#libs/contract/events/signals.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import { energyRule } from "../companies/energy.ts";
import { type Matchers, matchersOf } from "../companies/matchers.ts";
import { describeItems, type ItemCategory, type MaterialEventType } from "../edgar/item-codes.ts";
import { mergeBy, mergeText } from "../records/merge-rules.ts";
import type { CoFiler, EightK, Stored } from "../records/records.ts";
import { batchSize, type RowChange, readRows, storable, storeInBatches, writeRows } from "../records/storing.ts";
import { type FilingFacts, filingFacts, joinFiling } from "./facts.ts";
import { firstReports } from "./first-reports.ts";

/** A row of `filings`. */
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

export function storeFilings(sql: Sql, filings: readonly EightK[], coFilers: readonly CoFiler[] = []): Promise<Stored> {
	const others = Map.groupBy(storable(coFilers), ({ accessionNumber }) => accessionNumber);
	return storeInBatches(sql, filings, async (tx, batch) => {
		const facts = batch.map((filing) => filingFacts(filing, others.get(filing.accessionNumber)));
		return mergeFacts(tx, await matchersOf(sql, tx), facts);
	});
}

/** Matches the stored filings after `afterKey` again, by accession number. Returns the last key, null at the end. */
export async function rematchFilings(tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> {
	const after = tx`accession_number > ${afterKey} order by accession_number limit ${batchSize}`;
	const filings = await readRows<Filing>(tx, "filings", after);
	await writeFilings(
		tx,
		filings.map((filing) => ({ before: filing, after: { ...filing, ...matchers.matchCompanies(filing.companies) } })),
	);
	return filings.length < batchSize ? null : (filings.at(-1)?.accession_number ?? null);
}

const accession = ({ accession_number }: FilingFacts): string => accession_number;

/** Returns how many filings are new or have more facts than before. */
async function mergeFacts(tx: Transaction, matchers: Matchers, incoming: readonly FilingFacts[]): Promise<number> {
	const known = await readRows<Filing>(tx, "filings", tx`accession_number = any(${incoming.map(accession)})`);
	const fresh = mergeBy<FilingFacts>([...known, ...incoming], accession, joinFiling);
	// A row has more columns than the facts.
	for (const filing of known)
		if (isDeepStrictEqual({ ...filing, ...fresh.get(filing.accession_number) }, filing))
			fresh.delete(filing.accession_number);
	if (fresh.size === 0) return 0;
	const before = await readOfCompanies(tx, [...fresh.values(), ...known]);
	const all = new Map<string, FilingFacts>([...before, ...fresh]);
	const first = firstReports([...all.values()].map((facts) => ({ ...facts, cik: issuerCik(facts) })));
	const names = companyNames(all.values());
	const sics = await readIndustries(tx, [...all.values()]);
	const changes = [...all.values()].map((facts) => {
		const { accession_number } = facts;
		const filing = before.get(accession_number);
		const derived = filing === undefined || fresh.has(accession_number) ? derive(facts, matchers) : filing;
		const first_told = reportsNew(facts, first.get(accession_number) ?? []);
		const issuer_name = facts.companies[0]?.name || names.get(issuerCik(facts)) || "";
		const version = filing?.version ?? 0;
		return {
			before: filing,
			after: { ...derived, ...facts, ...industryOf(facts, sics), issuer_name, first_told, version },
		};
	});
	await writeFilings(tx, changes);
	return fresh.size;
}

async function readOfCompanies(tx: Transaction, filings: readonly FilingFacts[]): Promise<Map<string, Filing>> {
	const ciks = filings.flatMap(({ companies }) => companies.map(({ cik }) => cik));
	const condition = tx`cik = any(${ciks}) or accession_number = any(${filings.map(accession)})`;
	const rows = await readRows<Filing>(tx, "filings", condition);
	return new Map(rows.map((row) => [row.accession_number, row]));
}

/** The industrial codes of the issuers, from these and all stored filings. */
async function readIndustries(tx: Transaction, filings: readonly FilingFacts[]): Promise<Map<string, string>> {
	const ciks = [...new Set(filings.map(issuerCik))].map((cik) => JSON.stringify([{ cik }]));
	const stored = await tx<{ companies: FilingFacts["companies"] }[]>`
		select f.companies from unnest(${ciks}::text[]) as w (company) join filings f on f.companies @> w.company::jsonb`;
	const sics = new Map<string, string>();
	for (const { companies } of [...stored, ...filings]) {
		for (const { cik, sic } of companies) {
			const code = mergeText(sics.get(cik) ?? null, sic);
			if (code !== null) sics.set(cik, code);
		}
	}
	return sics;
}

/** Feeds do not state the industry. Another filing of the company may. */
function industryOf(facts: FilingFacts, sics: ReadonlyMap<string, string>): Pick<Filing, "sic" | "energy"> {
	const sic = facts.companies[0]?.sic ?? sics.get(issuerCik(facts)) ?? null;
	const rule = energyRule({
		sic,
		ciks: facts.companies.map(({ cik }) => cik),
		names: facts.companies.map(({ name }) => name),
	});
	return { sic, energy: rule !== null };
}

const issuerCik = ({ companies }: FilingFacts): string => companies[0]?.cik ?? "";

/** Some feeds lack company names. */
function companyNames(filings: Iterable<FilingFacts>): Map<string, string> {
	const names = new Map<string, string>();
	for (const { companies } of filings)
		for (const { cik, name } of companies) names.set(cik, mergeText(names.get(cik) ?? "", name) ?? "");
	return names;
}

const meaningOf = (facts: FilingFacts, codes: readonly string[]) =>
	describeItems(codes, { dealText: facts.deal_text, subsidiaryBankruptcy: facts.subsidiary_bankruptcy });

/** Whether one of the items that no earlier filing reported is an event. */
const reportsNew = (facts: FilingFacts, codes: readonly string[]): boolean =>
	meaningOf(facts, codes).eventType !== null;

function derive(facts: FilingFacts, matchers: Matchers) {
	const { items, categories, eventType } = meaningOf(facts, facts.item_codes);
	return {
		cik: issuerCik(facts),
		items,
		categories,
		event_type: eventType,
		...matchers.matchCompanies(facts.companies),
	};
}

async function writeFilings(tx: Transaction, changes: readonly RowChange<Filing>[]): Promise<void> {
	const differing = await writeRows(tx, "filings", changes, content);
	await publishCurrent(tx, filingRecorded, filingEvents(tx, tx`accession_number = any(${differing})`), {});
}

/** The columns that the event depends on. */
const content = (filing: Filing) => ({
	accession_number: filing.accession_number,
	filing_date: filing.filing_date,
	report_date: filing.report_date,
	form_type: filing.form_type,
	issuer_name: filing.issuer_name,
	cik: filing.cik,
	event_type: filing.event_type,
	categories: filing.categories,
	item_codes: filing.item_codes,
	first_told: filing.first_told,
	energy: filing.energy,
	developer_id: filing.developer_id,
});

/**
 * The events of the rows that fulfil a condition, as `publishCurrent` reads them. A filing without a class is not published: another
 * source may know more about it.
 */
export const filingEvents = (tx: Transaction, condition: Fragment): Fragment => tx`
	select accession_number as key, version, jsonb_build_object('accession_number', accession_number, 'filing_date', filing_date,
		'report_date', report_date, 'form_type', form_type, 'issuer_name', issuer_name, 'cik', cik, 'event_type', event_type,
		'categories', categories, 'item_codes', item_codes, 'first_told', first_told, 'energy', energy,
		'developer_id', developer_id,
		'developer_canonical', (select canonical_name from developers d where d.developer_id = f.developer_id)) as body
	from filings f where event_type is not null and ${condition}`;
