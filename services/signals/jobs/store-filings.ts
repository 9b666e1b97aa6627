/**
 * Stores 8-Ks. The same filing from several feeds, in any order and any number of times, is one row that holds what all of them say;
 * which filing is the first to tell of an event is decided over all filings of its company.
 */
import { isDeepStrictEqual } from "node:util";
import { filingRecorded } from "#libs/contract/events/signals.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishAll } from "#libs/postgres/outbox.ts";
import { energyKeyword } from "../domain/energy.ts";
import { type FilingFacts, filingFacts, joinFiling } from "../domain/filing-facts.ts";
import { describeItems, type ItemCategory, type MaterialEventType } from "../domain/item-codes.ts";
import { mergeText } from "../domain/merge-rules.ts";
import type { EightK } from "../domain/parsed.ts";
import type { CoFiler } from "../sources/edgar/filings.ts";
import { newEvents } from "../sources/eight-k/amendments.ts";
import { type Matchers, matchersOf } from "./matchers.ts";
import { batchSize, inBatches, lockWriters, type Stored, storable } from "./storing.ts";

/** A row of `filings`, as `to_jsonb` writes it. */
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
	return inBatches(filings, (batch) =>
		sql.begin(async (tx) => {
			await lockWriters(tx);
			const facts = storable(batch).map((filing) => filingFacts(filing, others.get(filing.accessionNumber)));
			const news = await settle(tx, await matchersOf(sql, tx), facts);
			return { stored: news, known: batch.length - news };
		}),
	);
}

