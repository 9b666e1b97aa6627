import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";

/** The ledger knows single requests as long as it keeps them; payments stay. One of several attempts to charge is the newest. */
export function readReceipt({ sql }: Resources): Handler<"readReceipt"> {
	return async ({ receipt_id, account_id, credits_sha256 }) =>
		oneJsonReply<Reply<"readReceipt">>(
			sql,
			sql`
			select json_build_object('receipt', (
				select json_build_object('request_id', request_id, 'operation', operation, 'at', iso(at), 'paid_by', paid_by,
					'queries', queries, 'amount_usd', (amount / 1e6)::float8, 'state', state, 'network', network, 'payer', payer,
					'reference', reference)
				from (
					select request_id, operation, coalesce(finished_at, claimed_at) as at, rail as paid_by, 0 as queries,
						case when state = 'settled' then amount_micro_usd else 0 end as amount, state, network, payer, reference
					from payments where reference = ${receipt_id} and credits_id is null
					union all
					select request_id, operation, coalesce(finished_at, claimed_at), rail, 0,
						case when state = 'settled' then amount_micro_usd else 0 end, state, network, null, null
					from payments where request_id = ${receipt_id}
						and credits_id = (select id from credits where sha256 = ${credits_sha256})
					union all
					select event_id, operation, occurred_at, 'plan', counted::int, 0, null, null, null, null
					from usage where event_id = ${receipt_id} and account_id = ${account_id}
				) found order by at desc limit 1))`,
		);
}
