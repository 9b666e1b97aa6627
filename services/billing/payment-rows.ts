/** Statements on payments and credits that several operations share. */
import { notFound } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";

/**
 * CTEs that refund the debits of the payments in the CTE `given_back` (id, credits_id, amount_micro_usd), each once. Payments
 * are locked before credits everywhere, and credits in the order of their ids, so that no deadlock occurs.
 */
export const refunds = (sql: Sql, at: string): Fragment => sql`
	noted as (
		insert into credit_entries (credits_id, kind, amount_micro_usd, payment_id, at)
		select credits_id, 'refund', amount_micro_usd, id, ${at}::timestamptz from given_back where credits_id is not null
		on conflict do nothing returning credits_id, amount_micro_usd, payment_id),
	held as materialized (
		select id from credits where id in (select credits_id from noted) order by id for update),
	refunded as (
		update credits c set balance_micro_usd = c.balance_micro_usd + n.amount_micro_usd,
			-- What was debited on another day is not spent on this one.
			spent_micro_usd = greatest(0, c.spent_micro_usd - coalesce((
				select sum(m.amount_micro_usd) from noted m join payments p on p.id = m.payment_id
				where m.credits_id = c.id and (p.claimed_at at time zone 'UTC')::date = c.spent_on), 0))
		from (select credits_id, sum(amount_micro_usd) as amount_micro_usd from noted group by credits_id) n join held h on h.id = n.credits_id
		where c.id = n.credits_id)`;

/** Until the transaction ends, no other one credits or voids a purchase of this payment intent. */
export const lockIntent = async (tx: Transaction, paymentIntent: string): Promise<void> =>
	void (await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':intent ' || ${paymentIntent}, 0))`);

/** Voids what was reversed of a purchase and is not voided yet, as far as its token still has it. Nothing for an unknown purchase. */
export async function voidReversed(
	tx: Transaction,
	paymentIntent: string,
	at: string,
): Promise<Reply<"reverseCredits">> {
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

/** State of a payment that a statement did not change. @throws AppError 404 */
export async function stateOf(sql: Sql, paymentId: number): Promise<PaymentState> {
	const [payment] = await sql<{ state: PaymentState }[]>`select state from payments where id = ${paymentId}`;
	if (payment === undefined) throw notFound(`no payment ${paymentId}`);
	return payment.state;
}
