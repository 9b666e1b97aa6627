/** Follows the log: watchlists first, then what is due to webhooks; woken by what is announced, by requests of accounts and by a timer. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { startListening } from "#libs/service/worker.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { Away } from "../log/away.ts";
import { type FollowOptions, followAll } from "../watch/follow.ts";

export interface Following extends FollowOptions {
	/** Sessions that listen. */
	sql: Sql;
	dispatcher: Dispatcher;
	logger: Pick<Logger, "error">;
	/** From one look at what waits for its next attempt to the next (ms, 2,000 when absent). */
	everyMs?: number;
}

export async function startFollowing(options: Following): Promise<AsyncDisposable> {
	const { sql, log, newest, dispatcher, logger, everyMs = 2_000 } = options;
	await using stack = new AsyncDisposableStack();
	const away = new Away();
	const following = await startListening(sql, "subscriptions_log", {
		name: "follow-log",
		everyMs,
		onFailure: (err) => logger.error({ err }, "the log of changes could not be followed"),
		run: async (signal, runBatch) => {
			await followAll(options, signal, runBatch).then(
				() => away.isBack(),
				(error: unknown) => {
					if (!away.isBrief(error)) throw error;
				},
			);
			dispatcher.wake();
		},
	});
	stack.use(following);
	const due = await sql.listen(
		"subscriptions_due",
		() => dispatcher.wake(),
		() => dispatcher.wake(),
	);
	stack.defer(() => due.unlisten().catch(() => {}));
	stack.use(
		log.watch(() => {
			newest.mayHaveGrown();
			following.wake();
		}),
	);
	const owned = stack.move();
	return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
