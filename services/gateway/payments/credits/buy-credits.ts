/**
 * Sells credits to an agent: a card challenge, and the token for the payment that answers it. The ledger ensures that a payment buys once,
 * and the processor's idempotency that a charge whose answer was lost can be repeated.
 */

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type Stripe from "stripe";
import { unavailable } from "#libs/contract/errors.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { digestOf } from "#libs/contract/key.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { AskBilling } from "../billing.ts";
import { problem } from "../rails/mpp-credential.ts";
import { PaymentRefused, paymentPending } from "../rails/rail.ts";
import { type Offers, type Presented, receiptOf } from "./offers.ts";
import { microUsdOfCents, putCredits, writePurchase } from "./purchases.ts";
import { type Charged, chargeToken } from "./stripe.ts";
import { type StorableToken, storablePart, tokenOf } from "./token.ts";

export interface BuyCreditsDeps {
	stripe: Stripe;
	offers: Offers;
	ask: AskBilling;
	secretKey: string;
	log: Pick<Logger, "warn" | "error">;
	now(): Date;
}

interface Purchase extends Presented {
	amountUsd: number;
	token: string;
	known: StorableToken;
}

/** A funded token. `reference`: the processor's id, if this request knows it. */
interface Bought {
	balanceMicroUsd: number;
	reference?: string;
}

/** How long after its challenge has expired a charge can be repeated; `findCharge` requires less than an hour. */
const chargeAgainMs = 25 * 60_000;
/** How long a client that lost the answer can request it again. Later a leaked payment reveals no token. */
const answerAgainMs = 24 * 3_600_000;

export function buyCredits(deps: BuyCreditsDeps): Handler<"buyCredits"> {
	return async ({ amount_usd }, { http }) => {
		try {
			const presented = await deps.offers.read((http?.headers ?? {}) as IncomingHttpHeaders, amount_usd);
			if (presented === undefined) throw await deps.offers.challenge(amount_usd);
			const token = tokenOf(deps.secretKey, presented.challengeId, presented.sharedPaymentToken);
			const purchase = { ...presented, amountUsd: amount_usd, token, known: storablePart(token) };
			return toReply(purchase, await buy(deps, purchase), deps.now());
		} catch (error) {
			if (error instanceof PaymentRefused) throw await deps.offers.challenge(amount_usd, error);
			throw error;
		}
	};
}

function toReply({ token, known }: Purchase, { balanceMicroUsd, reference }: Bought, at: Date) {
	const reply: Reply<"buyCredits"> = { token, balance_usd: balanceMicroUsd / 1e6, hint: known.hint };
	return {
		json: JSON.stringify(reply),
		headers: { "cache-control": "no-store", ...(reference === undefined ? {} : receiptOf(reference, at)) },
	};
}

async function buy(deps: BuyCreditsDeps, purchase: Purchase): Promise<Bought> {
	const sinceExpiry = deps.now().getTime() - purchase.expiresAt.getTime();
	const claim = await deps.ask("claimPayment", claimOf(purchase, deps.now(), sinceExpiry > 0));
	switch (claim.outcome) {
		case "claimed":
			return chargeFirst(deps, purchase, claim.payment_id);
		case "deliver":
			return deliver(deps, purchase, claim);
		case "pending":
		case "used":
			if (claim.state === "settled" && sinceExpiry < answerAgainMs)
				return { balanceMicroUsd: await balanceOf(deps, purchase) };
			// Waits for a request that holds the lease; then the charge is repeated.
			if (isAbandoned(claim.state, sinceExpiry) && sinceExpiry < chargeAgainMs) return chargeAgain(deps, purchase);
			if (claim.outcome === "pending") throw paymentPending(503);
			if (claim.state === "released")
				throw new PaymentRefused("the payment challenge has expired", {}, problem("payment-expired"));
			throw new PaymentRefused(claim.state === "failed" ? "it failed before" : "it was used before");
		default:
			throw new PaymentRefused("it was used before");
	}
}

/** A charge begins before its challenge expires and takes seconds, so one that is pending later belongs to a lost request. */
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

/** From `beginSettlement` on, reconciliation finds what is not recorded here. */
async function chargeFirst(deps: BuyCreditsDeps, purchase: Purchase, payment_id: number): Promise<Bought> {
	const { ask, log } = deps;
	const finish = (state: "settled" | "failed" | "unknown", reference: string | null) =>
		ask("finishPayment", { payment_id, state, reference, delivered: state === "settled" }).catch((error: unknown) =>
			log.warn({ err: error, payment_id, state }, "the end of a purchase of credits was not recorded"),
		);
	try {
		await ask("beginSettlement", { payment_id });
	} catch {
		await ask("releasePayment", { payment_id }).catch(() => {});
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

/** Repeats the charge with its idempotency key: it happens now if it did not happen before. Reconciliation records the outcome. */
async function chargeAgain(deps: BuyCreditsDeps, purchase: Purchase): Promise<Bought> {
	const charged = await chargeCard(deps, purchase);
	if (charged.outcome !== "settled") throw notBought(charged);
	return creditToken(deps, purchase, charged);
}

async function chargeCard({ stripe, log }: BuyCreditsDeps, purchase: Purchase): Promise<Charged> {
	const { challengeId, sharedPaymentToken, amountUsd, known: token } = purchase;
	const charged = await chargeToken(stripe, { challengeId, sharedPaymentToken, amountCents: amountUsd * 100, token });
	if (charged.outcome === "unknown")
		log.error({ challengeId, reason: charged.reason }, "a card charge has no known outcome");
	return charged;
}

async function creditToken(
	{ ask, log }: BuyCreditsDeps,
	{ known, challengeId, amountUsd }: Purchase,
	{ paymentIntent, amountCents }: Extract<Charged, { outcome: "settled" }>,
): Promise<Bought> {
	if (microUsdOfCents(amountCents) !== amountUsd * 1_000_000)
		log.error({ challengeId, paymentIntent, amountCents }, "a card was charged another amount than requested");
	try {
		const balanceMicroUsd = await putCredits(ask, known, { paymentIntent, eventId: null, amountCents });
		return { balanceMicroUsd, reference: paymentIntent };
	} catch (err) {
		log.error({ err, challengeId, paymentIntent }, "paid credits are not on their token yet");
		throw unavailable("the card was charged and the credits follow; send the same again: nothing is charged twice", 5);
	}
}

/** Delivers a token whose first answer may have been lost. */
async function deliver(deps: BuyCreditsDeps, purchase: Purchase, claim: { payment_id: number; reference: string }) {
	const balanceMicroUsd = await balanceOf(deps, purchase);
	const { payment_id, reference } = claim;
	await deps.ask("finishPayment", { payment_id, state: "settled", reference, delivered: true }).catch(() => {});
	return { balanceMicroUsd, reference };
}

/** If the token does not exist, another payment for the same challenge has bought. */
async function balanceOf({ ask }: BuyCreditsDeps, { known }: Purchase): Promise<number> {
	const { credits } = await ask("readCredits", { sha256: known.sha256 });
	if (credits === null) throw new PaymentRefused("it was used before");
	return credits.balance_micro_usd;
}

const notBought = (charged: Exclude<Charged, { outcome: "settled" }>) =>
	charged.outcome === "failed"
		? new PaymentRefused(charged.reason, {}, problem("verification-failed"))
		: paymentPending(503);
