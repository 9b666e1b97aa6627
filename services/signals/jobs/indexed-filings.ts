/** The table `indexed_filings`: what EDGAR's indexes and feeds name, fetched or not. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { earlier, mergeText } from "../domain/merge-rules.ts";
import type { IndexedFiling } from "../domain/parsed.ts";

const columns = (tx: Transaction) => tx`
	accession_number as "accessionNumber", cik, company, form, filing_date as "filingDate", file_number as "fileNumber"`;

export const indexedOf = (tx: Transaction, accessions: string[]): Promise<IndexedFiling[]> => tx<IndexedFiling[]>`
	select ${columns(tx)} from indexed_filings where accession_number = any(${accessions})`;

/** Their content is here: it need not be fetched. */
export async function noteStored(tx: Transaction, accessions: string[]): Promise<void> {
	await tx`
		update indexed_filings set state = 'stored' where accession_number = any(${accessions}) and state <> 'stored'`;
}

/** Writes what is new or says more than before, and answers it as it is now. A filing that is stored already need not be fetched. */
export async function writeIndex(tx: Transaction, filings: readonly IndexedFiling[]): Promise<IndexedFiling[]> {
	const joined = new Map<string, IndexedFiling>();
	for (const filing of filings) {
		const known = joined.get(filing.accessionNumber);
		joined.set(filing.accessionNumber, known === undefined ? filing : joinIndexed(known, filing));
	}
	const stored = new Map<string, string>();
	for (const known of await indexedOf(tx, [...joined.keys()])) {
		stored.set(known.accessionNumber, spelled(known));
		joined.set(known.accessionNumber, joinIndexed(known, joined.get(known.accessionNumber) ?? known));
	}
	const news = [...joined.values()].filter((filing) => stored.get(filing.accessionNumber) !== spelled(filing));
	if (news.length === 0) return [];
	await tx`
		insert into indexed_filings as t (accession_number, cik, company, form, filing_date, file_number, state)
		select i."accessionNumber", i.cik, i.company, i.form, i."filingDate", i."fileNumber",
			case when r.accession_number is null then 'known' else 'stored' end
		from jsonb_to_recordset(${JSON.stringify(news)}::text::jsonb) as i ("accessionNumber" text, cik text, company text,
			form text, "filingDate" date, "fileNumber" text)
		left join raises r on r.accession_number = i."accessionNumber"
		on conflict (accession_number) do update set (cik, company, form, filing_date, file_number)
			= (excluded.cik, excluded.company, excluded.form, excluded.filing_date, excluded.file_number)`;
	return news;
}

/** A filing of several companies stands once for each: the one that has been registered longest names it. */
function joinIndexed(a: IndexedFiling, b: IndexedFiling): IndexedFiling {
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

const spelled = ({ cik, company, form, filingDate, fileNumber }: IndexedFiling): string =>
	JSON.stringify([cik, company, form, filingDate, fileNumber]);
