/** Columns of answers, in SQL: PostgreSQL writes the JSON. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { challengeSeq } from "../dispatch/attempt.ts";
import type { Limits } from "../resources.ts";

/** Of `webhooks w`. */
export const webhookColumns = (sql: Sql, now: Date): Fragment => sql`
	w.id as webhook_id, w.url, w.filters, w.watchlist_id, w.include_row, w.digest, w.enabled,
	not exists (select from deliveries d where d.webhook_id = w.id and d.state = 'pending' and d.seq = ${challengeSeq}) as proven,
	iso(w.disabled_at) as disabled_at, w.disabled_reason, w.seq,
	(select count(*) from deliveries d where d.webhook_id = w.id and d.state = 'pending') as pending,
	case when w.old_secret_until > ${now}::timestamptz then iso(w.old_secret_until) end as old_secret_until,
	iso(w.created_at) as created_at`;

/** Of `deliveries d`. */
export const deliveryColumns = (sql: Sql): Fragment => sql`
	d.id as delivery_id, d.message_id, d.type, nullif(d.seq, ${challengeSeq}) as seq, d.state as status, d.attempts, d.latency_ms,
	d.answer_status, d.answer_start, d.error, iso(d.created_at) as created_at, iso(d.last_attempt_at) as last_attempt_at, iso(d.next_attempt_at) as next_attempt_at`;

/** Of `saved_queries w`. */
export const savedQueryColumns = (sql: Sql): Fragment => sql`
	w.id as query_id, w.name, w.statement as sql, w.database, w.parameters, iso(w.created_at) as created_at,
	iso(w.changed_at) as changed_at`;

/** Of `watchlists w`. */
export const watchlistColumns = (sql: Sql, { freeWatchlistDays }: Limits): Fragment => sql`
	w.id as watchlist_id, w.name, w.filters,
	case when w.seq is not null then (select count(*) from watchlist_members m where m.watchlist_id = w.id) end as requests,
	w.seq, iso(w.created_at) as created_at,
	case when w.free and not exists (select from webhooks where watchlist_id = w.id and enabled)
		then iso(w.used_at + make_interval(days => ${freeWatchlistDays})) end as expires_at`;
