import type { Handler, Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import { deliveryMs } from "../domain/payments.ts";
import { refunds, stateOf } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/**
 * Records the outcome of a charge; a final outcome does not change. A debit is made by its claim, so it skips `settling`, and it is
 * settled before its response is sent: until then only the request that settled it may deliver it. An unknown outcome keeps its
 * lease: `takeUnsettled` decides when it is requested next.
 */
export function finishPayment({ sql, now }: Resources): Handler<"finishPayment"> {
	return async ({ payment_id, state, reference, delivered, file = null }) => {
		const moment = now();
		const at = moment.toISOString();
		const sending = new Date(moment.getTime() + deliveryMs).toISOString();
		const known = state !== "unknown";
		const handedOver = state === "settled" && delivered;
		const [finished] = await sql<{ state: PaymentState }[]>`
			with finished as (
				update payments set state = ${state},
					reference = case when state = 'settled' then coalesce(reference, ${reference}) else coalesce(${reference}, reference) end,
					settling_at = coalesce(settling_at, ${at}),
					finished_at = case when ${known} then coalesce(finished_at, ${at}::timestamptz) end,
					delivered_at = case when ${handedOver} then coalesce(delivered_at, ${at}::timestamptz) end,
					stored = case when ${known} then null else stored end,
					file = coalesce(${file}::text, file),
					leased_until = case when ${state === "settled" && !delivered} and credits_id is not null then ${sending}::timestamptz
						when not ${known} then leased_until end
				where id = ${payment_id} and (state in ('settling', 'unknown') or state = 'claimed' and credits_id is not null
					or state = 'settled' and ${handedOver})
				returning id, state, credits_id, amount_micro_usd),
			given_back as (select * from finished where state = 'failed'),
			${refunds(sql, at)}
			select state from finished`;
		const reply: Reply<"finishPayment"> = { state: finished?.state ?? (await stateOf(sql, payment_id)) };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
