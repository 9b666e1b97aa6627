import type { Handler, Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import { refunds, stateOf } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/** Undoes a delivery. Credits are refunded; a charge on a chain or by a card processor cannot be, and buys the same response again instead. */
export function returnPayment({ sql, now }: Resources): Handler<"returnPayment"> {
	return async ({ payment_id, unsent }) => {
		const at = now().toISOString();
		const [returned] = await sql<{ state: PaymentState }[]>`
			with returned as (
				update payments set state = case when credits_id is null then state else 'released' end, delivered_at = null, leased_until = null,
					deliveries = deliveries - case when ${unsent} and deliveries > 0 then 1 else 0 end
				where id = ${payment_id} and state = 'settled'
				returning id, state, credits_id, amount_micro_usd),
			given_back as (select * from returned where state = 'released'),
			${refunds(sql, at)}
			select state from returned`;
		const reply: Reply<"returnPayment"> = { state: returned?.state ?? (await stateOf(sql, payment_id)) };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
