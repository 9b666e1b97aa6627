/**
 * Signed events of the processor about checkouts, refunds and disputes. They arrive at least once, in any order, for three days until they
 * are answered below 300. A dispute that is won restores no credits; the operator settles it with the customer.
 */
import Stripe from "stripe";
import type { Incident } from "#libs/bus/incident.ts";
import { AppError, badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { AskBilling } from "../billing.ts";
import { microUsdOfCents, putCredits } from "./purchases.ts";
import { amountField, tokenField } from "./start-checkout.ts";

export interface WebhookDeps {
	ask: AskBilling;
	webhookSecret: string;
	log: Pick<Logger, "info" | "warn" | "error">;
	/** Deliveries without a valid signature, which anyone can send. */
	unsigned: Incident;
	now(): Date;
}

const toleranceSeconds = 300;

/** Handles one delivery. @throws AppError 400 without a valid signature, 503 while billing does not answer */
export async function receiveEvent(
	body: unknown,
	signature: string | string[] | undefined,
	deps: WebhookDeps,
): Promise<void> {
	await processEvent(readEvent(body, signature, deps), deps);
}

function readEvent(body: unknown, signature: string | string[] | undefined, deps: WebhookDeps): Stripe.Event {
	if (!(body instanceof Buffer) || typeof signature !== "string") throw badRequest("a signed event is expected");
	try {
		const now = deps.now().getTime();
		return Stripe.webhooks.constructEvent(body, signature, deps.webhookSecret, toleranceSeconds, undefined, now);
	} catch {
		// The error's message contains the body.
		deps.unsigned.open(undefined);
		throw badRequest("the signature is not valid, or too old");
	}
}

/** @throws AppError 503 while billing does not answer, so that the processor delivers it again */
async function processEvent(event: Stripe.Event, deps: WebhookDeps): Promise<void> {
	switch (event.type) {
		case "checkout.session.completed":
		case "checkout.session.async_payment_succeeded":
			return credit(event, event.data.object, deps);
		case "charge.refunded": {
			const { payment_intent, amount_refunded } = event.data.object;
			return reverse(event, idOf(payment_intent), { refundedCents: amount_refunded, disputedCents: 0 }, deps);
		}
		case "charge.dispute.created": {
			const { payment_intent, amount } = event.data.object;
			return reverse(event, idOf(payment_intent), { refundedCents: 0, disputedCents: amount }, deps);
		}
	}
}

/** Every purchase is in dollars, so an amount in another currency belongs to no purchase. */
async function reverse(
	event: Stripe.Event,
	paymentIntent: string | undefined,
	{ refundedCents, disputedCents }: { refundedCents: number; disputedCents: number },
	{ ask, log }: WebhookDeps,
): Promise<void> {
	if (paymentIntent === undefined) return;
	const fields = { event: event.id, type: event.type, paymentIntent };
	try {
		const reversed = await ask("reverseCredits", {
			payment_intent: paymentIntent,
			refunded_micro_usd: microUsdOfCents(refundedCents),
			disputed_micro_usd: microUsdOfCents(disputedCents),
		});
		if (reversed.spent_micro_usd > 0)
			log.warn({ ...fields, ...reversed }, "credits of a reversed payment had been spent");
		else if (reversed.voided_micro_usd > 0)
			log.info({ ...fields, ...reversed }, "credits of a reversed payment were voided");
	} catch (error) {
		if (error instanceof AppError && error.status < 500)
			return log.error({ ...fields, detail: error.message }, "credits of a reversed payment could not be voided");
		throw cannotTake();
	}
}

async function credit(event: Stripe.Event, session: Stripe.Checkout.Session, { ask, log }: WebhookDeps): Promise<void> {
	const sha256 = session.metadata?.[tokenField];
	// Another product of the account, or a delayed payment, which ends with another event.
	if (sha256 === undefined || session.payment_status !== "paid") return;
	const paymentIntent = idOf(session.payment_intent);
	const fields = { event: event.id, session: session.id, paymentIntent, amountCents: session.amount_total };
	if (paymentIntent === undefined || !session.amount_total || session.currency !== "usd") {
		log.error({ ...fields, currency: session.currency }, "a checkout was paid otherwise than requested: not credited");
		return;
	}
	const requested = session.metadata?.[amountField];
	if (requested !== String(session.amount_total))
		log.warn({ ...fields, requested }, "a checkout was paid with another amount than requested: credited as paid");
	try {
		const { credits } = await ask("readCredits", { sha256 });
		// The token belongs to another installation, or the database was restored.
		if (credits === null)
			return log.error(fields, "a checkout was paid for a token that is not known here: not credited");
		const paid = { paymentIntent, eventId: event.id, amountCents: session.amount_total };
		await putCredits(ask, { sha256, hint: credits.hint }, paid);
		log.info(fields, "a checkout was credited");
	} catch (error) {
		if (error instanceof AppError && error.status < 500)
			return log.error({ ...fields, detail: error.message }, "a checkout could not be credited");
		throw cannotTake();
	}
}

const idOf = (intent: string | Stripe.PaymentIntent | null): string | undefined =>
	typeof intent === "string" ? intent : intent?.id;

const cannotTake = () => unavailable("the event cannot be processed now: send it again", 10);
