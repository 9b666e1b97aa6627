/** Operations on prepaid credits: a token with a balance, which purchases increase and payments decrease. */
import { notFound } from "#libs/contract/errors.ts";
import type { Handlers, Reply } from "#libs/contract/index.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type Resources, uncached } from "../resources.ts";

export const creditOperations = ({ sql, now }: Resources) =>
	({
		/** Idempotent, because the processor may report a purchase twice: the same token gets the same credits. */
		async openCredits({ sha256, hint }) {
			const [opened] = await sql<Reply<"openCredits">[]>`
				insert into credits as c (sha256, hint, created_at) values (${sha256}, ${hint}, ${now().toISOString()})
				on conflict (sha256) do update set hint = c.hint
				returning id as credits_id, iso(created_at) as created_at`;
			if (opened === undefined) throw new Error("the upsert into credits returned no row");
			return uncached(opened);
		},

		/** Idempotent: unique indexes on the payment intent and the processor's event let only the first call add the purchase. */
		async addCredits({ credits_id, amount_micro_usd, payment_intent, event_id }) {
			const at = now().toISOString();
			return sql.begin(async (tx) => {
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
				if (credits === undefined) throw notFound(`no credits have the id ${credits_id}`);
				return uncached({ ...credits, added: added.count > 0 });
			});
		},

		/** Idempotent. A reversal may arrive before the purchase, so the reported sums are stored even if the purchase is unknown. */
		async reverseCredits({ payment_intent, refunded_micro_usd, disputed_micro_usd }) {
			const at = now().toISOString();
			return sql.begin(async (tx) => {
				await lockIntent(tx, payment_intent);
				await tx`
					insert into credit_reversals as r (payment_intent, refunded_micro_usd, disputed_micro_usd, at)
					values (${payment_intent}, ${refunded_micro_usd}, ${disputed_micro_usd}, ${at})
					on conflict (payment_intent) do update set
						refunded_micro_usd = greatest(r.refunded_micro_usd, excluded.refunded_micro_usd),
						disputed_micro_usd = greatest(r.disputed_micro_usd, excluded.disputed_micro_usd)`;
				return uncached(await voidReversed(tx, payment_intent, at));
			});
		},

		async readCredits({ sha256 }) {
			const today = now().toISOString().slice(0, 10);
			const { json } = await oneJsonReply<Reply<"readCredits">>(
				sql,
				sql`select json_build_object('credits', (
					select json_build_object('credits_id', id, 'hint', hint, 'balance_micro_usd', balance_micro_usd,
						'daily_cap_micro_usd', daily_cap_micro_usd,
						'spent_today_micro_usd', case when spent_on = ${today} then spent_micro_usd else 0 end,
						'created_at', iso(created_at))
					from credits where sha256 = ${sha256}))`,
			);
			return { json, dataVersion: 0 };
		},

		/** A cap below today's spending stops further spending today; earlier debits remain. */
		async capCredits({ sha256, daily_cap_micro_usd: cap }) {
			const capped = await sql`
				update credits set daily_cap_micro_usd = ${cap}::bigint,
					day_limit_micro_usd = case when ${cap}::bigint is not null then greatest(${cap}::bigint, spent_micro_usd) end
				where sha256 = ${sha256}`;
			if (capped.count === 0) throw notFound("no credits with this token");
			return uncached({});
		},
	}) satisfies Partial<Handlers<"billing">>;

/** Locks a payment intent, so that its purchase and its reversals are recorded one after another. */
const lockIntent = (tx: Transaction, paymentIntent: string) =>
	tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':intent ' || ${paymentIntent}, 0))`;

/** Voids the part of a purchase that is reversed but not voided yet, up to the token's balance. Does nothing for an unknown purchase. */
async function voidReversed(tx: Transaction, paymentIntent: string, at: string): Promise<Reply<"reverseCredits">> {
	const [voided] = await tx<Reply<"reverseCredits">[]>`
		with reversed as materialized (
			select e.credits_id, c.balance_micro_usd,
				least(e.amount_micro_usd, r.refunded_micro_usd + r.disputed_micro_usd) - r.voided_micro_usd as due_micro_usd
			from credit_reversals r
			join credit_entries e on e.payment_intent = r.payment_intent and e.kind = 'purchase'
			join credits c on c.id = e.credits_id
			where r.payment_intent = ${paymentIntent} for update of c),
		taken as (select *, least(balance_micro_usd, due_micro_usd) as amount_micro_usd from reversed),
		noted as (
			insert into credit_entries (credits_id, kind, amount_micro_usd, at)
			select credits_id, 'void', -amount_micro_usd, ${at}::timestamptz from taken where amount_micro_usd > 0),
		marked as (
			update credit_reversals r set voided_micro_usd = r.voided_micro_usd + t.amount_micro_usd
			from taken t where r.payment_intent = ${paymentIntent}),
		emptied as (
			update credits c set balance_micro_usd = c.balance_micro_usd - t.amount_micro_usd from taken t where c.id = t.credits_id)
		select amount_micro_usd as voided_micro_usd, due_micro_usd - amount_micro_usd as spent_micro_usd from taken`;
	return voided ?? { voided_micro_usd: 0, spent_micro_usd: 0 };
}
