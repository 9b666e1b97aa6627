/** Statements about the owners of companies in published files. */
import type { RowAccount } from "../../sources/row-account.ts";
import type { Dropped } from "../../sources/source.ts";

export type EvidenceSource = "eia_861" | "gem" | "sec_company_tickers" | "sec_exhibit_21";

export interface Evidence {
	/** Edition of the file or filing: a data year, a release, or the filing's accession number. */
	edition: string;
	/** Row number below the header, from 1. */
	row_number: number;
	/** Number of the statement within the row, from 1. */
	position: number;
	raw_name: string;
	parent_name: string | null;
	/** The parent's share, 0 to 1. Null if none is stated. */
	share: number | null;
	location: string | null;
	registrant_cik: number | null;
	utility_id: number | null;
	/** In EIA's spelling: "Municipal", "Investor Owned". */
	ownership_type: string | null;
	attribution: string | null;
}

/** `rowsIn` counts stored and dropped rows; a row can make several statements. `source` is null for a reference file without evidence. */
export interface EvidenceFile {
	source: EvidenceSource | null;
	what: string;
	rowsIn: number;
	rowsKept: number;
	evidence: Evidence[];
	dropped: Dropped[];
}

export const emptyStatement = {
	position: 1,
	parent_name: null,
	share: null,
	location: null,
	registrant_cik: null,
	utility_id: null,
	ownership_type: null,
	attribution: null,
} as const satisfies Partial<Evidence>;

export function toEvidenceFile(
	source: EvidenceSource,
	what: string,
	{ rowsIn, kept, dropped }: RowAccount<Evidence>,
): EvidenceFile {
	const rowsKept = rowsIn - dropped.reduce((sum, { count }) => sum + count, 0);
	return { source, what, rowsIn, rowsKept, evidence: kept, dropped };
}

/** Describes a recognized file with nothing to store. All rows are reported as dropped for one reason. */
export function toReferenceFile(what: string, rowsIn: number): EvidenceFile {
	const dropped = rowsIn === 0 ? [] : [{ reason: what, count: rowsIn, examples: [] }];
	return { source: null, what, rowsIn, rowsKept: 0, evidence: [], dropped };
}
