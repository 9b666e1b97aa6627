/** Operations that charge, release, refund and redeliver claimed payments. `claim-payment.ts` claims them. */
import { conflict } from "#libs/contract/errors.ts";
import type { Handlers, Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import { coverageMs, deliveryLeaseMs, maxLeaseSeconds, outcomeCheckAfterMs } from "../domain/payments.ts";
import { releaseAbandoned } from "../jobs/release-forgotten.ts";
import { type Resources, uncached } from "../resources.ts";
import { readPaymentState, refunds, timeBefore } from "../tables/payments.ts";

/** Maximum covered files in a reply. The data of a resource changes less often in a day. A file beyond this limit would be charged again. */
const maxCoveredFiles = 100;

export const paymentOperations = ({ sql, now }: Resources) =>
	({
		/** Called before the charge, so that its outcome is requested later if the gateway never reports it. Succeeds for only one request. */
		async beginSettlement({ payment_id, request_id = null }) {
			const begun = await sql`
				update payments set state = 'settling', settling_at = ${now().toISOString()}
				where id = ${payment_id} and (state = 'claimed' or state = 'settling' and request_id = ${request_id})`;
			if (begun.count === 0) throw conflict("this payment is not claimed: it must not be charged");
			return uncached({});
		},

		/**
		 * Records the outcome of a charge; a known outcome does not change. Credits are debited by the claim, so their payments skip `settling`
		 * and are settled before the response is sent: a lease reserves the delivery for the request that settled them. While the outcome is
		 * unknown, the lease of `claimUnsettled` remains, which determines when the outcome is requested next.
		 */
		async finishPayment({ payment_id, state, reference, delivered, file = null }) {
			const moment = now();
			const at = moment.toISOString();
			const isKnown = state !== "unknown";
			const isHandedOver = state === "settled" && delivered;
			const [finished] = await sql<{ state: PaymentState }[]>`
				with finished as (
					update payments set state = ${state},
						reference = case when state = 'settled' then coalesce(reference, ${reference}) else coalesce(${reference}, reference) end,
						settling_at = coalesce(settling_at, ${at}),
						finished_at = case when ${isKnown} then coalesce(finished_at, ${at}::timestamptz) end,
						delivered_at = case when ${isHandedOver} then coalesce(delivered_at, ${at}::timestamptz) end,
						stored = case when ${isKnown} then null else stored end,
						file = coalesce(${file}::text, file),
						leased_until = case when ${state === "settled" && !delivered} and credits_id is not null
								then ${timeBefore(moment, -deliveryLeaseMs)}::timestamptz
							when not ${isKnown} then leased_until end
					where id = ${payment_id} and (state in ('settling', 'unknown') or state = 'claimed' and credits_id is not null
						or state = 'settled' and ${isHandedOver})
					returning id, state, credits_id, amount_micro_usd),
				given_back as (select * from finished where state = 'failed'),
				${refunds(sql, at)}
				select state from finished`;
			return uncached(finished ?? { state: await readPaymentState(sql, payment_id) });
		},

		/**
		 * Caches the response of a payment that has an identifier. It may be cached before the outcome is recorded, because cached responses are
		 * returned only for settled payments. A redelivery does not replace the first response.
		 */
		async storePaidResponse({ payment_id, status, content_type, body }) {
			const [eligible] = await sql<{ id: number }[]>`
				with eligible as (
					select id from payments
					where id = ${payment_id} and state in ('settling', 'unknown', 'settled') and identifier is not null and payer is not null),
				cached as (
					insert into paid_answers (payment_id, status, content_type, body, kept_at)
					select id, ${status}, ${content_type}, decode(${body}, 'base64'), ${now().toISOString()}::timestamptz from eligible
					on conflict do nothing)
				select id from eligible`;
			if (eligible === undefined) {
				const state = await readPaymentState(sql, payment_id);
				throw conflict(`only responses of charged payments with an identifier are cached; this one is ${state}`);
			}
			return uncached({});
		},

		/** Releases a payment that was certainly not charged, or a debit of credits whose response was not delivered. */
		async releasePayment({ payment_id }) {
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
			return uncached(released ?? { state: await readPaymentState(sql, payment_id) });
		},

		/** Undoes a delivery. A debit of credits is refunded; any other charge is not, but pays for another delivery of the same response. */
		async returnPayment({ payment_id, unsent }) {
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
			return uncached(returned ?? { state: await readPaymentState(sql, payment_id) });
		},

		/** Leases payments whose outcome the gateway has to request from the rail. */
		async claimUnsettled({ limit, lease_seconds }) {
			const at = now();
			// The job `release-forgotten` also does this; here it makes abandoned claims usable immediately.
			await releaseAbandoned(sql, at, limit);
			return uncached({ payments: await leaseDue(sql, at, limit, lease_seconds) });
		},

		/** Requests on plans have a receipt until their retention ends; payments always have one. Of several charge attempts, the newest counts. */
		readReceipt: ({ receipt_id, account_id, credits_sha256 }) =>
			oneJsonReply<Reply<"readReceipt">>(
				sql,
				sql`
				select json_build_object('receipt', (
					select json_build_object('request_id', request_id, 'operation', operation, 'at', iso(at), 'paid_by', paid_by,
						'queries', queries, 'amount_usd', (amount / 1e6)::float8, 'state', state, 'network', network, 'payer', payer,
						'reference', reference)
					from (
						select request_id, operation, coalesce(finished_at, claimed_at) as at, rail as paid_by, 0 as queries,
							case when state = 'settled' then amount_micro_usd else 0 end as amount, state, network, payer, reference
						from payments where reference = ${receipt_id} and credits_id is null
						union all
						select request_id, operation, coalesce(finished_at, claimed_at), rail, 0,
							case when state = 'settled' then amount_micro_usd else 0 end, state, network, null, null
						from payments where request_id = ${receipt_id}
							and credits_id = (select id from credits where sha256 = ${credits_sha256})
						union all
						select event_id, operation, occurred_at, 'plan', counted::int, 0, null, null, null, null
						from usage where event_id = ${receipt_id} and account_id = ${account_id}
					) found order by at desc limit 1))`,
			),

		/** Records that a charge covers a file for the next 24 hours, unless an earlier charge still covers it. */
		async coverFile({ account_id, resource, sha256 }) {
			const at = now();
			const covered = await sql`
				insert into covered_files as c (account_id, sha256, resource, covered_at)
				values (${account_id}, ${sha256}, ${resource}, ${at.toISOString()})
				on conflict (account_id, sha256) do update set covered_at = excluded.covered_at, resource = excluded.resource
				where c.covered_at <= ${timeBefore(at, coverageMs)}`;
			return uncached({ covered_before: covered.count === 0 });
		},

		async listCoveredFiles({ account_id, resource }) {
			const files = await sql<{ sha256: string }[]>`
				select sha256 from covered_files
				where account_id = ${account_id} and resource = ${resource} and covered_at > ${timeBefore(now(), coverageMs)}
				order by covered_at desc limit ${maxCoveredFiles}`;
			return uncached({ sha256: files.map((file) => file.sha256) });
		},
	}) satisfies Partial<Handlers<"billing">>;

/** Leases the payments that have been due longest. Leases double each time: a transaction that is still undecided after a minute may take a day. */
async function leaseDue(sql: Sql, at: Date, limit: number, leaseSeconds: number) {
	const now = at.toISOString();
	const due = await sql<Reply<"claimUnsettled">["payments"]>`
		with due as materialized (
			select id from payments
			where (state = 'unknown' or state = 'settling'
					and (settling_at <= ${timeBefore(at, outcomeCheckAfterMs)} or ${writtenAhead(sql, sql`settling_at`, at)}))
				and (leased_until is null or leased_until <= ${now} or ${writtenAhead(sql, sql`leased_until`, at)})
			order by coalesce(leased_until, settling_at) limit ${limit} for update skip locked)
		update payments p set attempts = p.attempts + 1, leased_until = ${now}::timestamptz
			+ least(${leaseSeconds}::integer * 2 ^ least(p.attempts, 12), ${maxLeaseSeconds}::integer) * interval '1 second'
		from due d where p.id = d.id
		returning p.id as payment_id, p.rail, p.network, p.nonce, p.amount_micro_usd, coalesce(p.stored, '') as stored,
			greatest(0, floor(extract(epoch from ${now}::timestamptz - p.settling_at)))::bigint as age_seconds`;
	return [...due];
}
