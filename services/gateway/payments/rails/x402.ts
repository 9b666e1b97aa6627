/**
 * x402, version 2: the caller signs an EIP-3009 authorization for the price in USDC, and the facilitator submits it. A 402 needs no network
 * request: requirements are made once for each price, after the facilitator's first response. The signature does not cover what is bought, so
 * services must not share X402_PAY_TO: a caller could send the same authorization to both.
 */
import { type Network, type PaymentRequirements, VerifyError, type VerifyResponse } from "@x402/core/types";
import { badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import { type Charge, type Checked, type Offer, PaymentRefused, type Rail, type Settlement } from "./rail.ts";
import { readChain } from "./x402/chain.ts";
import { chargeOnce, failed, readStored, receiptOf, reconcile, type Stored, settled } from "./x402/charge.ts";
import { extensionsOf, mediaTypeOf } from "./x402/extensions.ts";
import {
	becomeReady,
	type FacilitatorClient,
	facilitatorAt,
	maxTimeoutSeconds,
	type Ready,
} from "./x402/facilitator.ts";
import { claimIn, identifierIn, type Payment, readPayment, samePath } from "./x402/payload.ts";
import { describeCode, faultOf, nonceUsed } from "./x402/reasons.ts";

export type X402Config = Pick<
	Config,
	| "X402_PAY_TO"
	| "X402_FACILITATOR_URL"
	| "X402_FACILITATOR_TOKEN"
	| "X402_NETWORK"
	| "X402_RPC_URL"
	| "X402_TIMEOUT_MS"
>;

export interface X402Options {
	config: X402Config;
	log: Pick<Logger, "info" | "warn">;
	now?: () => Date;
	/** A facilitator in this process, used instead of X402_FACILITATOR_URL. */
	facilitator?: FacilitatorClient | undefined;
	/** First pause before the next request to the facilitator (ms). */
	retryMs?: number;
}

/**
 * Maximum length of `resource.url` (characters). The query of a longer URL is omitted, because the payment repeats the URL in a header, and
 * proxies accept only 8 KB of headers.
 */
const maxUrlCharacters = 1_000;
/** The contract's limit for `stored`. */
const maxStoredCharacters = 20_000;
/** An authorization may be valid for this much longer than offered. An outcome can remain unknown until the authorization expires. */
const extraValiditySeconds = 3_600;
/** Minimum remaining validity, for the handler and the charge, as facilitators require. */
const minValiditySeconds = 6;

export function openX402(options: X402Options): Rail & AsyncDisposable {
	const { config, log, now = () => new Date(), retryMs = 500 } = options;
	const { X402_PAY_TO: payTo, X402_FACILITATOR_URL: url, X402_TIMEOUT_MS: timeoutMs } = config;
	if (payTo === undefined) throw new Error("X402_PAY_TO is missing");
	const facilitator =
		options.facilitator ??
		facilitatorAt({ url: required("X402_FACILITATOR_URL", url), token: config.X402_FACILITATOR_TOKEN, timeoutMs });
	const network = config.X402_NETWORK as Network;
	const readFate = readChain(required("X402_RPC_URL", config.X402_RPC_URL), timeoutMs);
	const readiness = becomeReady({ facilitator, network, payTo, log, retryMs });

	return {
		name: "x402",
		async offer(charge) {
			const requirements = await readiness.ready()?.requirementsFor(charge.amountMicroUsd);
			return requirements === undefined ? undefined : offerOf(charge, requirements);
		},
		read(headers) {
			if (headers["x-payment"] !== undefined)
				throw badRequest("the header X-PAYMENT belongs to version 1 of x402: send PAYMENT-SIGNATURE of version 2");
			const sent = headers["payment-signature"];
			if (sent === undefined) return undefined;
			// Node.js joins repeated headers with a comma, which base64 does not contain.
			if (Array.isArray(sent) || sent.includes(",")) throw badRequest("PAYMENT-SIGNATURE was sent more than once");
			if (sent === "") throw badRequest("PAYMENT-SIGNATURE is empty");
			return sent;
		},
		identifierOf: (credential) => identifierIn(readPayment(credential)),
		async validate(credential, charge) {
			const payment = readPayment(credential);
			const ready = readiness.ready();
			if (ready === undefined) throw cannotCheck();
			const { stored, checked } = await matchOffer(ready, payment, charge, now());
			await verify(ready, stored, log);
			return checked;
		},
		claimOf(credential) {
			const payment = readPayment(credential);
			return claimIn(payment, payment.accepted);
		},
		settle: (stored) => settle(facilitator, stored),
		async reconcile(text, ageSeconds) {
			const stored = readStored(text);
			if (stored === undefined) return { outcome: "unknown", reason: "the stored payment cannot be parsed" };
			return reconcile(stored, ageSeconds, { readFate, log });
		},
		receipt: (reference) => receiptOf({ transaction: reference, network }),
		async [Symbol.asyncDispose]() {
			readiness[Symbol.dispose]();
		},
	};
}

function required(name: string, url: string | undefined): string {
	if (url === undefined) throw new Error(`${name} is missing`);
	return url;
}

function offerOf(charge: Charge, requirements: PaymentRequirements): Offer {
	const terms = {
		x402Version: 2,
		resource: resourceOf(charge),
		accepts: [requirements],
		extensions: extensionsOf(charge.operation),
	};
	return {
		// Encoded without the package, whose encoder takes ten times as long.
		headers: { "PAYMENT-REQUIRED": Buffer.from(JSON.stringify(terms)).toString("base64") },
		body: terms,
		hint: {
			how: "Sign one of `accepts` (EIP-3009 transferWithAuthorization, no gas needed) and send the payload as PAYMENT-SIGNATURE, base64 of JSON; @x402/fetch does both",
			protocol: "x402 version 2",
			network: requirements.network,
			asset: requirements.asset,
			amount: requirements.amount,
			pay_to: requirements.payTo,
		},
	};
}

function resourceOf({ url, description, operation }: Charge): { url: string; description: string; mimeType: string } {
	const short = url.length > maxUrlCharacters ? url.replace(/[?#].*/s, "") : url;
	return { url: short, description, mimeType: mediaTypeOf(operation) };
}

async function matchOffer(
	{ server, requirementsFor }: Ready,
	payment: Payment,
	charge: Charge,
	now: Date,
): Promise<{ stored: Stored; checked: Checked }> {
	const { payload, resource } = payment;
	const offered = await requirementsFor(charge.amountMicroUsd);
	const accepted = { ...payment.accepted, network: payment.accepted.network as Network };
	const requirements = server.findMatchingRequirements([offered], { x402Version: 2, accepted, payload });
	if (requirements === undefined) throw new PaymentRefused("its terms were not offered here");
	if (resource === undefined || !samePath(resource.url, charge.url))
		throw new PaymentRefused("it was made for another resource");
	const { to, value, validAfter, validBefore } = payload.authorization;
	// The facilitator checks the following, too, but a check here saves a request.
	if (to.toLowerCase() !== requirements.payTo.toLowerCase()) throw new PaymentRefused("it pays another recipient");
	if (value !== requirements.amount) throw new PaymentRefused("its amount is not the price");
	const seconds = Math.floor(now.getTime() / 1000);
	if (BigInt(validAfter) > BigInt(seconds)) throw new PaymentRefused("it is not valid yet");
	if (BigInt(validBefore) < BigInt(seconds + minValiditySeconds))
		throw new PaymentRefused("it has expired or is about to");
	if (BigInt(validBefore) > BigInt(seconds + maxTimeoutSeconds + extraValiditySeconds))
		throw new PaymentRefused(`it is valid for longer than ${maxTimeoutSeconds + extraValiditySeconds} seconds`);
	const stored = {
		paymentPayload: {
			x402Version: 2,
			resource: resourceOf(charge),
			accepted: requirements,
			payload,
			// `bazaar` is for the facilitator's list of resources, which contains only HTTP calls.
			extensions: charge.url.startsWith("mcp:") ? {} : { bazaar: extensionsOf(charge.operation).bazaar },
		},
		paymentRequirements: requirements,
	};
	const text = JSON.stringify(stored);
	if (text.length > maxStoredCharacters) throw new PaymentRefused("it is too long");
	return { stored, checked: { ...claimIn(payment, requirements), stored: text } };
}

/** Verifies a payment at the facilitator. @throws PaymentRefused; AppError 503 if the facilitator does not respond */
async function verify(ready: Ready, stored: Stored, log: Pick<Logger, "warn">): Promise<void> {
	let verdict: Pick<VerifyResponse, "isValid" | "invalidReason">;
	try {
		verdict = await ready.server.verifyPayment(stored.paymentPayload, stored.paymentRequirements);
	} catch (error) {
		if (!(error instanceof VerifyError) || error.statusCode >= 500) {
			log.warn({ rail: "x402", fault: faultOf(error) }, "a payment could not be checked");
			throw cannotCheck();
		}
		throw new PaymentRefused(describeCode(error.invalidReason));
	}
	if (!verdict.isValid) throw new PaymentRefused(describeCode(verdict.invalidReason));
}

const cannotCheck = () => unavailable("the payment cannot be checked at the moment: nothing is charged", 5);

async function settle(facilitator: FacilitatorClient, text: string): Promise<Settlement> {
	const stored = readStored(text);
	if (stored === undefined) return { outcome: "unknown", reason: "the stored payment cannot be parsed" };
	const charged = await chargeOnce(facilitator, stored);
	switch (charged.kind) {
		case "charged":
			return settled(stored, charged.transaction, charged.response);
		case "refused":
			return failed(stored, charged.code, describeCode(charged.code));
		case "nonce used":
			// Another party obtained the authorization and has used it since it was verified, perhaps to pay us.
			return { outcome: "unknown", reason: describeCode(nonceUsed) };
		case "unknown":
			return { outcome: "unknown", reason: charged.fault };
	}
}
