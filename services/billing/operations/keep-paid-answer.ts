import { conflict } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { stateOf } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/**
 * Caches the response of a payment that has an identifier, also before its outcome is recorded: only settled payments are answered
 * from the cache. The first response is retained; later ones to the same payment replaced a lost delivery.
 */
export function keepPaidAnswer({ sql, now }: Resources): Handler<"keepPaidAnswer"> {
	return async ({ payment_id, status, content_type, body }) => {
		const [cached] = await sql<{ named: boolean }[]>`
			with named as (
				select id from payments
				where id = ${payment_id} and state in ('settling', 'unknown', 'settled') and identifier is not null and payer is not null),
			cached as (
				insert into paid_answers (payment_id, status, content_type, body, kept_at)
				select id, ${status}, ${content_type}, decode(${body}, 'base64'), ${now().toISOString()}::timestamptz from named
				on conflict do nothing)
			select true as named from named`;
		if (cached === undefined) {
			const state = await stateOf(sql, payment_id);
			throw conflict(`Only responses of charged payments with an identifier are cached; this one is ${state}.`);
		}
		return { json: "{}", dataVersion: 0 };
	};
}
