/** The content of Form D filings that indexes and feeds name. */
import { StructureError } from "#libs/files/structure-error.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import type { SourceFile } from "./read-task.ts";
import { takeIn } from "./take-in.ts";
import type { Part, Tally, Turn } from "./turn.ts";

/** Filings that a turn fetches: a day has about 250. */
const maxFilings = 300;
/** Read and stored together. */
const batch = 50;
/** Looks for one filing before it counts as missing, the second an hour after the first, the third two hours after that. */
const maxAttempts = 5;
/** With 200 persons it is 200 KB. */
const maxBytes = 8 * 1024 * 1024;

export const documentsPart: Part = { name: "documents", everyMinutes: 10, run: fetchDocuments };

interface Wanted {
	accession_number: string;
	cik: string;
}

/** Those named and not here yet, newest first. */
async function fetchDocuments(turn: Turn, tally: Tally): Promise<void> {
	const wanted = await turn.sql<Wanted[]>`
		select accession_number, cik from indexed_filings
		where state = 'known' and (attempted_at is null
			or attempted_at <= ${turn.now().toISOString()}::timestamptz - make_interval(hours => attempts)
			or ${writtenAhead(turn.sql, turn.sql`attempted_at`, turn.now())})
		order by filing_date desc, accession_number desc limit ${maxFilings}`;
	for (let at = 0; at < wanted.length; at += batch) await fetchBatch(turn, tally, wanted.slice(at, at + batch));
}

/** What was fetched before the host became busy, or the service stopped, is stored all the same. */
async function fetchBatch(turn: Turn, tally: Tally, wanted: readonly Wanted[]): Promise<void> {
	const files: SourceFile[] = [];
	const looked: string[] = [];
	let ended: { by: unknown } | undefined;
	try {
		for (const filing of wanted) {
			turn.signal.throwIfAborted();
			const file = await fetchDocument(turn, tally, filing);
			looked.push(filing.accession_number);
			if (file !== null) files.push(file);
		}
	} catch (by) {
		ended = { by };
	}
	if (files.length > 0) await takeIn(turn, tally, files);
	await noteAttempts(turn, looked);
	if (ended !== undefined) throw ended.by;
}

async function fetchDocument(turn: Turn, tally: Tally, { accession_number, cik }: Wanted): Promise<SourceFile | null> {
	const folder = `${turn.hosts.sec}/Archives/edgar/data/${cik}/${accession_number.replaceAll("-", "")}`;
	try {
		const got = await turn.polite.get(`${folder}/primary_doc.xml`, { maxBytes });
		tally.answered++;
		return got.kind === "file" ? { name: `${accession_number}/primary_doc.xml`, bytes: got.bytes } : null;
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		tally.complain(`${accession_number}: ${error.message}`);
		return null;
	}
}

/** Those whose content came are stored by now. */
async function noteAttempts({ sql, now }: Turn, accessions: readonly string[]): Promise<void> {
	await sql`
		update indexed_filings set attempts = attempts + 1, attempted_at = ${now().toISOString()},
			state = case when attempts + 1 >= ${maxAttempts} then 'missing' else state end
		where accession_number = any(${[...accessions]}) and state = 'known'`;
}
