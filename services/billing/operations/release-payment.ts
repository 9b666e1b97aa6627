import type { Handler, Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import { refunds, stateOf } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/** Releases a payment that was certainly not charged; a debit of credits, until its response is delivered. */
export function releasePayment({ sql, now }: Resources): Handler<"releasePayment"> {
	return async ({ payment_id }) => {
		const at = now().toISOString();
		const [released] = await sql<{ state: PaymentState }[]>`
			with given_back as (
				update payments set state = 'released', stored = null, leased_until = null,
					finished_at = coalesce(finished_at, ${at}::timestamptz)
				where id = ${payment_id} and (state = 'claimed' or credits_id is not null
					and (state in ('settling', 'unknown') or state = 'settled' and delivered_at is null))
				returning id, state, credits_id, amount_micro_usd),
			${refunds(sql, at)}
			select state from given_back`;
		const reply: Reply<"releasePayment"> = { state: released?.state ?? (await stateOf(sql, payment_id)) };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
