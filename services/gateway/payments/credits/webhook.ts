/**
 * What the processor reports of checkouts, signed: at least once, in any order, for three days until it is answered below 300. Refunds
 * and disputes are not read: an operator settles those by hand.
 */
import Stripe from "stripe";
import { AppError, badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { AskBilling } from "../billing.ts";
import { putCredits } from "./put-credits.ts";
import { amountField, tokenField } from "./start-checkout.ts";

export interface WebhookDeps {
	ask: AskBilling;
	webhookSecret: string;
	log: Pick<Logger, "info" | "warn" | "error">;
	now(): Date;
}

const toleranceSeconds = 300;

/**
 * Takes one delivery of the webhook: the body as it came, and the header of its signature.
 * @throws AppError 400 for one that is not signed, 503 while billing is away
 */
export async function receiveEvent(
	body: unknown,
	signature: string | string[] | undefined,
	deps: WebhookDeps,
): Promise<void> {
	await take(readEvent(body, signature, deps), deps);
}

function readEvent(body: unknown, signature: string | string[] | undefined, deps: WebhookDeps): Stripe.Event {
	if (!(body instanceof Buffer) || typeof signature !== "string") throw badRequest("a signed event is expected");
	try {
		const now = deps.now().getTime();
		return Stripe.webhooks.constructEvent(body, signature, deps.webhookSecret, toleranceSeconds, undefined, now);
	} catch {
		// Its message repeats the body.
		deps.log.warn("a webhook without a good signature was refused");
		throw badRequest("the signature is not good, or too old");
	}
}

/** @throws AppError 503 while billing is away: the processor delivers it again. */
async function take(event: Stripe.Event, { ask, log }: WebhookDeps): Promise<void> {
	if (event.type !== "checkout.session.completed" && event.type !== "checkout.session.async_payment_succeeded") return;
	const session = event.data.object;
	const sha256 = session.metadata?.[tokenField];
	// Another product of the same account, or a payment that takes days: its end is another event.
	if (sha256 === undefined || session.payment_status !== "paid") return;
	const paymentIntent =
		typeof session.payment_intent === "string" ? session.payment_intent : session.payment_intent?.id;
	const fields = { event: event.id, session: session.id, paymentIntent, amountCents: session.amount_total };
	if (paymentIntent === undefined || !session.amount_total || session.currency !== "usd") {
		log.error(
			{ ...fields, currency: session.currency },
			"a checkout was paid otherwise than it was asked for: not credited",
		);
		return;
	}
	const asked = session.metadata?.[amountField];
	if (asked !== String(session.amount_total))
		log.warn({ ...fields, asked }, "a checkout was paid with another amount than was asked for: credited as paid");
	try {
		const { credits } = await ask("readCredits", { sha256 });
		// Of another installation, or of a database that was set back.
		if (credits === null)
			return log.error(fields, "a checkout was paid for a token that is not known here: not credited");
		const paid = { paymentIntent, eventId: event.id, amountCents: session.amount_total };
		await putCredits(ask, { sha256, hint: credits.hint }, paid);
		log.info(fields, "a checkout was credited");
	} catch (error) {
		if (error instanceof AppError && error.status < 500)
			return log.error({ ...fields, detail: error.message }, "a checkout could not be credited");
		throw unavailable("the credits cannot be put on now; tell it again", 10);
	}
}
