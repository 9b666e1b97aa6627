/** A file that queue-ingest has archived, for tests that ask about one. */
import type { Sql } from "#libs/postgres/connect.ts";

/** SHA-256 of the newest file of the feed. */
export async function archivedFile(sql: Sql, feed: string): Promise<string> {
	const [file] = await sql<{ sha256: string }[]>`
		select sha256 from snapshot_files where feed = ${feed} order by snapshot_id desc, position limit 1`;
	if (file === undefined) throw new Error(`no file of ${feed} is archived`);
	return file.sha256;
}
