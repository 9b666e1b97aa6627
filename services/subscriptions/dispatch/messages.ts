/** The bodies of deliveries, and what of the log is to be sent to a webhook. */
import type { ChangeLog, LoggedChange } from "#libs/bus/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { concerns } from "../domain/changes.ts";
import { type Message, queue, type WebhookRow } from "./rows.ts";

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

// MERGED services/subscriptions/dispatch/messages.ts: The digest of a day: how many changes of which kind and operator, and the first of them as rows. Pure.
/** Rows of a digest; all changes are counted. */
const mostRows = 200;

export interface Digest {
	total: number;
	by_change_type: Record<string, number>;
	by_region: Record<string, number>;
	entered: number;
	left: number;
	rows: object[];
}

export const emptyDigest = (): Digest => ({
	total: 0,
	by_change_type: {},
	by_region: {},
	entered: 0,
	left: 0,
	rows: [],
});

export function addTo(digest: Digest, { change, event }: Item): void {
	const { project: _, ...row } = change;
	digest.total++;
	digest.by_change_type[row.change_type] = (digest.by_change_type[row.change_type] ?? 0) + 1;
	digest.by_region[row.region] = (digest.by_region[row.region] ?? 0) + 1;
	if (event !== null) digest[event]++;
	if (digest.rows.length < mostRows) digest.rows.push({ ...row, event });
}

/** `day`: the day that ended, UTC. `after` and `next`: the stretch of the log that it is of. */
export function digestMessage(
	{ id, watchlist_id, seq: after }: Pick<WebhookRow, "id" | "watchlist_id" | "seq">,
	{ day, next, digest }: { day: string; next: number; digest: Digest },
): Message {
	const type = "digest.daily";
	const { rows, ...counts } = digest;
	const data = { day, after, next, watchlist_id, ...counts, rows, rows_left_out: counts.total - rows.length };
	const timestamp = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().replace(".000Z", "Z");
	return { message_id: `msg_${id}_${day}`, type, seq: next, body: JSON.stringify({ type, timestamp, data }) };
}

// MERGED services/subscriptions/dispatch/messages.ts: Makes what follows in the log a webhook's deliveries.
export interface FillOptions {
	sql: Sql;
	log: ChangeLog;
	now(): Date;
}

/** @returns whether it went on in the log. Of a webhook without deliveries that wait. */
export function fill(webhook: WebhookRow, options: FillOptions): Promise<boolean> {
	return webhook.digest === null ? fillChanges(webhook, options) : fillDigest(webhook, options);
}

async function fillChanges(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const { items, next } = await itemsAfter(sql, log, webhook, webhook.seq);
	if (next === webhook.seq) return false;
	const messages = items.map((item) => messageOf(webhook, item));
	return advance(sql, webhook, { messages, next, now: now() });
}

async function fillDigest(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const moment = now();
	const today = moment.toISOString().slice(0, 10);
	if (webhook.digest_day === null || today <= webhook.digest_day) return false;
	const digest = emptyDigest();
	let next = webhook.seq;
	for (;;) {
		const page = await itemsAfter(sql, log, webhook, next);
		if (page.next === next) break;
		for (const item of page.items) addTo(digest, item);
		next = page.next;
	}
	const day = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
	const messages = [digestMessage(webhook, { day, next, digest })];
	return advance(sql, webhook, { messages, next, now: moment, today });
}

interface Advance {
	messages: readonly Message[];
	next: number;
	now: Date;
	/** Of a digest. */
	today?: string;
}

/** Nothing where the webhook was changed meanwhile: it is looked at again. */
function advance(
	sql: Sql,
	{ id, seq, digest_day }: WebhookRow,
	{ messages, next, now, today }: Advance,
): Promise<boolean> {
	return sql.begin(async (tx) => {
		const moved = await tx`
			update webhooks set seq = ${next}, digest_day = ${today ?? digest_day}::date
			where id = ${id} and seq = ${seq} and enabled`;
		if (moved.count === 0) return false;
		await queue(tx, id, messages, now);
		return true;
	});
}