/** Matches stored filings again, those after `afterKey` in the order of their accession numbers; answers the last key, null at the end. */
export async function rematchFilings(tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> {
	const rows = await tx<{ row: Filing }[]>`
		select to_jsonb(f) as row from filings f where accession_number > ${afterKey} order by accession_number limit ${batchSize}`;
	const before = rows.map(({ row }) => row);
	await write(
		tx,
		before.map((filing) => ({ before: filing, after: { ...filing, ...matchers.matchCompanies(filing.companies) } })),
		matchers,
	);
	return before.length < batchSize ? null : (before.at(-1)?.accession_number ?? null);
}

/** Answers how many filings are new or have more facts than before. */
async function settle(tx: Transaction, matchers: Matchers, incoming: readonly FilingFacts[]): Promise<number> {
	const joined = new Map<string, FilingFacts>();
	for (const facts of incoming) {
		const known = joined.get(facts.accession_number);
		joined.set(facts.accession_number, known === undefined ? facts : joinFiling(known, facts));
	}
	const stored = await tx<{ row: Filing }[]>`
		select to_jsonb(f) as row from filings f where accession_number = any(${[...joined.keys()]})`;
	for (const { row } of stored) {
		const merged = joinFiling(row, joined.get(row.accession_number) ?? row);
		if (isDeepStrictEqual({ ...row, ...merged }, row)) joined.delete(row.accession_number);
		else joined.set(row.accession_number, merged);
	}
	if (joined.size === 0) return 0;
	const before = await readCompanies(tx, [...joined.values(), ...stored.map(({ row }) => row)]);
	const all = new Map<string, FilingFacts>([...before, ...joined]);
	const reported = newEvents([...all.values()].map(telling));
	const names = companyNames(all.values());
	const sics = await readIndustries(tx, [...all.values()]);
	const changes = [...all.values()].map((facts) => {
		const { accession_number } = facts;
		const known = before.get(accession_number);
		const derived = known === undefined || joined.has(accession_number) ? derive(facts, matchers) : known;
		const first_told = reportsNew(facts, reported.get(accession_number) ?? []);
		const version = known?.version ?? 0;
		const issuer_name = facts.companies[0]?.name || names.get(issuerCik(facts)) || "";
		return {
			before: known,
			after: { ...derived, ...facts, ...industryOf(facts, sics), issuer_name, first_told, version },
		};
	});
	await write(tx, changes, matchers);
	return joined.size;
}

/** Every stored filing of these filings' companies as issuers. */
async function readCompanies(tx: Transaction, filings: readonly FilingFacts[]): Promise<Map<string, Filing>> {
	const rows = await tx<{ row: Filing }[]>`
		select to_jsonb(f) as row from filings f
		where cik = any(${filings.flatMap(({ companies }) => companies.map(({ cik }) => cik))}) or accession_number = any(${filings.map((one) => one.accession_number)})`;
	return new Map(rows.map(({ row }) => [row.accession_number, row]));
}

/** The industrial codes of these filings' issuers, as these or any stored filings state them. */
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

/** Feeds state no industry: what another filing states of the same company counts. */
function industryOf(facts: FilingFacts, sics: ReadonlyMap<string, string>): Pick<Filing, "sic" | "energy"> {
	const sic = facts.companies[0]?.sic ?? sics.get(issuerCik(facts)) ?? null;
	const { energyKeyword: energy } = energyKeyword({
		sic,
		ciks: facts.companies.map(({ cik }) => cik),
		names: facts.companies.map(({ name }) => name),
	});
	return { sic, energy: energy === 1 };
}

const issuerCik = ({ companies }: FilingFacts): string => companies[0]?.cik ?? "";

/** A company's name by its number: some feeds do not say it. */
function companyNames(filings: Iterable<FilingFacts>): Map<string, string> {
	const names = new Map<string, string>();
	for (const { companies } of filings)
		for (const { cik, name } of companies) names.set(cik, mergeText(names.get(cik) ?? "", name) ?? "");
	return names;
}

const telling = (facts: FilingFacts) => ({
	accessionNumber: facts.accession_number,
	cik: issuerCik(facts),
	form: facts.form_type,
	filingDate: facts.filing_date,
	reportDate: facts.report_date,
	items: facts.item_codes,
});

const meaningOf = (facts: FilingFacts, codes: readonly string[]) =>
	describeItems(codes, { dealText: facts.deal_text, subsidiaryBankruptcy: facts.subsidiary_bankruptcy });

/** Is there an event of a class among the items that no earlier filing reported? A filing without any event reports none. */
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

/** Writes the rows that differ from before, and publishes those with a class that subscribers would see differ. */
async function write(
	tx: Transaction,
	changes: readonly { before: Filing | undefined; after: Filing }[],
	matchers: Matchers,
): Promise<void> {
	const occurredAt = new Date().toISOString();
	const rows: Filing[] = [];
	const changed: NonNullable<ReturnType<typeof payloadOf>>[] = [];
	for (const { before, after } of changes) {
		if (before !== undefined && isDeepStrictEqual(before, after)) continue;
		const differs = before === undefined || !isDeepStrictEqual(content(before), content(after));
		const filing = { ...after, version: (before?.version ?? 0) + (differs ? 1 : 0) };
		rows.push(filing);
		const payload = differs ? payloadOf(filing, matchers, occurredAt) : null;
		if (payload !== null) changed.push(payload);
	}
	if (rows.length === 0) return;
	await tx`delete from filings where accession_number = any(${rows.map((row) => row.accession_number)})`;
	await tx`insert into filings select * from jsonb_populate_recordset(null::filings, ${JSON.stringify(rows)}::text::jsonb)`;
	await publishAll(tx, filingRecorded, changed);
	await raiseDataVersion(tx);
}

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

/** Null for a filing without a class: there is nothing to tell. */
function payloadOf(filing: Filing, { canonicalName }: Matchers, occurredAt: string) {
	const { event_type, ...rest } = content(filing);
	if (event_type === null) return null;
	return {
		id: `${filingRecorded.name}:${filing.accession_number}:${filing.version}`,
		occurred_at: occurredAt,
		version: filing.version,
		...rest,
		event_type,
		developer_canonical: canonicalName(filing.developer_id),
	};
}
