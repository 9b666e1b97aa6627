/**
 * Sells credits to an agent: responds with a card challenge, and to a payment for the challenge with the credit token. The ledger ensures that a
 * payment buys credits only once. A charge whose outcome is unknown can be repeated, because the processor makes it idempotent.
 */

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type Stripe from "stripe";
import { unavailable } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { digestOf } from "#libs/contract/key.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { RequestBilling } from "../billing.ts";
import { problem } from "../rails/mpp-credential.ts";
import { PaymentRefused, paymentPending } from "../rails/rail.ts";
import { type Offers, type Presented, receiptOf } from "./offers.ts";
import { microUsdOfCents, putCredits, writePurchase } from "./purchases.ts";
import { type Charged, chargeToken } from "./stripe.ts";
import { type StorableToken, storablePart, tokenOf } from "./token.ts";

export interface BuyCreditsDeps {
	stripe: Stripe;
	offers: Offers;
	requestBilling: RequestBilling;
	secretKey: string;
	log: Pick<Logger, "warn" | "error">;
	now(): Date;
}

interface Purchase extends Presented {
	amountUsd: number;
	token: string;
	storableToken: StorableToken;
}

/** A paid purchase. `reference`: the processor's id of the payment, if this request knows it. */
interface PaidPurchase {
	balanceMicroUsd: number;
	reference?: string;
}

/** A charge can be repeated until this long after its challenge expired. `findCharge` requires less than an hour. */
const chargeAgainMs = 25 * 60_000;
/** A client that lost the response can request it again for this long. Later, a leaked payment no longer reveals the token. */
const respondAgainMs = 24 * 3_600_000;

export function buyCredits(deps: BuyCreditsDeps): Handler<"buyCredits"> {
	return async ({ amount_usd }, { http }) => {
		try {
			const presented = await deps.offers.read((http?.headers ?? {}) as IncomingHttpHeaders, amount_usd);
			if (presented === undefined) throw await deps.offers.challenge(amount_usd);
			const token = tokenOf(deps.secretKey, presented.challengeId, presented.sharedPaymentToken);
			const purchase = { ...presented, amountUsd: amount_usd, token, storableToken: storablePart(token) };
			return toReply(purchase, await buy(deps, purchase), deps.now());
		} catch (error) {
			if (error instanceof PaymentRefused) throw await deps.offers.challenge(amount_usd, error);
			throw error;
		}
	};
}

function toReply({ token, storableToken }: Purchase, { balanceMicroUsd, reference }: PaidPurchase, at: Date) {
	const reply: Reply<"buyCredits"> = { token, balance_usd: balanceMicroUsd / 1e6, hint: storableToken.hint };
	return {
		json: JSON.stringify(reply),
		headers: { "cache-control": "no-store", ...(reference === undefined ? {} : receiptOf(reference, at)) },
	};
}

async function buy(deps: BuyCreditsDeps, purchase: Purchase): Promise<PaidPurchase> {
	const sinceExpiry = deps.now().getTime() - purchase.expiresAt.getTime();
	const claim = await deps.requestBilling("claimPayment", claimOf(purchase, deps.now(), sinceExpiry > 0));
	switch (claim.outcome) {
		case "claimed":
			return chargeFirst(deps, purchase, claim.payment_id);
		case "deliver":
			return deliver(deps, purchase, claim);
		case "pending":
		case "used":
			if (claim.state === "settled" && sinceExpiry < respondAgainMs)
				return { balanceMicroUsd: await balanceOf(deps, purchase) };
			if (isAbandoned(claim.state, sinceExpiry) && sinceExpiry < chargeAgainMs) return chargeAgain(deps, purchase);
			if (claim.outcome === "pending") throw paymentPending(503);
			if (claim.state === "released")
				throw new PaymentRefused("the payment challenge has expired", {}, problem("payment-expired"));
			throw new PaymentRefused(claim.state === "failed" ? "it failed before" : "it was used before");
		default:
			throw new PaymentRefused("it was used before");
	}
}

/** Whether no other request can still be making the charge: a charge begins before its challenge expires, and takes only seconds. */
const isAbandoned = (state: PaymentState, sinceExpiry: number): boolean =>
	state === "unknown" || (state === "settling" && sinceExpiry > 30_000);

