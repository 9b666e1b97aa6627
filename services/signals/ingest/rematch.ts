/**
 * Matches what is stored with names that have come since: in batches, each a transaction that remembers how far it came, so that a
 * process that ends in between loses nothing. Only what differs is written and published.
 */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import { namesChannel } from "../companies/copies.ts";
import { type Matchers, matchersOf } from "../companies/matchers.ts";
import { rematchFilings } from "../filings/store-filings.ts";
import { schema } from "../migrate.ts";
import { rematchArticles } from "../news/articles.ts";
import { rematchRaises } from "../raises/store-raises.ts";
import { lockWriters } from "../records/storing.ts";

type Rematch = (tx: Transaction, matchers: Matchers, afterKey: string) => Promise<string | null>;

const kinds: Record<string, Rematch> = { articles: rematchArticles, raises: rematchRaises, filings: rematchFilings };

/** Everything that is stored is matched with today's names when it resolves. */
export async function matchAgain(
	sql: Sql,
	signal?: AbortSignal,
	runBatch: RunBatch = (batch) => batch(),
): Promise<void> {
	while (await runBatch(() => matchBatch(sql))) signal?.throwIfAborted();
}

/** Is there nothing left to match again? */
export async function isMatched(sql: Sql): Promise<boolean> {
	const rows = await sql`select from matching m, names n where m.names_version < n.version or m.after_key is not null`;
	return rows.count === 0;
}

/** One batch of one kind; answers whether there was one. Names that change during a pass let it begin anew. */
function matchBatch(sql: Sql): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		const [due] = await tx<{ kind: string; after_key: string; version: number }[]>`
			select m.kind, n.version, case when m.names_version = n.version then coalesce(m.after_key, '') else '' end as after_key
			from matching m, names n where m.names_version < n.version or m.after_key is not null
			order by m.kind limit 1`;
		const rematch = due && kinds[due.kind];
		if (due === undefined || rematch === undefined) return false;
		// Before anything is stored, each list of a first load would have all names read for nothing.
		const [stored] = await tx<{ any: boolean }[]>`select exists (select from ${tx(due.kind)}) as any`;
		const reached = !stored?.any ? null : await rematch(tx, await matchersOf(sql, tx), due.after_key);
		await tx`update matching set names_version = ${due.version}, after_key = ${reached} where kind = ${due.kind}`;
		return true;
	});
}

/** Matches again whenever names have changed, until disposed; that waits for the batch at hand. */
export const startMatching = (sql: Sql, log: Pick<Logger, "error">): Promise<AsyncDisposable> =>
	startListening(sql, namesChannel(schema), {
		name: "keep-matched",
		run: (signal, runBatch) => matchAgain(sql, signal, runBatch),
		onFailure: (err) => log.error({ err }, "what is stored could not be matched again"),
	});
