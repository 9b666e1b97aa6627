import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";

/** Unique indexes on the payment intent and on the event decide which of any number of calls is the first. */
export function addCredits({ sql, now }: Resources): Handler<"addCredits"> {
	return async ({ credits_id, amount_micro_usd, payment_intent, event_id }) => {
		const [added] = await sql<{ balance_micro_usd: number }[]>`
			with noted as (
				insert into credit_entries (credits_id, kind, amount_micro_usd, payment_intent, event_id, at)
				select id, 'purchase', ${amount_micro_usd}::bigint, ${payment_intent}::text, ${event_id}::text,
					${now().toISOString()}::timestamptz
				from credits where id = ${credits_id}
				on conflict do nothing returning credits_id, amount_micro_usd)
			update credits c set balance_micro_usd = c.balance_micro_usd + n.amount_micro_usd
			from noted n where c.id = n.credits_id
			returning c.balance_micro_usd`;
		// Asked afterwards: the statement above may have waited for another that had the same purchase, and has not seen what it did.
		const [credits] =
			added === undefined
				? await sql<{ balance_micro_usd: number }[]>`select balance_micro_usd from credits where id = ${credits_id}`
				: [added];
		if (credits === undefined) throw notFound(`no credits ${credits_id}`);
		const reply: Reply<"addCredits"> = { ...credits, added: added !== undefined };
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
