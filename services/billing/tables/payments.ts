/** Statements on payments that the operations and jobs share. */
import { notFound } from "#libs/contract/errors.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

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
			-- Refunds of another day's debits do not lower the amount spent today.
			spent_micro_usd = greatest(0, c.spent_micro_usd - coalesce((
				select sum(m.amount_micro_usd) from noted m join payments p on p.id = m.payment_id
				where m.credits_id = c.id and (p.claimed_at at time zone 'UTC')::date = c.spent_on), 0))
		from (select credits_id, sum(amount_micro_usd) as amount_micro_usd from noted group by credits_id) n join held h on h.id = n.credits_id
		where c.id = n.credits_id)`;

/** Reads the state of a payment, for the reply of an operation that did not change it. @throws AppError 404 */
export async function readPaymentState(sql: Sql, paymentId: number): Promise<PaymentState> {
	const [payment] = await sql<{ state: PaymentState }[]>`select state from payments where id = ${paymentId}`;
	if (payment === undefined) throw notFound(`there is no payment with the id ${paymentId}`);
	return payment.state;
}

/** Returns the time `ms` before `at`, in a form that PostgreSQL reads. */
export const timeBefore = (at: Date, ms: number): string => new Date(at.getTime() - ms).toISOString();
