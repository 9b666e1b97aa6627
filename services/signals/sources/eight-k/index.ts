/** Material events out of any mix of EDGAR's files: feeds, search answers, companies' lists, whole submissions. Pure. */
import { peek } from "#libs/files/decode.ts";
import type { Parsed } from "../../domain/parsed.ts";
import { joinParsed } from "../account.ts";
import { type ListedCompany, readCompanyTickers } from "../edgar/company-tickers.ts";
import { type EdgarFilings, FilingCollector } from "../edgar/filings.ts";
import { type FeedKind, readFeed, recogniseFeed } from "../edgar/index.ts";
import { readFullSubmission } from "./full-submission.ts";

export interface EdgarFile {
	name: string;
	bytes: Uint8Array;
}

export type EightKKind = FeedKind | "full-submission";

export interface EightKFiles extends EdgarFilings {
	/** A row per ticker, of every list of companies among the files. */
	companies: Parsed<ListedCompany>;
}

/** What a file is by how it begins; null when it is none of these. Cheap, never throws. */
export function recogniseEightK({ bytes }: EdgarFile): EightKKind | null {
	return isSubmission(peek(bytes, 8192)) ? "full-submission" : recogniseFeed(bytes);
}

/** A submission of an 8-K; other forms come in the same wrapping. */
function isSubmission(start: string): boolean {
	if (!/^\s{0,9}<(?:sec-document|submission)>/.test(start)) return false;
	return /\n(?:conformed submission type:\s{0,9}|<type>)8-k(?:\/a)?\s/.test(start);
}

/**
 * All files together, a filing of several once; files of no known kind are passed over. A company's older page names no company: the
 * name comes from another file of the same company number, else stays empty. Throws `StructureError` for a file that is not whole.
 */
export function readEightK(files: readonly EdgarFile[], { now }: { now: Date }): EightKFiles {
	const collector = new FilingCollector(now);
	const lists = [];
	for (const file of files) {
		const kind = recogniseEightK(file);
		if (kind === "full-submission") readFullSubmission(file.bytes, file.name, collector);
		else if (kind === "company-tickers") lists.push(readCompanyTickers(file.bytes, file.name));
		else if (kind !== null) readFeed(kind, file.bytes, file.name, collector);
	}
	const companies = joinParsed(lists);
	return { ...named(collector.result(), companies.records), companies };
}

/** Every record with a company's name, wherever any of the files says it. */
function named(found: EdgarFilings, companies: readonly ListedCompany[]): EdgarFilings {
	const names = new Map(companies.map(({ cik, title }) => [cik, title]));
	for (const { cik, company } of [...found.coFilers, ...found.index.records, ...found.filings.records]) {
		if (company !== "") names.set(cik, company);
	}
	const withName = <T extends { cik: string; company: string }>(row: T): T =>
		row.company === "" ? { ...row, company: names.get(row.cik) ?? "" } : row;
	return {
		filings: { ...found.filings, records: found.filings.records.map(withName) },
		index: { ...found.index, records: found.index.records.map(withName) },
		coFilers: found.coFilers.map(withName),
	};
}
