/**
 * Signed events of the processor about checkouts, refunds and disputes. They arrive at least once, in any order; the processor repeats an
 * event for three days until it gets a 2xx. A dispute that is won restores no credits; the operator settles it with the customer.
 */
import Stripe from "stripe";
import type { Incident } from "#libs/bus/incident.ts";
import { AppError, badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { RequestBilling } from "../billing.ts";
import { microUsdOfCents, putCredits } from "./purchases.ts";
import { amountField, tokenField } from "./start-checkout.ts";

export interface WebhookDeps {
	requestBilling: RequestBilling;
	webhookSecret: string;
	log: Pick<Logger, "info" | "warn" | "error">;
	/** The incident for deliveries without a valid signature, which anyone can send. */
	unsignedIncident: Incident;
	now(): Date;
}

const toleranceSeconds = 300;

/** Handles one delivery. @throws AppError 400 without a valid signature, 503 while billing does not respond */
export async function receiveEvent(
	body: unknown,
	signature: string | string[] | undefined,
	deps: WebhookDeps,
): Promise<void> {
	await processEvent(readEvent(body, signature, deps), deps);
}

function readEvent(body: unknown, signature: string | string[] | undefined, deps: WebhookDeps): Stripe.Event {
	if (!(body instanceof Buffer) || typeof signature !== "string")
		throw badRequest("send a signed event: a body, and its signature in the header Stripe-Signature");
	try {
		const now = deps.now().getTime();
		return Stripe.webhooks.constructEvent(body, signature, deps.webhookSecret, toleranceSeconds, undefined, now);
	} catch {
		// The error is not passed on, because its message contains the body.
		deps.unsignedIncident.open(undefined);
		throw badRequest("the signature is invalid or too old");
	}
}

/** @throws AppError 503 while billing does not respond, so that the processor delivers the event again */
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

/** Voids credits after a refund or dispute. The currency is not checked, because every purchase is in dollars. */
async function reverse(
	event: Stripe.Event,
	paymentIntent: string | undefined,
	{ refundedCents, disputedCents }: { refundedCents: number; disputedCents: number },
	{ requestBilling, log }: WebhookDeps,
): Promise<void> {
	if (paymentIntent === undefined) return;
	const fields = { event: event.id, type: event.type, paymentIntent };
	try {
		const reversed = await requestBilling("reverseCredits", {
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
		throw cannotProcess();
	}
}

async function credit(
	event: Stripe.Event,
	session: Stripe.Checkout.Session,
	{ requestBilling, log }: WebhookDeps,
): Promise<void> {
	const sha256 = session.metadata?.[tokenField];
	// The checkout is for another product of the account, or its payment is delayed and will be reported by another event.
	if (sha256 === undefined || session.payment_status !== "paid") return;
	const paymentIntent = idOf(session.payment_intent);
	const fields = { event: event.id, session: session.id, paymentIntent, amountCents: session.amount_total };
	if (paymentIntent === undefined || !session.amount_total || session.currency !== "usd") {
		log.error(
			{ ...fields, currency: session.currency },
			"a paid checkout has no payment, no amount or another currency than USD: not credited",
		);
		return;
	}
	const requested = session.metadata?.[amountField];
	if (requested !== String(session.amount_total))
		log.warn(
			{ ...fields, requested },
			"a checkout was paid with an amount other than the requested one: credited as paid",
		);
	try {
		const { credits } = await requestBilling("readCredits", { sha256 });
		// The token belongs to another installation, or was lost when the database was restored.
		if (credits === null)
			return log.error(fields, "a checkout was paid for a token that is not known here: not credited");
		const paid = { paymentIntent, eventId: event.id, amountCents: session.amount_total };
		await putCredits(requestBilling, { sha256, hint: credits.hint }, paid);
		log.info(fields, "a checkout was credited");
	} catch (error) {
		if (error instanceof AppError && error.status < 500)
			return log.error({ ...fields, detail: error.message }, "a checkout could not be credited");
		throw cannotProcess();
	}
}

const idOf = (intent: string | Stripe.PaymentIntent | null): string | undefined =>
	typeof intent === "string" ? intent : intent?.id;

const cannotProcess = () => unavailable("the event cannot be processed now: send it again", 10);
