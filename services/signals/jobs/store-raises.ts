/**
 * Stores Form D filings and what indexes say of them. The same filing from several sources, in any order and any number of times, is
 * one row that holds what all of them say; an amendment with a believable amount makes the filings that it restates no longer the latest of their offering.
 */
import { isDeepStrictEqual } from "node:util";
import { raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishAll } from "#libs/postgres/outbox.ts";
import { energyKeyword } from "../domain/energy.ts";
import type { IssuerMatch } from "../domain/match-issuer.ts";
import type { FormD, IndexedFiling } from "../domain/parsed.ts";
import { type ChainFiling, raiseChains } from "../domain/raise-chains.ts";
import { joinRaise, type RaiseFacts, raiseFacts, saleKeys, withIndex } from "../domain/raise-facts.ts";
import { indexedOf, noteStored } from "./indexed-filings.ts";
import { type Matchers, matchersOf } from "./matchers.ts";
import { batchSize, inBatches, lockWriters, type Stored, storable } from "./storing.ts";

/** A row of `raises`, as `to_jsonb` writes it. */
export interface Raise extends RaiseFacts, IssuerMatch {
	sale_keys: string[];
	energy: boolean;
	chain: string;
	is_latest: boolean;
	version: number;
}

export const storeRaises = (sql: Sql, filings: readonly FormD[]): Promise<Stored> =>
	inBatches(filings, (batch) => storeBatch(sql, storable(batch)));

function storeBatch(sql: Sql, filings: FormD[]): Promise<Stored> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		const incoming = new Map<string, RaiseFacts>();
		for (const filing of filings) {
			const facts = raiseFacts(filing);
			const known = incoming.get(facts.accession_number);
			incoming.set(facts.accession_number, known === undefined ? facts : joinRaise(known, facts));
		}
		for (const indexed of await indexedOf(tx, [...incoming.keys()])) {
			const facts = incoming.get(indexed.accessionNumber);
			if (facts !== undefined) incoming.set(indexed.accessionNumber, withIndex(facts, indexed));
		}
		const news = await settle(tx, await matchersOf(sql, tx), [...incoming.values()]);
		await noteStored(tx, [...incoming.keys()]);
		return { stored: news.length, known: filings.length - news.length };
	});
}

/** What an index says of filings that are stored: to be called in the transaction that stores the index. */
export async function completeRaises(sql: Sql, tx: Transaction, indexed: readonly IndexedFiling[]): Promise<void> {
	const byAccession = new Map(indexed.map((filing) => [filing.accessionNumber, filing]));
	const stored = await readRaises(tx, [...byAccession.keys()]);
	if (stored.length === 0) return;
	const completed = stored.map((raise) => {
		const filing = byAccession.get(raise.accession_number);
		return filing === undefined ? raise : withIndex(raise, filing);
	});
	await settle(tx, await matchersOf(sql, tx), completed);
}

