/** Changes as they come, until Ctrl-C: through lost connections, which are noted on standard error. */
import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type Client } from "../index.ts";
import { note, type Output } from "./output.ts";
import type { Row } from "./table.ts";

/** A connection that was never made is an error; one that was lost is made again. */
function connection(): { onOpen(): void; onLost(error: unknown): void } {
	let isMade = false;
	let isLost = false;
	return {
		onOpen() {
			if (isLost) note("eids: connected again");
			[isMade, isLost] = [true, false];
		},
		onLost(error) {
			if (!isMade) throw error;
			if (!isLost) note("eids: the connection was lost; trying again");
			isLost = true;
		},
	};
}

/** The stream of changes. */
export async function followChanges(data: Client, params: object, output: Output): Promise<never> {
	for await (const event of data.events<Row>("streamChanges", params as never, connection()))
		await output.row(event.data);
	throw new Error("a stream has no end");
}

/** A watchlist has no stream: it is asked every `everyMs` for what came after the last `seq`. */
export async function followWatchlist(
	data: Client,
	{ watchlistId, after, everyMs }: { watchlistId: number; after: number | undefined; everyMs: number },
	output: Output,
): Promise<never> {
	const { onOpen, onLost } = connection();
	let from = after ?? (await seqOf(data, watchlistId));
	while (true) {
		try {
			const page = await data.listWatchlistChanges({ watchlist_id: watchlistId, after: from });
			onOpen();
			for (const change of page.data) await output.row(change);
			const isEnd = page.next === from;
			from = page.next;
			if (!isEnd) continue;
		} catch (error) {
			if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
			onLost(error);
		}
		await pause(everyMs);
	}
}

async function seqOf(data: Client, watchlistId: number): Promise<number> {
	const { watchlist } = await data.getWatchlist({ watchlist_id: watchlistId, per_page: 1 });
	return watchlist.seq ?? 0;
}
