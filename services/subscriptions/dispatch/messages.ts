/** The bodies of deliveries, and what of the log is to be sent to a webhook. */

import type { ChangeLog, LoggedChange } from "#libs/bus/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { concerns } from "../domain/changes.ts";
import type { Message, WebhookRow } from "./rows.ts";

export type WatchlistEvent = "entered" | "left" | null;

export interface Item {
	change: LoggedChange;
	event: WatchlistEvent;
}

export interface Items {
	items: Item[];
	/** Where the next ones begin; what is before it and not among them does not concern the webhook. */
	next: number;
}

const typeOf = { entered: "watchlist.entered", left: "watchlist.left" } as const;

/** The same change has the same id, however often it is made a message. */
export function messageOf(
	webhook: Pick<WebhookRow, "id" | "include_row" | "watchlist_id">,
	{ change, event }: Item,
): Message {
	const type = event === null ? "change.recorded" : typeOf[event];
	const { project = null, ...bare } = change;
	const data = {
		...bare,
		...(webhook.include_row && { project }),
		...(webhook.watchlist_id !== null && { watchlist_id: webhook.watchlist_id }),
	};
	return {
		message_id: `msg_${webhook.id}_${change.seq}`,
		type,
		seq: change.seq,
		body: JSON.stringify({ type, timestamp: change.detected_at, data }),
	};
}

/** Entries of a watchlist that are made messages at once. */
const entriesAtOnce = 50;

/** What follows a webhook's `seq`; empty, with the same `next`, where there is nothing yet. */
export async function itemsAfter(
	sql: Sql,
	log: ChangeLog,
	{ filters, watchlist_id }: Pick<WebhookRow, "filters" | "watchlist_id">,
	after: number,
): Promise<Items> {
	if (watchlist_id !== null) return itemsOfWatchlist(sql, log, watchlist_id, after);
	const { changes, next } = await log.read(after);
	const items = changes.filter((change) => concerns(filters, change)).map((change) => ({ change, event: null }));
	return { items, next };
}

async function itemsOfWatchlist(sql: Sql, log: ChangeLog, watchlistId: number, after: number): Promise<Items> {
	const { entries, seq } = await readEntries(sql, watchlistId, after, entriesAtOnce);
	if (entries.length === 0) return { items: [], next: Math.max(after, seq ?? after) };
	const changes = await log.pick(entries);
	const items = entries.flatMap(({ seq: each, event }) => {
		const change = changes.get(each);
		return change === undefined ? [] : [{ change, event }];
	});
	if (items.length < entries.length) throw new Error(`changes of watchlist ${watchlistId} are not in the log`);
	return { items, next: entries.at(-1)?.seq ?? after };
}

export interface Entry {
	seq: number;
	project_id: string;
	event: WatchlistEvent;
}

/** Entries after a `seq`, and how far the watchlist has come: of one snapshot. */
export async function readEntries(
	sql: Sql,
	watchlistId: number,
	after: number,
	limit: number,
): Promise<{ entries: Entry[]; seq: number | null }> {
	const rows = await sql<
		{ seq: number | null; project_id: string | null; event: WatchlistEvent; reached: number | null }[]
	>`
		select e.seq, e.project_id, e.event, w.seq as reached
		from watchlists w left join lateral (
			select seq, project_id, event from watchlist_entries where watchlist_id = w.id and seq > ${after} order by seq limit ${limit}
		) e on true where w.id = ${watchlistId} order by e.seq`;
	return {
		entries: rows.filter((row): row is Entry & { reached: number | null } => row.seq !== null),
		seq: rows[0]?.reached ?? null,
	};
}
