/** Leases payments whose outcome the gateway has to request from the rail, and releases abandoned claims. */
import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import { longestLeaseSeconds, settlingMs } from "../domain/payments.ts";
import { releaseSome } from "../jobs/release-forgotten.ts";
import type { Resources } from "../resources.ts";

export function takeUnsettled({ sql, now }: Resources): Handler<"takeUnsettled"> {
	return async ({ limit, lease_seconds }) => {
		const at = now();
		// Beside the job, so that released payments can be used at once.
		await releaseSome(sql, at, limit);
		return { json: await takeDue(sql, at, limit, lease_seconds), dataVersion: 0 };
	};
}

/** The longest due first. The pause doubles each time: a transaction that a chain has not decided in a minute may take a day. */
async function takeDue(sql: Sql, at: Date, limit: number, leaseSeconds: number): Promise<string> {
	const now = at.toISOString();
	const [row] = await sql<{ json: string }[]>`
		with due as materialized (
			select id from payments
			where (state = 'unknown' or state = 'settling'
					and (settling_at <= ${before(at, settlingMs)} or ${writtenAhead(sql, sql`settling_at`, at)}))
				and (leased_until is null or leased_until <= ${now} or ${writtenAhead(sql, sql`leased_until`, at)})
			order by coalesce(leased_until, settling_at) limit ${limit} for update skip locked),
		taken as (
			update payments p set attempts = p.attempts + 1, leased_until = ${now}::timestamptz
				+ least(${leaseSeconds}::integer * 2 ^ least(p.attempts, 12), ${longestLeaseSeconds}::integer) * interval '1 second'
			from due d where p.id = d.id
			returning p.id, p.rail, p.network, p.nonce, p.amount_micro_usd, coalesce(p.stored, '') as stored,
				greatest(0, floor(extract(epoch from ${now}::timestamptz - p.settling_at)))::bigint as age_seconds)
		select json_build_object('payments', coalesce(json_agg(json_build_object('payment_id', id, 'rail', rail, 'network', network,
			'nonce', nonce, 'amount_micro_usd', amount_micro_usd, 'stored', stored, 'age_seconds', age_seconds)), '[]'))::text as json
		from taken`;
	if (row === undefined) throw new Error("an aggregate answered no row");
	return row.json;
}

const before = (at: Date, ms: number): string => new Date(at.getTime() - ms).toISOString();