/** Matches stored filings again, those after `afterKey` in the order of their accession numbers; answers the last key, null at the end. */
export async function rematchRaises(tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> {
	const rows = await tx<{ row: Raise }[]>`
		select to_jsonb(r) as row from raises r where accession_number > ${afterKey} order by accession_number limit ${batchSize}`;
	const before = rows.map(({ row }) => row);
	await write(
		tx,
		before.map((raise) => ({ before: raise, after: { ...raise, ...matchers.matchIssuer(raise) } })),
		matchers,
	);
	return before.length < batchSize ? null : (before.at(-1)?.accession_number ?? null);
}

/** Brings the filings and everything that they restate to what is now known. Answers those that are new or have more facts than before. */
async function settle(tx: Transaction, matchers: Matchers, incoming: readonly RaiseFacts[]): Promise<string[]> {
	const stored = new Map(
		(
			await readRaises(
				tx,
				incoming.map(({ accession_number }) => accession_number),
			)
		).map((raise) => [raise.accession_number, raise]),
	);
	const merged: RaiseFacts[] = [];
	for (const facts of incoming) {
		const known = stored.get(facts.accession_number);
		if (known === undefined) merged.push(facts);
		else {
			const joined = joinRaise(known, facts);
			// Rows have columns beside the facts.
			if (!isDeepStrictEqual({ ...known, ...joined }, known)) merged.push(joined);
		}
	}
	if (merged.length === 0) return [];
	const related = await readRelated(tx, merged);
	const all = new Map<string, RaiseFacts>(related.map((raise) => [raise.accession_number, raise]));
	for (const facts of merged) all.set(facts.accession_number, facts);
	const chained = chainsOf([...all.values()]);
	const before = new Map(related.map((raise) => [raise.accession_number, raise]));
	const fresh = new Set(merged.map(({ accession_number }) => accession_number));
	const changes = [...all.values()].map((facts) => {
		const known = before.get(facts.accession_number);
		const derived = fresh.has(facts.accession_number) || known === undefined ? derive(facts, matchers) : known;
		const chain = chained.get(facts.accession_number) ?? { chain: facts.accession_number, is_latest: true };
		return { before: known, after: { ...derived, ...facts, ...chain, version: known?.version ?? 0 } };
	});
	await write(tx, changes, matchers);
	return [...fresh];
}

const derive = (facts: RaiseFacts, matchers: Matchers) => ({
	...matchers.matchIssuer(facts),
	sale_keys: saleKeys(facts),
	energy:
		energyKeyword({
			industryGroup: facts.industry_group,
			names: [facts.issuer_name, ...facts.previous_names],
			clarification: facts.clarification,
		}).energyKeyword === 1,
});

/** Co-issuers' notices of one sale are one offering: one of them counts. */
function chainsOf(facts: readonly RaiseFacts[]): Map<string, { chain: string; is_latest: boolean }> {
	return new Map(
		raiseChains(facts.map(chainFiling)).flatMap(({ key, filings, latest, duplicateOf }) =>
			filings.map((accession) => [
				accession,
				{ chain: duplicateOf ?? key, is_latest: accession === latest && duplicateOf === null },
			]),
		),
	);
}

const chainFiling = (facts: RaiseFacts): ChainFiling => ({
	accessionNumber: facts.accession_number,
	filingDate: facts.filing_date,
	fileNumber: facts.file_number,
	isAmendment: facts.is_amendment,
	previousAccessionNumber: facts.previous_accession_number,
	cik: facts.cik,
	issuerStreet: facts.issuer_street,
	issuerCity: facts.issuer_city,
	totalAmountSold: facts.total_amount_sold,
	dateOfFirstSale: facts.date_of_first_sale,
	relatedPersons: facts.related_persons,
});

async function readRaises(tx: Transaction, accessions: string[]): Promise<Raise[]> {
	const rows = await tx<{ row: Raise }[]>`
		select to_jsonb(r) as row from raises r where accession_number = any(${accessions})`;
	return rows.map(({ row }) => row);
}

/** Every stored filing that may be of one offering with one of these, over any number of steps, and these as they are stored. */
async function readRelated(tx: Transaction, facts: readonly RaiseFacts[]): Promise<Raise[]> {
	const found = new Map<string, Raise>();
	for (let edge: readonly RaiseFacts[] = facts; edge.length > 0; ) {
		const rows = await tx<{ row: Raise }[]>`
			select to_jsonb(r) as row from raises r
			where r.accession_number <> all(${[...found.keys()]}) and (
				r.accession_number = any(${edge.map((one) => one.accession_number)})
				or r.cik = any(${edge.map((one) => one.cik)})
				or r.file_number = any(${edge.flatMap((one) => one.file_number ?? [])})
				or r.sale_keys && ${edge.flatMap(saleKeys)}::text[])`;
		edge = rows.map(({ row }) => row);
		for (const { row } of rows) found.set(row.accession_number, row);
	}
	return [...found.values()];
}

interface Change {
	before: Raise | undefined;
	after: Raise;
}

/** Writes the rows that differ from before, and publishes those that subscribers would see differ. */
async function write(tx: Transaction, changes: readonly Change[], matchers: Matchers): Promise<void> {
	const occurredAt = new Date().toISOString();
	const rows: Raise[] = [];
	const changed: ReturnType<typeof payloadOf>[] = [];
	for (const { before, after } of changes) {
		if (before !== undefined && isDeepStrictEqual(before, after)) continue;
		const differs = before === undefined || !isDeepStrictEqual(content(before), content(after));
		const raise = { ...after, version: (before?.version ?? 0) + (differs ? 1 : 0) };
		rows.push(raise);
		if (differs) changed.push(payloadOf(raise, matchers, occurredAt));
	}
	if (rows.length === 0) return;
	await tx`delete from raises where accession_number = any(${rows.map((row) => row.accession_number)})`;
	await tx`insert into raises select * from jsonb_populate_recordset(null::raises, ${JSON.stringify(rows)}::text::jsonb)`;
	await publishAll(tx, raiseRecorded, changed);
	await raiseDataVersion(tx);
}

/** What the event says, and by which name of the developer it does not change. */
const content = (raise: Raise) => ({
	accession_number: raise.accession_number,
	filing_date: raise.filing_date,
	issuer_name: raise.issuer_name,
	cik: raise.cik,
	is_amendment: raise.is_amendment,
	chain: raise.chain,
	is_latest: raise.is_latest,
	total_offering_amount: raise.total_offering_amount,
	total_amount_sold: raise.total_amount_sold,
	energy: raise.energy,
	developer_id: raise.developer_id,
	match_method: raise.match_method,
});

const payloadOf = (raise: Raise, { canonicalName }: Matchers, occurredAt: string) => ({
	id: `${raiseRecorded.name}:${raise.accession_number}:${raise.version}`,
	occurred_at: occurredAt,
	version: raise.version,
	...content(raise),
	developer_canonical: canonicalName(raise.developer_id),
});
