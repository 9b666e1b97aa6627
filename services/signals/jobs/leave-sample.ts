/** The bundled sample never mixes with what was published: the first file of a publisher takes its place. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { takeBack } from "../republish.ts";
import { lockWriters } from "./storing.ts";

/** Begins the names of the sample's files in the record of files; a file that is taken in has no folder in its name. */
export const sampleFolder = "sample/";

/** Removes the sample if what is stored is the sample. */
export async function leaveSample(sql: Sql): Promise<void> {
	if (await isSample(sql)) await sql.begin(removeSample);
}

/** Headlines and filings of the sample, in the caller's transaction; subscribers get them once more, naming no developer. */
export async function removeSample(tx: Transaction): Promise<void> {
	await lockWriters(tx);
	if (!(await isSample(tx))) return;
	await takeBack(tx);
	for (const table of ["article_matches", "appearances", "articles", "raises", "filings", "indexed_filings"])
		await tx`delete from ${tx(table)}`;
	await tx`delete from source_files where starts_with(name, ${sampleFolder})`;
	await tx`
		update pipelines set last_success_at = null, last_checked_at = null, last_changed_at = null, last_outcome = null`;
	await raiseDataVersion(tx);
}

/** Nothing else is stored beside the sample: a job that stores something removes it first. */
async function isSample(sql: Sql | Transaction): Promise<boolean> {
	const rows = await sql`select from source_files where starts_with(name, ${sampleFolder}) limit 1`;
	return rows.count > 0;
}
