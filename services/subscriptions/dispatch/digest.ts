/** The digest of a day: how many changes of which kind and operator, and the first of them as rows. Pure. */
import type { Item } from "./messages.ts";
import type { Message, WebhookRow } from "./rows.ts";

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
