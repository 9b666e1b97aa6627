/**
 * Matches stored records with new names, in batches. Each transaction records its progress, so that a restarted process continues.
 * Only changed records are written and published.
 */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import { namesChannel } from "../companies/copies.ts";
import { loadMatchers, type Matchers } from "../companies/matchers.ts";
import { rematchFilings } from "../filings/store-filings.ts";
import { schema } from "../migrate.ts";
import { rematchArticles } from "../news/articles.ts";
import { rematchRaises } from "../raises/store-raises.ts";
import { lockWriters } from "../records/storing.ts";

type Rematch = (tx: Transaction, matchers: Matchers, afterKey: string) => Promise<string | null>;

const kinds: Record<string, Rematch> = { articles: rematchArticles, raises: rematchRaises, filings: rematchFilings };

/** Matches batches until every record is matched with the current names. */
export async function matchAll(sql: Sql, signal?: AbortSignal, runBatch: RunBatch = (batch) => batch()): Promise<void> {
	while (await runBatch(() => matchBatch(sql))) signal?.throwIfAborted();
}

export async function isMatched(sql: Sql): Promise<boolean> {
	const rows = await sql`select from matching m, names n where m.names_version < n.version or m.after_key is not null`;
	return rows.count === 0;
}

/** Matches one batch of one table. Returns false if there is nothing to match. A change of names during a pass restarts the pass. */
function matchBatch(sql: Sql): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		const [due] = await tx<{ kind: string; after_key: string; version: number }[]>`
			select m.kind, n.version, case when m.names_version = n.version then coalesce(m.after_key, '') else '' end as after_key
			from matching m, names n where m.names_version < n.version or m.after_key is not null
			order by m.kind limit 1`;
		const rematch = due && kinds[due.kind];
		if (due === undefined || rematch === undefined) return false;
		// Skips building matchers for an empty table: during a first load, each list would otherwise read all names again.
		const [stored] = await tx<{ any: boolean }[]>`select exists (select from ${tx(due.kind)}) as any`;
		const lastKey = !stored?.any ? null : await rematch(tx, await loadMatchers(sql, tx), due.after_key);
		await tx`update matching set names_version = ${due.version}, after_key = ${lastKey} where kind = ${due.kind}`;
		return true;
	});
}

/** Matches whenever names change, until disposed. Disposal waits for the current batch. */
export const startMatching = (sql: Sql, log: Pick<Logger, "error">): Promise<AsyncDisposable> =>
	startListening(sql, namesChannel(schema), {
		name: "match-names",
		run: (signal, runBatch) => matchAll(sql, signal, runBatch),
		onFailure: (err) => log.error({ err }, "stored records could not be matched again"),
	});
