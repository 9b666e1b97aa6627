/**
 * Gives back what no request will ever finish: claims whose request died before it asked for the charge, and debits whose answer
 * nobody handed over. It is billing's own, so that it happens whatever becomes of the gateways and of their ways to pay.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { forgottenMs, undeliveredMs } from "../domain/payments.ts";
import { refunds } from "../payment-rows.ts";

/** Given back in one statement. */
const atOnce = 100;

export interface Releasing {
	log: Pick<Logger, "debug" | "info" | "error">;
	now(): Date;
	everyMs?: number;
}

/** Releases every half a minute, until closed. */
export const releaseForgotten = (sql: Sql, { log, now, everyMs = 30_000 }: Releasing): AsyncDisposable =>
	schedule({
		name: "release-forgotten",
		everyMs,
		sql,
		// That it has run is worth no line twice a minute; what it gave back is.
		log: { debug: log.debug.bind(log), info: log.debug.bind(log), error: log.error.bind(log) },
		now,
		async run(signal) {
			let released = 0;
			for (let some = atOnce; some === atOnce && !signal.aborted; released += some)
				some = await releaseSome(sql, now(), atOnce);
			if (released > 0) log.info({ released }, "forgotten payments were given back");
		},
	});

/** Answers how many it were: fewer than `limit` when no more is forgotten, or another has it in hand. */
export async function releaseSome(sql: Sql, at: Date, limit: number): Promise<number> {
	const [given] = await sql<{ count: number }[]>`
		with forgotten as materialized (
			select id from payments
			where state = 'claimed' and claimed_at <= ${before(at, forgottenMs)}
				-- Debited, and its answer never went out: nobody can present it again.
				or state = 'settled' and credits_id is not null and delivered_at is null and finished_at <= ${before(at, undeliveredMs)}
			order by claimed_at limit ${limit} for update skip locked),
		given_back as (
			update payments p set state = 'released', stored = null, finished_at = ${at.toISOString()}
			from forgotten f where p.id = f.id returning p.id, p.credits_id, p.amount_micro_usd),
		${refunds(sql, at.toISOString())}
		select count(*) from given_back`;
	return given?.count ?? 0;
}

const before = (at: Date, ms: number): string => new Date(at.getTime() - ms).toISOString();
