/** Queues the deliveries of a webhook from the change log: one message per change that concerns it, per run, or (a digest) per day. */
import type { ChangeLog, LoggedChange } from "#libs/bus/requests/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { concernsWebhook, type MemberEvent } from "../domain/changes.ts";
import { type Message, queueMessages, type WebhookRow } from "./rows.ts";

const dayMs = 86_400_000;
/** Maximum changes that a digest lists; its counts include all changes. */
const maxDigestRows = 200;
/** Maximum pages of the change log in one combined message, so that a replay of the whole log takes several turns. */
const maxPagesPerMessage = 100;
/** Maximum entries of a watchlist that are queued in one transaction. */
const maxEntriesPerBatch = 50;

/** A change that concerns a webhook. `event`: its effect on the watchlist that the webhook follows; null without a watchlist. */
interface MatchedChange {
	change: LoggedChange;
	event: MemberEvent;
}

interface QueueOptions {
	sql: Sql;
	changeLog: ChangeLog;
	now(): Date;
}

/** Queues the next deliveries of a webhook without pending ones. @returns whether the webhook advanced in the change log */
export async function queueNext(webhook: WebhookRow, options: QueueOptions): Promise<boolean> {
	if (!webhook.events.includes("changes")) return false;
	if (webhook.digest !== null) return queueDigest(webhook, options);
	return webhook.format === "json" ? queueChanges(webhook, options) : queueCombined(webhook, options);
}

async function queueChanges(webhook: WebhookRow, { sql, changeLog, now }: QueueOptions): Promise<boolean> {
	const { items, next } = await readChangesAfter(sql, changeLog, webhook, webhook.seq);
	if (next === webhook.seq) return false;
	const messages = items.map((item) => changeMessage(webhook, item));
	return queueAndAdvance(sql, webhook, { messages, next, now: now() });
}

/** The message of a change has the same id whenever it is sent, so that receivers recognize a repetition. */
function changeMessage({ id, include_row, watchlist_id }: WebhookRow, { change, event }: MatchedChange): Message {
	const type = event === null ? "change.recorded" : (`watchlist.${event}` as const);
	const { project = null, ...changeFields } = change;
	const data = { ...changeFields, ...(include_row && { project }), ...(watchlist_id !== null && { watchlist_id }) };
	const body = JSON.stringify({ type, timestamp: change.detected_at, data });
	return { message_id: `msg_${id}_${change.seq}`, type, seq: change.seq, body };
}

interface Digest {
	total: number;
	by_change_type: Record<string, number>;
	by_region: Record<string, number>;
	entered: number;
	left: number;
	rows: (Omit<LoggedChange, "project"> & Pick<MatchedChange, "event">)[];
}

/** Queues a digest once the day `digest_day` has ended. Without changes, only webhooks of the format `json` get one. */
async function queueDigest(webhook: WebhookRow, { sql, changeLog, now }: QueueOptions): Promise<boolean> {
	const currentTime = now();
	const today = currentTime.toISOString().slice(0, 10);
	if (webhook.digest_day === null || today <= webhook.digest_day) return false;
	const { digest, next } = await readDigest(sql, changeLog, webhook, { today });
	const isSent = webhook.format === "json" || digest.total > 0;
	const messages = isSent ? [digestMessage(webhook, today, next, digest)] : [];
	return queueAndAdvance(sql, webhook, { messages, next, now: currentTime, today });
}

/** Queues one message for all new changes, so that a list with thousands of changes does not flood a channel or inbox. */
async function queueCombined(webhook: WebhookRow, { sql, changeLog, now }: QueueOptions): Promise<boolean> {
	const { digest, next } = await readDigest(sql, changeLog, webhook, { maxPages: maxPagesPerMessage });
	if (next === webhook.seq) return false;
	const type = "changes.recorded";
	const currentTime = now();
	const body = JSON.stringify({ type, timestamp: currentTime.toISOString(), data: messageData(webhook, next, digest) });
	const messages =
		digest.total === 0 ? [] : [{ message_id: `msg_${webhook.id}_to_${next}`, type, seq: next, body } as const];
	return queueAndAdvance(sql, webhook, { messages, next, now: currentTime });
}

