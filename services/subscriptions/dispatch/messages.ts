/** Turns the log into deliveries: a message for each change that concerns a webhook, or one digest a day. */
import type { ChangeLog, LoggedChange } from "#libs/bus/requests/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { concernsWebhook } from "../domain/changes.ts";
import { type Message, queueMessages, type WebhookRow } from "./rows.ts";

const dayMs = 86_400_000;
const mostRows = 200;
/** Entries of a watchlist that are queued at once. */
const entriesAtOnce = 50;

type WatchlistEvent = "entered" | "left" | null;

interface Item {
	change: LoggedChange;
	event: WatchlistEvent;
}

interface FillOptions {
	sql: Sql;
	log: ChangeLog;
	now(): Date;
}

/** Queues the next deliveries of a webhook that has none pending. @returns whether it advanced in the log */
export function queueNext(webhook: WebhookRow, options: FillOptions): Promise<boolean> {
	return webhook.digest === null ? fillChanges(webhook, options) : fillDigest(webhook, options);
}

async function fillChanges(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const { items, next } = await itemsAfter(sql, log, webhook, webhook.seq);
	if (next === webhook.seq) return false;
	const messages = items.map((item) => messageOf(webhook, item));
	return advance(sql, webhook, { messages, next, now: now() });
}

/** The same change always has the same id. */
function messageOf({ id, include_row, watchlist_id }: WebhookRow, { change, event }: Item): Message {
	const type = event === null ? "change.recorded" : (`watchlist.${event}` as const);
	const { project = null, ...bare } = change;
	const data = { ...bare, ...(include_row && { project }), ...(watchlist_id !== null && { watchlist_id }) };
	const body = JSON.stringify({ type, timestamp: change.detected_at, data });
	return { message_id: `msg_${id}_${change.seq}`, type, seq: change.seq, body };
}

interface Digest {
	total: number;
	by_change_type: Record<string, number>;
	by_region: Record<string, number>;
	entered: number;
	left: number;
	rows: object[];
}

async function fillDigest(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const moment = now();
	const today = moment.toISOString().slice(0, 10);
	if (webhook.digest_day === null || today <= webhook.digest_day) return false;
	const digest: Digest = { total: 0, by_change_type: {}, by_region: {}, entered: 0, left: 0, rows: [] };
	let next = webhook.seq;
	for (;;) {
		const page = await itemsAfter(sql, log, webhook, next);
		if (page.next === next) break;
		for (const item of page.items) addToDigest(digest, item);
		next = page.next;
	}
	return advance(sql, webhook, { messages: [digestMessage(webhook, today, next, digest)], next, now: moment, today });
}

function addToDigest(digest: Digest, { change, event }: Item): void {
	const { project: _, ...row } = change;
	digest.total++;
	digest.by_change_type[row.change_type] = (digest.by_change_type[row.change_type] ?? 0) + 1;
	digest.by_region[row.region] = (digest.by_region[row.region] ?? 0) + 1;
	if (event !== null) digest[event]++;
	if (digest.rows.length < mostRows) digest.rows.push({ ...row, event });
}

/** The digest of the day (UTC) before `today`, of the changes up to `next`. */
function digestMessage({ id, watchlist_id, seq }: WebhookRow, today: string, next: number, digest: Digest): Message {
	const type = "digest.daily";
	const day = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10);
	const { rows, ...counts } = digest;
	const data = { day, after: seq, next, watchlist_id, ...counts, rows, rows_left_out: counts.total - rows.length };
	const body = JSON.stringify({ type, timestamp: `${today}T00:00:00Z`, data });
	return { message_id: `msg_${id}_${day}`, type, seq: next, body };
}

interface Advance {
	messages: readonly Message[];
	next: number;
	now: Date;
	today?: string;
}

/** @returns false if the webhook was changed meanwhile: the caller reads it again */
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
		await queueMessages(tx, id, messages, now);
		return true;
	});
}

/** Changes after a `seq` that concern a webhook, and the `seq` up to which the log was read: the given one if there is nothing new. */
async function itemsAfter(
	sql: Sql,
	log: ChangeLog,
	{ filters, watchlist_id }: WebhookRow,
	after: number,
): Promise<{ items: Item[]; next: number }> {
	if (watchlist_id !== null) return itemsOfWatchlist(sql, log, watchlist_id, after);
	const { changes, next } = await log.read(after);
	const items = changes.filter((change) => concernsWebhook(filters, change)).map((change) => ({ change, event: null }));
	return { items, next };
}

async function itemsOfWatchlist(sql: Sql, log: ChangeLog, watchlistId: number, after: number) {
	const { entries, seq } = await readEntries(sql, watchlistId, after, entriesAtOnce);
	if (entries.length === 0) return { items: [], next: Math.max(after, seq ?? after) };
	const changes = await log.pick(entries);
	const items = entries.flatMap(({ seq: each, event }): Item[] => {
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

/** Entries after a `seq`, and the `seq` that the watchlist has reached, from one snapshot. */
export async function readEntries(
	sql: Sql,
	watchlistId: number,
	after: number,
	limit: number,
): Promise<{ entries: Entry[]; seq: number | null }> {
	const rows = await sql<((Entry | Record<keyof Entry, null>) & { reached: number | null })[]>`
		select e.seq, e.project_id, e.event, w.seq as reached
		from watchlists w left join lateral (
			select seq, project_id, event from watchlist_entries where watchlist_id = w.id and seq > ${after} order by seq limit ${limit}
		) e on true where w.id = ${watchlistId} order by e.seq`;
	return { entries: rows.filter((row) => row.seq !== null), seq: rows[0]?.reached ?? null };
}
