/**
 * Claims a payment for one request. One statement claims and debits; unique indexes decide between concurrent claims. Further queries run
 * only if the payment already exists.
 */
import { badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import {
	coverageMs,
	deliveryLeaseMs,
	maxDeliveries,
	outcomeCheckAfterMs,
	type PresentedPayment,
	redeliverableMs,
	resolveReplay,
	responseCacheMs,
} from "../domain/payments.ts";
import { type Resources, uncached } from "../resources.ts";
import { timeBefore } from "../tables/payments.ts";

type ClaimParams = Params<"claimPayment">;
type Claim = Reply<"claimPayment">;
type Existing = PresentedPayment & { id: number; reference: string; file: string };

/** An attempt fails only if another request changed the payment. More failures than this indicate a defect. */
const maxAttempts = 5;

export function claimPayment({ sql, now }: Resources): Handler<"claimPayment"> {
	return async (params) => {
		for (const text of [params.network, params.payer, params.nonce, params.identifier, params.operation, params.stored])
			if (text?.includes("\u0000")) throw badRequest("a payment must not contain NUL");
		for (let attempt = 0; attempt < maxAttempts; attempt++) {
			const claim = await tryClaim(sql, params, now());
			if (claim !== undefined) return uncached(claim);
		}
		throw unavailable("the payment is being used by too many requests at once");
	};
}

/** Returns undefined if a concurrent request changed the payment between the statements. */
async function tryClaim(sql: Sql, params: ClaimParams, at: Date): Promise<Claim | undefined> {
	const covered = params.may_be_covered === true ? await findCovering(sql, params, at) : undefined;
	if (covered !== undefined) return covered;
	if (!params.only_again) {
		const id = params.credits_sha256 === null ? await insertClaim(sql, params, at) : await debit(sql, params, at);
		if (id !== undefined) return { outcome: "claimed", payment_id: id };
	}
	const existing = await findExisting(sql, params, at);
	if (existing !== undefined) return presentAgain(sql, params, existing, at);
	// The payment was never charged, and this request must not charge it.
	if (params.only_again) return { outcome: "used", state: "released" };
	if (params.credits_sha256 === null) return undefined;
	return await readRefusal(sql, params, at);
}

const claimColumns = (sql: Sql): Fragment => sql`
	(credits_id, rail, network, payer, nonce, identifier, credential_sha256, operation, resource, amount_micro_usd, state, stored,
		request_id, claimed_at)`;

const claimValues = (sql: Sql, params: ClaimParams, at: Date): Fragment => sql`
	${params.rail}::text, ${params.network}::text, ${params.payer}::text, ${params.nonce}::text, ${params.identifier}::text,
	${params.credential_sha256}::text, ${params.operation}::text, ${params.resource}::text, ${params.amount_micro_usd}::bigint, 'claimed',
	${params.stored}::text, ${params.request_id}::text, ${at.toISOString()}::timestamptz`;

/** Returns undefined if a payment with this nonce, or this payer and identifier, exists, or one by the payer for this request is unanswered. */
async function insertClaim(sql: Sql, params: ClaimParams, at: Date): Promise<number | undefined> {
	const [claimed] = await sql<{ id: number }[]>`
		insert into payments ${claimColumns(sql)} select null::bigint, ${claimValues(sql, params, at)}
		where not exists (${unansweredPayments(sql, params, at)}) on conflict do nothing returning id`;
	return claimed?.id;
}

/**
 * Selects undelivered payments by the same payer for the same request, whose outcome is unknown or became known only after a gateway had
 * requested it from the rail. Until they are resolved, a new payment must not be charged, because the payer would pay twice.
 */
const unansweredPayments = (sql: Sql, params: ClaimParams, at: Date): Fragment => sql`
	select id from payments
	where rail = ${params.rail} and payer = ${params.payer} and resource = ${params.resource} and credits_id is null and delivered_at is null
		and state in ('settling', 'unknown', 'settled') and (state = 'unknown'
			or state = 'settling' and settling_at <= ${timeBefore(at, outcomeCheckAfterMs)}
			or state = 'settled' and attempts > 0 and deliveries < ${maxDeliveries} and finished_at > ${timeBefore(at, redeliverableMs)})`;

/** Returns undefined if the payment exists, or the balance or daily cap does not suffice. Constraints check both again for concurrent debits. */
async function debit(sql: Sql, params: ClaimParams, at: Date): Promise<number | undefined> {
	try {
		const [claimed] = await sql<{ id: number }[]>`
			with claimed as (
				insert into payments ${claimColumns(sql)}
				select id, ${claimValues(sql, params, at)} from credits
				where sha256 = ${params.credits_sha256} and balance_micro_usd >= ${params.amount_micro_usd}
					and (daily_cap_micro_usd is null or ${spentToday(sql, at)} + ${params.amount_micro_usd} <= daily_cap_micro_usd)
				on conflict do nothing returning id, credits_id, amount_micro_usd),
			debited as (
				update credits c set balance_micro_usd = c.balance_micro_usd - p.amount_micro_usd,
					spent_micro_usd = ${spentToday(sql, at)} + p.amount_micro_usd, spent_on = greatest(spent_on, ${dayOf(at)}::date),
					day_limit_micro_usd = daily_cap_micro_usd
				from claimed p where c.id = p.credits_id),
			noted as (
				insert into credit_entries (credits_id, kind, amount_micro_usd, payment_id, at)
				select credits_id, 'debit', -amount_micro_usd, id, ${at.toISOString()}::timestamptz from claimed)
			select id from claimed`;
		return claimed?.id;
	} catch (error) {
		if (isOverdraft(error)) return undefined;
		throw error;
	}
}

const isOverdraft = (error: unknown): boolean =>
	error instanceof Error &&
	"constraint_name" in error &&
	(error.constraint_name === "credits_never_negative" || error.constraint_name === "credits_within_day");

/** The amount debited on the day of `at` (UTC), or on a later day if a later day already has a debit. */
const spentToday = (sql: Sql, at: Date): Fragment =>
	sql`case when spent_on >= ${dayOf(at)}::date then spent_micro_usd else 0 end`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Finds a debit of these credits in the last 24 hours for a file of the same resource. */
async function findCovering(sql: Sql, params: ClaimParams, at: Date): Promise<Claim | undefined> {
	if (params.credits_sha256 === null) return undefined;
	const [debit] = await sql<{ id: number; reference: string; file: string }[]>`
		select p.id, coalesce(p.reference, '') as reference, p.file from payments p
		join credits c on c.id = p.credits_id
		where c.sha256 = ${params.credits_sha256} and p.resource = ${params.resource} and p.file is not null and p.state = 'settled'
			and p.finished_at > ${coveredSince(at)}
		order by p.finished_at desc limit 1`;
	return debit && { outcome: "covered", payment_id: debit.id, reference: debit.reference, file: debit.file };
}

/** Finds the payment that prevents a new claim: by the same payer with the same identifier, with the same nonce, or an unanswered one. */
async function findExisting(sql: Sql, params: ClaimParams, at: Date): Promise<Existing | undefined> {
	const identifier = params.only_again ? null : params.identifier;
	const mayBeUnanswered = !params.only_again && params.credits_sha256 === null;
	const unanswered = mayBeUnanswered ? unansweredPayments(sql, params, at) : sql`select id from payments where false`;
	const [existing] = await sql<Existing[]>`
		select p.id, p.state, coalesce(p.reference, '') as reference,
			coalesce(p.state <> 'failed' and p.payer = ${params.payer} and p.identifier = ${params.identifier}, false) as same_identifier,
			p.id in (${unanswered}) as unanswered, p.credential_sha256 = ${params.credential_sha256} as same_credential,
			p.resource = ${params.resource} as same_resource,
			p.delivered_at is not null as delivered, p.deliveries,
			coalesce(p.leased_until > ${at.toISOString()}, false) as leased,
			p.credits_id is null and coalesce(p.finished_at > ${cachedSince(at)}, false) as repeatable,
			coalesce(p.finished_at > ${timeBefore(at, redeliverableMs)} or p.operation = 'buyCredits', false) as owed,
			p.request_id = ${params.request_id} as own, coalesce(p.file, '') as file,
			coalesce(${params.may_be_covered === true} and p.file is not null and p.credits_id is null
				and p.finished_at > ${coveredSince(at)}, false) as covers,
			exists (select from paid_answers a where a.payment_id = p.id and a.kept_at > ${cachedSince(at)}) as cached
		from payments p
		where p.id in (
			select id from payments where rail = ${params.rail} and nonce = ${params.nonce} and state <> 'released'
			union all
			select id from payments where rail = ${params.rail} and payer = ${params.payer} and identifier = ${identifier}
				and state not in ('failed', 'released')
			union all
			${unanswered})
		order by same_identifier desc, p.rail = ${params.rail} and p.nonce = ${params.nonce} desc, p.id limit 1`;
	return existing;
}

async function presentAgain(sql: Sql, params: ClaimParams, existing: Existing, at: Date): Promise<Claim | undefined> {
	const { id: payment_id, reference, state } = existing;
	const outcome = resolveReplay(existing, !params.only_again);
	switch (outcome) {
		case "conflict":
			return { outcome };
		case "claimed":
			return { outcome, payment_id };
		case "used":
		case "pending":
			return { outcome, state };
		case "covered":
			return { outcome, payment_id, reference, file: existing.file };
		case "answered": {
			const answer = await readAnswer(sql, payment_id, at);
			return answer && { outcome, payment_id, reference, ...answer };
		}
		case "deliver":
			return (await leaseDelivery(sql, existing, at)) ? { outcome, payment_id, reference } : undefined;
	}
}

async function readAnswer(sql: Sql, paymentId: number, at: Date) {
	const [answer] = await sql<{ status: number; content_type: string; body: Buffer }[]>`
		select status, content_type, body from paid_answers where payment_id = ${paymentId} and kept_at > ${cachedSince(at)}`;
	return answer && { ...answer, body: answer.body.toString("base64") };
}

/** Leases the delivery to one of the concurrent requests, if the payment has not changed since it was read. */
async function leaseDelivery(sql: Sql, { id, delivered }: Existing, at: Date): Promise<boolean> {
	const leased = await sql`
		update payments set deliveries = deliveries + 1, leased_until = ${timeBefore(at, -deliveryLeaseMs)}
		where id = ${id} and state = 'settled' and deliveries < ${maxDeliveries}
			and (leased_until is null or leased_until <= ${at.toISOString()}) and (delivered_at is not null) = ${delivered}`;
	return leased.count === 1;
}

/** Reads why credits were not debited; undefined if they suffice by now. */
async function readRefusal(sql: Sql, params: ClaimParams, at: Date): Promise<Claim | undefined> {
	const [credits] = await sql<{ balance: number; cap: number | null; spent: number }[]>`
		select balance_micro_usd as balance, daily_cap_micro_usd as cap, ${spentToday(sql, at)} as spent
		from credits where sha256 = ${params.credits_sha256}`;
	const { balance, cap, spent } = credits ?? { balance: 0, cap: null, spent: 0 };
	if (balance < params.amount_micro_usd) return { outcome: "insufficient", balance_micro_usd: balance };
	if (cap !== null && spent + params.amount_micro_usd > cap)
		return { outcome: "capped", daily_cap_micro_usd: cap, spent_micro_usd: spent };
	return undefined;
}

const coveredSince = (at: Date): string => timeBefore(at, coverageMs);
const cachedSince = (at: Date): string => timeBefore(at, responseCacheMs);