/** Summarizes the changes after the position of a webhook, up to the first change of `today`. `next`: the `seq` up to which it has read. */
async function readDigest(
	sql: Sql,
	changeLog: ChangeLog,
	webhook: WebhookRow,
	{ maxPages = Number.POSITIVE_INFINITY, today }: { maxPages?: number; today?: string },
): Promise<{ digest: Digest; next: number }> {
	const digest: Digest = { total: 0, by_change_type: {}, by_region: {}, entered: 0, left: 0, rows: [] };
	let next = webhook.seq;
	for (let pages = 0; pages < maxPages; pages++) {
		const page = await readChangesAfter(sql, changeLog, webhook, next);
		if (page.next === next) break;
		for (const item of page.items) {
			const { detected_at, seq } = item.change;
			if (today !== undefined && detected_at >= today) return { digest, next: seq - 1 };
			addToDigest(digest, item);
		}
		next = page.next;
	}
	return { digest, next };
}

function messageData({ watchlist_id, seq }: WebhookRow, next: number, { rows, ...counts }: Digest) {
	return { after: seq, next, watchlist_id, ...counts, rows, rows_left_out: counts.total - rows.length };
}

function addToDigest(digest: Digest, { change, event }: MatchedChange): void {
	const { project: _, ...row } = change;
	digest.total++;
	digest.by_change_type[row.change_type] = (digest.by_change_type[row.change_type] ?? 0) + 1;
	digest.by_region[row.region] = (digest.by_region[row.region] ?? 0) + 1;
	if (event !== null) digest[event]++;
	if (digest.rows.length < maxDigestRows) digest.rows.push({ ...row, event });
}

/** Creates the digest of all days (UTC) since the last digest, up to the day before `today`. */
function digestMessage(webhook: WebhookRow, today: string, next: number, digest: Digest): Message {
	const type = "digest.daily";
	const day = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10);
	// The webhook may have been moved back in the log, to changes of earlier days.
	const days = [webhook.digest_day ?? day, digest.rows[0]?.detected_at.slice(0, 10) ?? day].sort();
	const data = { from_day: days[0], day, ...messageData(webhook, next, digest) };
	const body = JSON.stringify({ type, timestamp: `${today}T00:00:00Z`, data });
	return { message_id: `msg_${webhook.id}_${day}`, type, seq: next, body };
}

/** Queues messages and moves the webhook to `next` in the change log. @returns false if the webhook was changed meanwhile */
function queueAndAdvance(
	sql: Sql,
	{ id, seq, digest_day }: WebhookRow,
	{ messages, next, now, today }: { messages: readonly Message[]; next: number; now: Date; today?: string },
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

/** Reads the changes after `after` that concern a webhook. `next`: the `seq` up to which the change log was read; `after` if there are none. */
async function readChangesAfter(
	sql: Sql,
	changeLog: ChangeLog,
	{ filters, watchlist_id }: WebhookRow,
	after: number,
): Promise<{ items: MatchedChange[]; next: number }> {
	if (watchlist_id !== null) return readWatchlistChanges(sql, changeLog, watchlist_id, after);
	const { changes, next } = await changeLog.read(after);
	const items = changes.filter((change) => concernsWebhook(filters, change)).map((change) => ({ change, event: null }));
	return { items, next };
}

async function readWatchlistChanges(sql: Sql, changeLog: ChangeLog, watchlistId: number, after: number) {
	const { entries, seq } = await readEntries(sql, watchlistId, { after, limit: maxEntriesPerBatch });
	if (entries.length === 0) return { items: [], next: Math.max(after, seq ?? after) };
	const changes = await changeLog.pick(entries);
	const items = entries.flatMap(({ seq: each, event }): MatchedChange[] => {
		const change = changes.get(each);
		return change === undefined ? [] : [{ change, event }];
	});
	if (items.length < entries.length) throw new Error(`the change log lacks changes of watchlist ${watchlistId}`);
	return { items, next: entries.at(-1)?.seq ?? after };
}

export interface WatchlistEntry {
	seq: number;
	project_id: string;
	event: MemberEvent;
}

/** Reads entries after a `seq`, and the `seq` that the watchlist has reached. One statement reads both, so that they agree. */
export async function readEntries(
	sql: Sql,
	watchlistId: number,
	{ after, limit, newest = false }: { after: number; limit: number; newest?: boolean },
): Promise<{ entries: WatchlistEntry[]; seq: number | null }> {
	const order = newest ? sql`desc` : sql`asc`;
	const rows = await sql<((WatchlistEntry | Record<keyof WatchlistEntry, null>) & { reached: number | null })[]>`
		select e.seq, e.project_id, e.event, w.seq as reached
		from watchlists w left join lateral (
			select seq, project_id, event from watchlist_entries where watchlist_id = w.id and seq > ${after} order by seq ${order} limit ${limit}
		) e on true where w.id = ${watchlistId} order by e.seq ${order}`;
	return { entries: rows.filter((row) => row.seq !== null), seq: rows[0]?.reached ?? null };
}
