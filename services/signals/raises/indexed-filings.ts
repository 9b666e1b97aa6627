/** The table `indexed_filings`: the Form D filings that EDGAR's indexes and feeds list, whether or not their content is stored. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { earlier, mergeBy, mergeText } from "../records/merge-rules.ts";
import type { IndexedFiling, Stored } from "../records/records.ts";
import { storeInBatches } from "../records/storing.ts";
import { completeRaises, readIndexed } from "./store-raises.ts";

/** The index adds the day and the file number to stored filings. A poll fetches the other filings. */
export const storeIndex = (sql: Sql, filings: readonly IndexedFiling[]): Promise<Stored> =>
	storeInBatches(sql, filings, async (tx, batch) => {
		const changed = await writeIndex(tx, batch);
		if (changed.length > 0) {
			await completeRaises(sql, tx, changed);
			await raiseDataVersion(tx);
		}
		return changed.length;
	});

/** Returns the filings that are new or have more facts than before. */
async function writeIndex(tx: Transaction, filings: readonly IndexedFiling[]): Promise<IndexedFiling[]> {
	const accession = ({ accessionNumber }: IndexedFiling) => accessionNumber;
	const incoming = mergeBy(filings, accession, mergeIndexed);
	const stored = await readIndexed(tx, [...incoming.keys()]);
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

/** An index lists a filing of several companies once for each. The company that registered first names it. */
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
