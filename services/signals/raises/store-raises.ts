/**
 * Stores Form D filings. A filing from several sources is one row with the facts of all of them, in whatever order they arrive.
 * An amendment with a plausible amount becomes the latest filing of its offering, in place of the filings that it restates.
 */
import { isDeepStrictEqual } from "node:util";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { isAboutEnergy } from "../companies/energy.ts";
import type { IssuerMatch } from "../companies/match-issuer.ts";
import { loadMatchers, type Matchers } from "../companies/matchers.ts";
import { readRows, rematchRows, writeRows } from "../records/filing-rows.ts";
import { earlier, mergeBy, mergeText } from "../records/merge-rules.ts";
import type { FormD, IndexedFiling, Stored } from "../records/records.ts";
import { storeInBatches } from "../records/storing.ts";
import { buildChains } from "./chains.ts";
import { addIndexFacts, mergeRaise, saleKeys } from "./facts.ts";

interface Raise extends FormD, IssuerMatch {
	sale_keys: string[];
	energy: boolean;
	chain: string;
	is_latest: boolean;
	version: number;
}

export const storeRaises = (sql: Sql, filings: readonly FormD[]): Promise<Stored> =>
	storeInBatches(sql, filings, async (tx, batch) => {
		const incoming = mergeBy(batch, accession, mergeRaise);
		const accessions = [...incoming.keys()];
		const complete = addFactsOfIndex([...incoming.values()], await readIndexedFilings(tx, accessions));
		const stored = await mergeFacts(tx, await loadMatchers(sql, tx), complete);
		await tx`
			update indexed_filings set state = 'stored' where accession_number = any(${accessions}) and state <> 'stored'`;
		return stored;
	});

const accession = ({ accession_number }: FormD): string => accession_number;

const readIndexedFilings = (tx: Transaction, accessions: string[]): Promise<IndexedFiling[]> => tx<IndexedFiling[]>`
	select accession_number as "accessionNumber", cik, company, form, filing_date as "filingDate", file_number as "fileNumber"
	from indexed_filings where accession_number = any(${accessions})`;

/** Completes the filings with the facts in the index. */
function addFactsOfIndex(filings: readonly FormD[], index: readonly IndexedFiling[]): FormD[] {
	const byAccession = new Map(index.map((indexed) => [indexed.accessionNumber, indexed]));
	return filings.map((filing) => {
		const indexed = byAccession.get(filing.accession_number);
		return indexed === undefined ? filing : addIndexFacts(filing, indexed);
	});
}

