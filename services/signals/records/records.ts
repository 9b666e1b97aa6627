/** Records that the readers return for storage, with counts of the rows that did not become records. */

export interface Parsed<T> {
	rowsIn: number;
	records: T[];
	dropped: Dropped[];
	/** Omitted values of records, and rows of secondary tables that belong to no record. `rowsIn` does not count them. */
	notes: Dropped[];
}

export interface Dropped {
	reason: string;
	count: number;
	/** The first few: an accession number, a URL, a line number. */
	examples: string[];
}

/** One appearance of a headline. For copyright reasons the text is not stored: `snippet` is used for matching only. */
export interface Article {
	url: string;
	title: string;
	domain: string;
	/** Time of publication (ISO, UTC, to the second). If it is unknown, the time at which the source first saw the page. */
	publishedAt: string;
	source: string;
	sourceCountry: string | null;
	organizations: string[];
	snippet: string | null;
}

/** A Form D or D/A as filed. Amounts in whole USD; `Indefinite` is null, never 0. */
export interface FormD {
	accession_number: string;
	/** YYYY-MM-DD. */
	filing_date: string;
	/** False if `filing_date` is the day of signature, because no index, feed or header has stated the day of filing yet. */
	filing_date_known: boolean;
	/** Shared by a filing and its amendments. */
	file_number: string | null;
	is_amendment: boolean;
	previous_accession_number: string | null;
	cik: string;
	issuer_name: string;
	previous_names: string[];
	entity_type: string | null;
	jurisdiction: string | null;
	issuer_street: string | null;
	issuer_city: string | null;
	/** SEC's code: a US state, or A6, E9 and so on for places abroad. */
	issuer_state: string | null;
	/** The year, `Over Five Years Ago` or `Yet to Be Formed`. */
	year_of_inc: string | null;
	industry_group: string | null;
	total_offering_amount: number | null;
	/** Cumulative since the first sale. */
	total_amount_sold: number | null;
	date_of_first_sale: string | null;
	is_equity: boolean;
	is_debt: boolean;
	related_persons: { name: string; relationships: string[]; city: string | null; state: string | null }[];
	clarification: string | null;
}

/** A filing of any form as an EDGAR index, feed or search lists it, without its content. */
export interface IndexedFiling {
	accessionNumber: string;
	cik: string;
	company: string;
	form: string;
	filingDate: string;
	fileNumber: string | null;
}

export interface EightK extends IndexedFiling {
	/** The other companies of the filing: a parent and its utility often file together. */
	coFilers: Pick<IndexedFiling, "cik" | "company">[];
	reportDate: string | null;
	items: string[];
	sic: string | null;
	/** The primary document if known, otherwise the filing's index page. */
	url: string;
	/** Whether the text under item 1.01 is about a merger or a purchase. Null if the text has not been read. */
	dealText: boolean | null;
	/** Whether the text under item 1.03 names a subsidiary, not the registrant, as the debtor. Null if the text has not been read. */
	subsidiaryBankruptcy: boolean | null;
}

export const pipelineNames = ["news", "8-k", "form-d"] as const;
export type Pipeline = (typeof pipelineNames)[number];

interface PipelineNote {
	name: Pipeline;
	/** Beyond this age the pipeline is stale. */
	maxAgeHours: number;
	/** The supported formats, and the day of the newest published file that was read in full. */
	layout: { formats: string; verified: string };
}

export const pipelines: readonly PipelineNote[] = [
	{
		name: "news",
		maxAgeHours: 48,
		layout: { formats: "zipped CSV, JSON, RSS, Atom", verified: "2026-05-24" },
	},
	{
		name: "8-k",
		maxAgeHours: 96,
		layout: { formats: "Atom, JSON, SGML", verified: "2026-06-08" },
	},
	{
		name: "form-d",
		maxAgeHours: 96,
		layout: { formats: "Atom, index files, XML, zipped TSV", verified: "2025-12-12" },
	},
];

export interface SourceFile {
	name: string;
	bytes: Uint8Array;
}

/** One file, or several that can only be read together. */
export type FileGroup = SourceFile[];

export interface ReadTask {
	source: Pipeline;
	groups: FileGroup[];
	/** ISO time. Later dates in a file are treated as typing errors. */
	now: string;
}

export interface Records {
	articles: Article[];
	raises: FormD[];
	/** Form D filings that a feed or an index lists. */
	index: IndexedFiling[];
	filings: EightK[];
}

export interface Content extends Records {
	rowsIn: number;
	dropped: Dropped[];
	notes: Dropped[];
}

export interface Refused {
	refused: string;
}

export interface Stored {
	stored: number;
	known: number;
}

/** Day or time (ISO) at which the newest record was published or filed. */
export function newestOf({ articles, raises, index, filings }: Records): string | null {
	let newest: string | null = null;
	const days = [...index, ...filings].map(({ filingDate }) => filingDate);
	const filed = raises.map(({ filing_date }) => filing_date);
	for (const iso of [...articles.map(({ publishedAt }) => publishedAt), ...days, ...filed])
		if (newest === null || Date.parse(iso) > Date.parse(newest)) newest = iso;
	return newest;
}
