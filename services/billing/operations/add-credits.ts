import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { lockIntent, voidReversed } from "../payment-rows.ts";
import type { Resources } from "../resources.ts";

/** Idempotent: unique indexes on the payment intent and on the event decide which of concurrent calls is the first. */
export function addCredits({ sql, now }: Resources): Handler<"addCredits"> {
	return async ({ credits_id, amount_micro_usd, payment_intent, event_id }) => {
		const at = now().toISOString();
		const reply = await sql.begin(async (tx): Promise<Reply<"addCredits">> => {
			await lockIntent(tx, payment_intent);
			const added = await tx`
				with noted as (
					insert into credit_entries (credits_id, kind, amount_micro_usd, payment_intent, event_id, at)
					select id, 'purchase', ${amount_micro_usd}::bigint, ${payment_intent}::text, ${event_id}::text, ${at}::timestamptz
					from credits where id = ${credits_id}
					on conflict do nothing returning credits_id, amount_micro_usd)
				update credits c set balance_micro_usd = c.balance_micro_usd + n.amount_micro_usd
				from noted n where c.id = n.credits_id`;
			if (added.count > 0) await voidReversed(tx, payment_intent, at);
			const [credits] = await tx<{ balance_micro_usd: number }[]>`
				select balance_micro_usd from credits where id = ${credits_id}`;
			if (credits === undefined) throw notFound(`no credits ${credits_id}`);
			return { ...credits, added: added.count > 0 };
		});
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
