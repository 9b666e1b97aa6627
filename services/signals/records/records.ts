/** Records that readers produce and stores take, with an account of every row that became no record. */

/** rowsIn = records.length + the sum of the dropped counts. */
export interface Parsed<T> {
	/** Rows, entries or documents that the file holds. */
	rowsIn: number;
	records: T[];
	dropped: Dropped[];
	/** Values left out of kept records, and rows of further tables that fit no record. They are not part of `rowsIn`. */
	notes: Dropped[];
}

export interface Dropped {
	/** "form S-1 is neither D nor D/A". */
	reason: string;
	count: number;
	/** The first few: an accession number, a URL, a line number. */
	examples: string[];
}

/** One appearance of a headline. For copyright reasons the text is not stored: `snippet` is used for matching only. */
export interface Article {
	url: string;
	/** With entities decoded and stray spaces removed. */
	title: string;
	/** Lower case, without `www.` and `m.`. */
	domain: string;
	/** ISO, UTC, to the second: the publication, else when the source first saw the page. */
	publishedAt: string;
	/** "GDELT DOC", "GDELT GKG", "utilitydive.com". */
	source: string;
	/** As the source states it ("United States"). */
	sourceCountry: string | null;
	/** As the source states it ("English"). */
	language: string | null;
	/** As found by the source's own analysis (GKG). */
	organizations: string[];
	snippet: string | null;
}

/** A Form D or D/A as filed. Amounts in whole USD; `Indefinite` is null, never 0. */
export interface FormD {
	/** 0001234567-24-000001. */
	accessionNumber: string;
	/** YYYY-MM-DD. */
	filingDate: string;
	/** False where `filingDate` is the day of signature, because no index, feed or header has stated the day of filing yet. */
	filingDateKnown: boolean;
	/** 021-..., shared by a filing and its amendments. */
	fileNumber: string | null;
	isAmendment: boolean;
	previousAccessionNumber: string | null;
	/** Ten digits without leading zeros. */
	cik: string;
	issuerName: string;
	previousNames: string[];
	entityType: string | null;
	jurisdiction: string | null;
	issuerStreet: string | null;
	issuerCity: string | null;
	/** SEC's code: a US state, or A6, E9 ... for elsewhere. */
	issuerState: string | null;
	/** The year, `Over Five Years Ago` or `Yet to Be Formed`. */
	yearOfInc: string | null;
	industryGroup: string | null;
	totalOfferingAmount: number | null;
	/** Cumulative since the first sale. */
	totalAmountSold: number | null;
	dateOfFirstSale: string | null;
	isEquity: boolean;
	isDebt: boolean;
	relatedPersons: { name: string; relationships: string[]; city: string | null; state: string | null }[];
	/** Searched for energy keywords. */
	clarification: string | null;
}

/** A filing of any form as an EDGAR index, feed or search lists it, without its content. */
export interface IndexedFiling {
	accessionNumber: string;
	/** Without leading zeros. */
	cik: string;
	company: string;
	/** `D`, `D/A`, `8-K`, `8-K/A`, ... */
	form: string;
	filingDate: string;
	fileNumber: string | null;
}

/** A further company of one filing: a parent and its utility often report together. */
export type CoFiler = Pick<IndexedFiling, "accessionNumber" | "cik" | "company">;

/** An 8-K or 8-K/A. */
export interface EightK extends IndexedFiling {
	/** The day of the event reported. */
	reportDate: string | null;
	/** Codes as filed: `1.01`, `9.01`. */
	items: string[];
	/** Standard industrial classification code of the issuer. */
	sic: string | null;
	/** The primary document where known, else the filing's index page. */
	url: string;
	/** Whether the text under item 1.01 is about a merger or a purchase. Null where the text has not been read. */
	dealText: boolean | null;
	/** Whether the text under item 1.03 names a subsidiary, not the registrant. Null where the text has not been read. */
	subsidiaryBankruptcy: boolean | null;
}

export const pipelineNames = ["news", "8-k", "form-d"] as const;
export type Pipeline = (typeof pipelineNames)[number];

/** `maxAgeHours`: beyond this age a pipeline is stale. */
export const pipelines: readonly { name: Pipeline; database: "signals" | "capital"; maxAgeHours: number }[] = [
	{ name: "news", database: "signals", maxAgeHours: 48 },
	{ name: "8-k", database: "signals", maxAgeHours: 96 },
	{ name: "form-d", database: "capital", maxAgeHours: 96 },
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
	/** ISO. A later date in a file is a typing error. */
	now: string;
}

export interface Records {
	articles: Article[];
	raises: FormD[];
	/** Form D filings that a feed or an index names. */
	index: IndexedFiling[];
	filings: EightK[];
	coFilers: CoFiler[];
}

/** What a group of files contains. */
export interface Content extends Records {
	rowsIn: number;
	dropped: Dropped[];
	notes: Dropped[];
}

/** Why a group of files was not read. */
export interface Refused {
	refused: string;
}

/** What became of delivered records. */
export interface Stored {
	/** Records that were new or added facts. */
	stored: number;
	known: number;
}

/** Publication or filing (ISO) of the newest record. */
export function newestOf({ articles, raises, index, filings }: Records): string | null {
	let newest: string | null = null;
	const days = [raises, index, filings].flatMap((filed) => filed.map(({ filingDate }) => filingDate));
	for (const iso of [...articles.map(({ publishedAt }) => publishedAt), ...days])
		if (newest === null || Date.parse(iso) > Date.parse(newest)) newest = iso;
	return newest;
}