export const rematchRaises = (tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> =>
	rematchRows<Raise>(tx, "raises", afterKey, (raise) => matchers.matchIssuer(raise));

/** Stores new facts and updates every filing of the same offerings. Returns how many filings are new or have more facts than before. */
async function mergeFacts(tx: Transaction, matchers: Matchers, incoming: readonly FormD[]): Promise<number> {
	const known = await readRows<Raise>(tx, "raises", tx`accession_number = any(${incoming.map(accession)})`);
	const newFacts = mergeBy<FormD>([...known, ...incoming], accession, mergeRaise);
	// The facts are spread over the raise, because a row has more columns.
	for (const raise of known)
		if (isDeepStrictEqual({ ...raise, ...newFacts.get(raise.accession_number) }, raise))
			newFacts.delete(raise.accession_number);
	if (newFacts.size === 0) return 0;
	const storedRaises = new Map(
		(await readRelated(tx, [...newFacts.values()])).map((raise) => [raise.accession_number, raise]),
	);
	const all = new Map<string, FormD>([...storedRaises, ...newFacts]);
	const chains = assignChains([...all.values()]);
	const changes = [...all.values()].map((facts) => {
		const raise = storedRaises.get(facts.accession_number);
		const derived = newFacts.has(facts.accession_number) || raise === undefined ? derive(facts, matchers) : raise;
		const chain = chains.get(facts.accession_number) ?? { chain: facts.accession_number, is_latest: true };
		return { before: raise, after: { ...derived, ...facts, ...chain, version: raise?.version ?? 0 } };
	});
	await writeRows<Raise>(tx, "raises", changes);
	return newFacts.size;
}

const derive = (facts: FormD, matchers: Matchers) => ({
	...matchers.matchIssuer(facts),
	sale_keys: saleKeys(facts),
	energy: isAboutEnergy({
		industryGroup: facts.industry_group,
		names: [facts.issuer_name, ...facts.previous_names],
		clarification: facts.clarification,
	}),
});

/** Returns the chain of each filing. Co-issuers' notices of one sale form one chain. */
function assignChains(facts: readonly FormD[]): Map<string, { chain: string; is_latest: boolean }> {
	return new Map(
		buildChains(facts).flatMap(({ key, filings, latest, duplicateOf }) =>
			filings.map((accession) => [
				accession,
				{ chain: duplicateOf ?? key, is_latest: accession === latest && duplicateOf === null },
			]),
		),
	);
}

/** Reads these filings, as stored, and the filings that may belong to the same offerings, directly or through other filings. */
async function readRelated(tx: Transaction, facts: readonly FormD[]): Promise<Raise[]> {
	const relatedRaises = new Map<string, Raise>();
	for (let frontier = facts; frontier.length > 0; ) {
		const related = await readRows<Raise>(
			tx,
			"raises",
			tx`
				accession_number <> all(${[...relatedRaises.keys()]}) and (
				accession_number = any(${frontier.map(accession)})
				or cik = any(${frontier.map((one) => one.cik)})
				or file_number = any(${frontier.flatMap((one) => one.file_number ?? [])})
				or sale_keys && ${frontier.flatMap(saleKeys)}::text[])`,
		);
		for (const raise of related) relatedRaises.set(raise.accession_number, raise);
		frontier = related;
	}
	return [...relatedRaises.values()];
}

/** Stores the index, and adds its filing days and file numbers to stored filings. The next polls fetch filings that are not stored. */
export const storeIndex = (sql: Sql, filings: readonly IndexedFiling[]): Promise<Stored> =>
	storeInBatches(sql, filings, async (tx, batch) => {
		const changed = await writeIndex(tx, batch);
		if (changed.length === 0) return 0;
		const accessions = changed.map(({ accessionNumber }) => accessionNumber);
		const raises = await readRows<Raise>(tx, "raises", tx`accession_number = any(${accessions})`);
		if (raises.length > 0) await mergeFacts(tx, await loadMatchers(sql, tx), addFactsOfIndex(raises, changed));
		await raiseDataVersion(tx);
		return changed.length;
	});

/** Returns the filings that are new or have more facts than before. */
async function writeIndex(tx: Transaction, filings: readonly IndexedFiling[]): Promise<IndexedFiling[]> {
	const accession = ({ accessionNumber }: IndexedFiling) => accessionNumber;
	const incoming = mergeBy(filings, accession, mergeIndexed);
	const stored = await readIndexedFilings(tx, [...incoming.keys()]);
	const merged = mergeBy([...stored, ...incoming.values()], accession, mergeIndexed);
	for (const filing of stored)
		if (asText(merged.get(filing.accessionNumber) ?? filing) === asText(filing)) merged.delete(filing.accessionNumber);
	const changed = [...merged.values()];
	if (changed.length === 0) return [];
	await tx`
		insert into indexed_filings as t (accession_number, cik, company, form, filing_date, file_number, state)
		select i."accessionNumber", i.cik, i.company, i.form, i."filingDate", i."fileNumber",
			case when r.accession_number is null then 'known' else 'stored' end
		from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as i ("accessionNumber" text, cik text, company text,
			form text, "filingDate" date, "fileNumber" text)
		left join raises r on r.accession_number = i."accessionNumber"
		on conflict (accession_number) do update set (cik, company, form, filing_date, file_number)
			= (excluded.cik, excluded.company, excluded.form, excluded.filing_date, excluded.file_number)`;
	return changed;
}

/** An index lists a filing of several companies once for each. The merged row names the company that registered first. */
function mergeIndexed(a: IndexedFiling, b: IndexedFiling): IndexedFiling {
	const [first, second] = Number(a.cik) <= Number(b.cik) ? [a, b] : [b, a];
	return {
		accessionNumber: a.accessionNumber,
		cik: first.cik,
		company: (first.cik === second.cik ? mergeText(first.company, second.company) : first.company) ?? "",
		form: mergeText(a.form, b.form) ?? "",
		filingDate: earlier(a.filingDate, b.filingDate),
		fileNumber: mergeText(a.fileNumber, b.fileNumber),
	};
}

const asText = ({ cik, company, form, filingDate, fileNumber }: IndexedFiling): string =>
	JSON.stringify([cik, company, form, filingDate, fileNumber]);
