/** The card processor (Stripe): charges shared payment tokens, finds charges, and describes failures without secrets. */
import Stripe from "stripe";
import type { StorableToken } from "./token.ts";

export interface StripeOptions {
	secretKey: string;
	/** Address of another server that stands in for the processor. */
	apiUrl?: string | undefined;
	timeoutMs?: number;
}

export function connectStripe({ secretKey, apiUrl, timeoutMs = 6_000 }: StripeOptions): Stripe {
	const url = apiUrl === undefined ? undefined : new URL(apiUrl);
	return new Stripe(secretKey, {
		// With `fetch` the timeout covers the whole request; with `node:http` it restarts with each byte, and a response 101 never ends.
		httpClient: Stripe.createFetchHttpClient(),
		timeout: timeoutMs,
		maxNetworkRetries: 1,
		telemetry: false,
		...(url !== undefined && {
			host: url.hostname,
			port: url.port || (url.protocol === "http:" ? "80" : "443"),
			protocol: url.protocol === "http:" ? ("http" as const) : ("https" as const),
		}),
	});
}

export interface TokenCharge {
	challengeId: string;
	sharedPaymentToken: string;
	amountCents: number;
	token: StorableToken;
}

export type Charged =
	| { outcome: "settled"; paymentIntent: string; amountCents: number; token: StorableToken }
	/** Not charged, now or later. */
	| { outcome: "failed"; reason: string }
	| { outcome: "unknown"; reason: string };

/** A preview version of the API, because only a preview has shared payment tokens. */
const previewVersion = "2026-07-29.preview";
/** Metadata that identifies a charge and its token. */
const challengeField = "mpp_challenge_id";
const sha256Field = "credits_sha256";
const hintField = "credits_hint";

/**
 * Charges a shared payment token. A repetition for the same challenge within a day does not charge again: the processor returns its first
 * response, and refuses a different token for the same challenge. Never throws.
 */
export async function chargeToken(stripe: Stripe, charge: TokenCharge): Promise<Charged> {
	const params: Stripe.PaymentIntentCreateParams & { shared_payment_granted_token: string } = {
		amount: charge.amountCents,
		currency: "usd",
		confirm: true,
		automatic_payment_methods: { enabled: true, allow_redirects: "never" },
		metadata: {
			machine_payment: "true",
			mpp_intent: "charge",
			[challengeField]: charge.challengeId,
			[sha256Field]: charge.token.sha256,
			[hintField]: charge.token.hint,
		},
		shared_payment_granted_token: charge.sharedPaymentToken,
	};
	try {
		const intent = await stripe.paymentIntents.create(params, {
			apiVersion: previewVersion,
			idempotencyKey: `mpp_${charge.challengeId}`,
		});
		return await readIntent(stripe, intent);
	} catch (error) {
		return readFailure(error);
	}
}

/** No request repeats a charge later than this; `buyCredits` stops earlier. */
const latestChargeSeconds = 3_600;
const maxIntents = 10_000;

/**
 * Finds the outcome of a charge without repeating it. The list is exact, unlike the processor's search, which may lag by minutes: a charge
 * that is not listed after an hour was never made. Never throws.
 */
export async function findCharge(
	stripe: Stripe,
	{ challengeId, begunAt }: { challengeId: string; begunAt: Date },
	ageSeconds: number,
): Promise<Charged> {
	const begun = Math.floor(begunAt.getTime() / 1000);
	try {
		let read = 0;
		const created = { gte: begun - 300, lte: begun + latestChargeSeconds };
		for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) {
			if (intent.metadata[challengeField] === challengeId) return await readIntent(stripe, intent);
			if (++read >= maxIntents)
				return { outcome: "unknown", reason: `there are more than ${maxIntents} charges to search` };
		}
	} catch (error) {
		return { outcome: "unknown", reason: describeFailure(error) };
	}
	if (ageSeconds > latestChargeSeconds) return { outcome: "failed", reason: "the charge was never made" };
	return { outcome: "unknown", reason: "the processor does not know the charge yet" };
}

async function readIntent(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Charged> {
	switch (intent.status) {
		case "succeeded":
			return {
				outcome: "settled",
				paymentIntent: intent.id,
				amountCents: intent.amount_received,
				token: tokenOf(intent),
			};
		case "requires_action":
		case "requires_confirmation":
			return cancel(stripe, intent.id);
		case "requires_payment_method":
			// Without an error, the charge may still be in progress, so it is canceled.
			if (intent.last_payment_error === null) return cancel(stripe, intent.id);
			return { outcome: "failed", reason: "the card was declined" };
		case "canceled":
			return {
				outcome: "failed",
				reason: "the card requires authentication by its holder, or the payment was canceled",
			};
		default:
			return { outcome: "unknown", reason: `the charge is ${intent.status}` };
	}
}

const tokenOf = ({ metadata }: Stripe.PaymentIntent): StorableToken => ({
	sha256: metadata[sha256Field] ?? "",
	hint: metadata[hintField] ?? "",
});

/** Cancels a charge that needs authentication: an agent cannot authenticate, and an open charge could be completed after the agent has given up. */
async function cancel(stripe: Stripe, id: string): Promise<Charged> {
	try {
		await stripe.paymentIntents.cancel(id);
		return { outcome: "failed", reason: "the card requires authentication by its holder, which an agent cannot do" };
	} catch (error) {
		return { outcome: "unknown", reason: `an unconfirmed charge could not be canceled: ${describeFailure(error)}` };
	}
}

/**
 * Converts an error to an outcome. Only a decision of the processor on this charge is final. After any other error, even a refused API key, the
 * outcome is unknown, because the request may repeat an attempt that charged the card although its response was lost.
 */
function readFailure(error: unknown): Charged {
	if (error instanceof Stripe.errors.StripeCardError) {
		const code = wordOf(error.decline_code) ?? wordOf(error.code);
		return { outcome: "failed", reason: `the card was declined${code === undefined ? "" : ` (${code})`}` };
	}
	if (error instanceof Stripe.errors.StripeInvalidRequestError) {
		const code = wordOf(error.code);
		return {
			outcome: "failed",
			reason: `the shared payment token was not accepted${code === undefined ? "" : ` (${code})`}`,
		};
	}
	return { outcome: "unknown", reason: describeFailure(error) };
}

/** Describes an error for logs, without the processor's messages, which contain tokens, and without its error objects, which contain payments. */
export function describeFailure(error: unknown): string {
	if (!(error instanceof Stripe.errors.StripeError)) return error instanceof Error ? error.name : "not an error";
	const parts = [error.type, error.statusCode, wordOf(error.code), wordOf(error.requestId)];
	return parts.filter((part) => part !== undefined).join(" ");
}

const wordOf = (text: unknown): string | undefined =>
	typeof text === "string" && /^[A-Za-z0-9_]{1,60}$/.test(text) ? text : undefined;
