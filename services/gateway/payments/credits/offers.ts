/** Challenges for purchases of credits (MPP, stripe/charge), and the payments that clients send for them. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Challenge, Receipt } from "mppx";
import { Mppx } from "mppx/server/core";
import { stripe as stripeMethods } from "mppx/stripe/server/spt";
import type Stripe from "stripe";
import { z } from "zod";
import { digestOf } from "#libs/contract/key.ts";
import { creditAmountsUsd } from "#libs/contract/vocabulary.ts";
import { PaymentChallenge } from "../challenge.ts";
import { decodePayment, problem, readPaymentCredential } from "../rails/mpp-credential.ts";
import { PaymentRefused } from "../rails/rail.ts";

export interface OffersOptions {
	stripe: Stripe;
	realm: string;
	secretKey: string;
	/** Our Stripe profile ID (`STRIPE_NETWORK_ID`), to which shared payment tokens are issued. */
	networkId: string;
	now(): Date;
}

/** A payment that has been verified: it is for a challenge that we issued for this amount. Nothing is charged yet. */
export interface Presented {
	challengeId: string;
	expiresAt: Date;
	sharedPaymentToken: string;
	credentialSha256: string;
}

export interface Offers {
	/** The 402 for a purchase. `refused`: why its payment was not accepted. */
	challenge(amountUsd: number, refused?: PaymentRefused): Promise<PaymentChallenge>;
	/** The verified payment of a request; undefined if there is none. @throws PaymentRefused; AppError 400 for several payments */
	read(headers: IncomingHttpHeaders, amountUsd: number): Promise<Presented | undefined>;
}

const scope = "POST /credits";
const challengeLifeMs = 5 * 60_000;
const payload = z.object({ spt: z.string().min(1).max(500) });
const opaque = z.object({ purchase: z.string().min(1).max(64) });

export function creditOffers({ stripe, realm, secretKey, networkId, now }: OffersOptions): Offers {
	const mppx = Mppx.create({
		realm,
		secretKey,
		methods: [
			stripeMethods.charge({
				client: stripe,
				networkId,
				currency: "usd",
				decimals: 2,
				paymentMethodTypes: ["card"],
			}),
		],
	});
	/** `purchase` is random, because two buyers in the same millisecond would otherwise get the same challenge. */
	const issue = (amountUsd: number, expires: string, purchase: string) =>
		mppx.challenge.stripe.charge({
			amount: String(amountUsd),
			scope,
			expires,
			meta: { purchase },
			description: "Credits",
		});

	return {
		async challenge(amountUsd, refused) {
			const expires = new Date(now().getTime() + challengeLifeMs).toISOString();
			const offered = await issue(amountUsd, expires, randomBytes(16).toString("base64url"));
			const price = `$${amountUsd} of credits are paid by card: answer the challenge with a shared payment token (MPP, stripe/charge)`;
			return new PaymentChallenge(
				refused === undefined ? price : `the payment was not accepted: ${refused.message}. ${price}`,
				refused?.problem ?? problem("payment-required"),
				{ "www-authenticate": Challenge.serialize(offered) },
				{
					price_usd: amountUsd,
					rails: { card: { method: "stripe", intent: "charge", checkout: checkoutHint } },
				},
			);
		},
		async read(headers, amountUsd) {
			const payment = readPaymentCredential(headers);
			if (payment === undefined) return undefined;
			const { challenge, payload: sentPayload } = decodePayment(payment.credential);
			const purchase = purchaseOf(challenge.opaque);
			const expiresAt = new Date(challenge.expires ?? Number.NaN);
			if (purchase === undefined || Number.isNaN(expiresAt.getTime())) throw foreignChallenge();
			// A challenge's id is a keyed hash of its content, so an equal id proves that the challenge is ours and for this purchase.
			const ours = await issue(amountUsd, expiresAt.toISOString(), purchase);
			if (!equalInConstantTime(ours.id, challenge.id) || !Challenge.verify(challenge, { secretKey }))
				throw foreignChallenge();
			const token = payload.safeParse(sentPayload);
			if (!token.success)
				throw new PaymentRefused(
					"the credential contains no shared payment token",
					{},
					problem("malformed-credential"),
				);
			return {
				challengeId: challenge.id,
				expiresAt,
				sharedPaymentToken: token.data.spt,
				credentialSha256: digestOf(payment.credential),
			};
		},
	};
}

const foreignChallenge = () =>
	new PaymentRefused(
		"the credential does not match a challenge issued for this purchase",
		{},
		problem("invalid-challenge"),
	);

function purchaseOf(text: string | undefined): string | undefined {
	try {
		return opaque.parse(JSON.parse(Buffer.from(text ?? "", "base64url").toString())).purchase;
	} catch {
		return undefined;
	}
}

function equalInConstantTime(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

export const receiptOf = (paymentIntent: string, at: Date): Record<string, string> => ({
	"payment-receipt": Receipt.serialize(
		Receipt.from({ method: "stripe", status: "success", timestamp: at.toISOString(), reference: paymentIntent }),
	),
});

/** Tells programs that a person can buy credits on the processor's page. */
export const checkoutHint = { method: "POST", path: "/credits/checkout", body: { amount_usd: [...creditAmountsUsd] } };
