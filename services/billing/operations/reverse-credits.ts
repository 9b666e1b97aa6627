import type { Handler, Reply } from "#libs/contract/index.ts";
import { lockIntent, voidReversed } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/** Idempotent, and in any order with the purchase: the sums reported are kept whether or not it is known. */
export function reverseCredits({ sql, now }: Resources): Handler<"reverseCredits"> {
	return async ({ payment_intent, refunded_micro_usd, disputed_micro_usd }) => {
		const at = now().toISOString();
		const reply = await sql.begin(async (tx): Promise<Reply<"reverseCredits">> => {
			await lockIntent(tx, payment_intent);
			await tx`
				insert into credit_reversals as r (payment_intent, refunded_micro_usd, disputed_micro_usd, at)
				values (${payment_intent}, ${refunded_micro_usd}, ${disputed_micro_usd}, ${at})
				on conflict (payment_intent) do update set
					refunded_micro_usd = greatest(r.refunded_micro_usd, excluded.refunded_micro_usd),
					disputed_micro_usd = greatest(r.disputed_micro_usd, excluded.disputed_micro_usd)`;
			return voidReversed(tx, payment_intent, at);
		});
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
