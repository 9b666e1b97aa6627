import { conflict } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { stateOf } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/**
 * Also while the outcome is not written down yet: only what turns out to be settled is ever answered with. The first answer stays; a
 * later one to the same payment was made anew because this one was lost.
 */
export function keepPaidAnswer({ sql, now }: Resources): Handler<"keepPaidAnswer"> {
	return async ({ payment_id, status, content_type, body }) => {
		const [kept] = await sql<{ named: boolean }[]>`
			with named as (
				select id from payments
				where id = ${payment_id} and state in ('settling', 'unknown', 'settled') and identifier is not null and payer is not null),
			kept as (
				insert into paid_answers (payment_id, status, content_type, body, kept_at)
				select id, ${status}, ${content_type}, decode(${body}, 'base64'), ${now().toISOString()}::timestamptz from named
				on conflict do nothing)
			select true as named from named`;
		if (kept === undefined) {
			const state = await stateOf(sql, payment_id);
			throw conflict(
				`Answers are kept of payments that were charged and that their payer has named; this one is ${state}.`,
			);
		}
		return { json: "{}", dataVersion: 0 };
	};
}
