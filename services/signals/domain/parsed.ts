/** What the readers of this service's sources hand on: records in our words, and an account of every row that became none. */

/** rowsIn = records.length + the sum of the dropped counts. */
export interface Parsed<T> {
	/** Rows, entries or documents that the file holds. */
	rowsIn: number;
	records: T[];
	dropped: Dropped[];
	/** Values of kept records that were left out, and rows that belong to no record: they count in no sum. */
	notes?: Dropped[];
}

export interface Dropped {
	/** In words for the operator of this service: "form S-1 is neither D nor D/A". */
	reason: string;
	count: number;
	/** The first few, so that a person can look them up: an accession number, a URL, a line number. */
	examples: string[];
}

/** One appearance of a headline. The text of an article is never kept (copyright): `snippet` serves the matching only. */
export interface Article {
	/** As published. */
	url: string;
	/** As published, white space before punctuation and entities mended. */
	title: string;
	/** Lower case, without `www.` and `m.`. */
	domain: string;
	/** ISO moment in UTC, to the second: publication, else when the source first saw it. */
	publishedAt: string;
	/** Name of the news feed: "GDELT DOC", "GDELT GKG", "utilitydive.com". */
	source: string;
	/** As the source states it ("United States"). */
	sourceCountry: string | null;
	/** As the source states it ("English"); null when it says nothing. */
	language: string | null;
	/** Organisations that the source's own analysis found (GKG). */
	organizations: string[];
	snippet: string | null;
}

/** A Form D or D/A as filed. Amounts in whole USD; `Indefinite` is null, never 0. */
export interface FormD {
	/** 0001234567-24-000001. */
	accessionNumber: string;
	/** YYYY-MM-DD. */
	filingDate: string;
	/** `filingDate` is the filing's own (index, feed, SGML header); false: the day it was signed, until an index says better. */
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
	/** Cumulative since the first sale: an amendment restates it. */
	totalAmountSold: number | null;
	dateOfFirstSale: string | null;
	isEquity: boolean;
	isDebt: boolean;
	relatedPersons: { name: string; relationships: string[]; city: string | null; state: string | null }[];
	/** Clarifications, for the energy keywords. */
	clarification: string | null;
}

/** What an EDGAR index, feed or search says of a filing of any form, without its content. */
export interface IndexedFiling {
	accessionNumber: string;
	/** Without leading zeros. */
	cik: string;
	company: string;
	/** As filed: `D`, `D/A`, `8-K`, `8-K/A`, ... */
	form: string;
	filingDate: string;
	fileNumber: string | null;
}

/** An 8-K or 8-K/A. */
export interface EightK extends IndexedFiling {
	/** The day of the event reported. */
	reportDate: string | null;
	/** Codes as filed: `1.01`, `9.01`. */
	items: string[];
	/** Standard industrial classification code of the issuer. */
	sic: string | null;
	/** Address of the filing (its primary document where known, else its index page). */
	url: string;
	/** What the filing's own text says of a 1.01: a merger or a purchase; null where no text is at hand. */
	dealText: boolean | null;
	/** The text of a 1.03 names a subsidiary, not the registrant; null where no text is at hand. */
	subsidiaryBankruptcy: boolean | null;
}