function claimOf(purchase: Purchase, now: Date, only_again: boolean): Params<"claimPayment"> {
	return {
		rail: "card",
		network: "stripe",
		payer: null,
		nonce: `stripe:${purchase.challengeId}`,
		identifier: null,
		credential_sha256: purchase.credentialSha256,
		operation: "buyCredits",
		resource: digestOf(`buyCredits ${purchase.amountUsd}`),
		amount_micro_usd: purchase.amountUsd * 1_000_000,
		stored: writePurchase({ challengeId: purchase.challengeId, begunAt: now }),
		request_id: randomUUID(),
		credits_sha256: null,
		only_again,
	};
}

/** Charges a claimed payment. After `beginSettlement`, reconciliation finds the outcome if it is not recorded here. */
async function chargeFirst(deps: BuyCreditsDeps, purchase: Purchase, payment_id: number): Promise<PaidPurchase> {
	const { requestBilling, log } = deps;
	const finish = (state: "settled" | "failed" | "unknown", reference: string | null) =>
		requestBilling("finishPayment", { payment_id, state, reference, delivered: state === "settled" }).catch(
			(error: unknown) =>
				log.warn(
					{ err: error, payment_id, state },
					"the outcome of a purchase of credits was not recorded: reconciliation will find it",
				),
		);
	try {
		await requestBilling("beginSettlement", { payment_id });
	} catch {
		await requestBilling("releasePayment", { payment_id }).catch(() => {});
		throw unavailable("the purchase could not be begun: nothing is charged", 2);
	}
	const charged = await chargeCard(deps, purchase);
	if (charged.outcome !== "settled") {
		await finish(charged.outcome, null);
		throw notBought(charged);
	}
	const bought = await creditToken(deps, purchase, charged);
	await finish("settled", charged.paymentIntent);
	return bought;
}

/** Repeats the charge with its idempotency key: the card is charged only if it was not charged before. Reconciliation records the outcome. */
async function chargeAgain(deps: BuyCreditsDeps, purchase: Purchase): Promise<PaidPurchase> {
	const charged = await chargeCard(deps, purchase);
	if (charged.outcome !== "settled") throw notBought(charged);
	return creditToken(deps, purchase, charged);
}

async function chargeCard({ stripe, log }: BuyCreditsDeps, purchase: Purchase): Promise<Charged> {
	const { challengeId, sharedPaymentToken, amountUsd, storableToken: token } = purchase;
	const charged = await chargeToken(stripe, { challengeId, sharedPaymentToken, amountCents: amountUsd * 100, token });
	if (charged.outcome === "unknown")
		log.error({ challengeId, reason: charged.reason }, "the outcome of a card charge is unknown");
	return charged;
}

async function creditToken(
	{ requestBilling, log }: BuyCreditsDeps,
	{ storableToken, challengeId, amountUsd }: Purchase,
	{ paymentIntent, amountCents }: Extract<Charged, { outcome: "settled" }>,
): Promise<PaidPurchase> {
	if (microUsdOfCents(amountCents) !== amountUsd * 1_000_000)
		log.error({ challengeId, paymentIntent, amountCents }, "a card was charged an amount other than the requested one");
	try {
		const balanceMicroUsd = await putCredits(requestBilling, storableToken, {
			paymentIntent,
			eventId: null,
			amountCents,
		});
		return { balanceMicroUsd, reference: paymentIntent };
	} catch (err) {
		log.error({ err, challengeId, paymentIntent }, "paid credits could not be added to their token yet");
		throw unavailable(
			"the card was charged and the credits follow: repeat the same request; nothing is charged twice",
			5,
		);
	}
}

/** Returns the balance of a token that is delivered again, because the first response may have been lost. */
async function deliver(deps: BuyCreditsDeps, purchase: Purchase, claim: { payment_id: number; reference: string }) {
	const balanceMicroUsd = await balanceOf(deps, purchase);
	const { payment_id, reference } = claim;
	await deps
		.requestBilling("finishPayment", { payment_id, state: "settled", reference, delivered: true })
		.catch(() => {});
	return { balanceMicroUsd, reference };
}

/** The balance of the token. If it does not exist, another payment for the same challenge has bought credits. */
async function balanceOf({ requestBilling }: BuyCreditsDeps, { storableToken }: Purchase): Promise<number> {
	const { credits } = await requestBilling("readCredits", { sha256: storableToken.sha256 });
	if (credits === null) throw new PaymentRefused("it was used before");
	return credits.balance_micro_usd;
}

const notBought = (charged: Exclude<Charged, { outcome: "settled" }>) =>
	charged.outcome === "failed"
		? new PaymentRefused(charged.reason, {}, problem("verification-failed"))
		: paymentPending(503);
