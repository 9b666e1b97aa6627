/** Stores the records of files. The bundled sample is removed before the first published record is stored: the two never mix. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { storeFilings } from "../filings/store-filings.ts";
import { storeArticles } from "../news/store-articles.ts";
import { storeIndex, storeRaises } from "../raises/store-raises.ts";
import type { Records, Stored } from "../records/records.ts";
import { lockWriters } from "../records/storing.ts";
import { retractAll } from "./republish.ts";

/** Prefix of the sample's files in `source_files`. Other files never have it, because their names contain no folder. */
export const sampleFolder = "sample/";

export async function storeContent(sql: Sql, records: Records): Promise<Stored> {
	const { articles, raises, index, filings } = records;
	const isEmpty = articles.length + raises.length + index.length + filings.length === 0;
	if (!isEmpty && (await isSample(sql))) await sql.begin(removeSample);
	return storeRecords(sql, records);
}

/** Stores the index first, because it contains filing days, which the filings may lack. */
export async function storeRecords(sql: Sql, { index, raises, filings, articles }: Records): Promise<Stored> {
	const parts = [
		await storeIndex(sql, index),
		await storeRaises(sql, raises),
		await storeFilings(sql, filings),
		await storeArticles(sql, articles),
	];
	return parts.reduce((sum, part) => ({ stored: sum.stored + part.stored, known: sum.known + part.known }));
}

/** Removes the sample. Subscribers receive each of its headlines and filings once more, without a developer. */
export async function removeSample(tx: Transaction): Promise<void> {
	await lockWriters(tx);
	if (!(await isSample(tx))) return;
	await retractAll(tx);
	for (const table of ["article_matches", "appearances", "articles", "raises", "filings", "indexed_filings"])
		await tx`delete from ${tx(table)}`;
	await tx`delete from source_files where starts_with(name, ${sampleFolder})`;
	await tx`
		update pipelines set last_success_at = null, last_checked_at = null, last_changed_at = null, last_outcome = null`;
	await raiseDataVersion(tx);
}

async function isSample(sql: Sql | Transaction): Promise<boolean> {
	const rows = await sql`select from source_files where starts_with(name, ${sampleFolder}) limit 1`;
	return rows.count > 0;
}
