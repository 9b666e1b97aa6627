/** Charges a stored authorization, and finds the outcome if the response was lost. A payment that may have been charged is never released. */
import { encodePaymentResponseHeader } from "@x402/core/http";
import { type PaymentPayload, type PaymentRequirements, SettleError, type SettleResponse } from "@x402/core/types";
import { z } from "zod";
import type { Logger } from "#libs/service/logger.ts";
import type { Settlement } from "../rail.ts";
import type { readChain } from "./chain.ts";
import type { FacilitatorClient } from "./facilitator.ts";
import type { Authorization } from "./payload.ts";
import { faultOf, isCode, isUncharged, nonceUsed } from "./reasons.ts";

/** The stored payment, with which any replica can charge the payment or find its outcome on the chain. It is a credential. */
export interface Stored {
	paymentPayload: PaymentPayload & { payload: { signature: string; authorization: Authorization } };
	paymentRequirements: PaymentRequirements;
}

/** The fields that are read. Other fields are not validated, because the ledger returns JSON that this service wrote. */
const storedShape = z.looseObject({
	paymentPayload: z.looseObject({ payload: z.looseObject({ authorization: z.looseObject({ nonce: z.string() }) }) }),
	paymentRequirements: z.looseObject({ network: z.string(), asset: z.string() }),
});

/** Parses a stored payment; undefined if the text is not one. */
export function readStored(stored: string): Stored | undefined {
	try {
		const value: unknown = JSON.parse(stored);
		return storedShape.safeParse(value).success ? (value as Stored) : undefined;
	} catch {
		return undefined;
	}
}

/** The facilitator's response to a charge. */
export type Charged =
	| { kind: "charged"; transaction: string; response: SettleResponse }
	/** Refused before anything was sent to the chain. */
	| { kind: "refused"; code: string }
	/** The token reports the authorization as used or canceled. */
	| { kind: "nonce used" }
	| { kind: "unknown"; fault: string };

/**
 * Requests the charge once. The package's server is not used, because it repeats a pending charge and returns only the second response, which
 * may be a refusal although the first transaction succeeds. Never throws.
 */
export async function chargeOnce(facilitator: FacilitatorClient, stored: Stored): Promise<Charged> {
	let response: SettleResponse;
	try {
		response = await facilitator.settle(stored.paymentPayload, stored.paymentRequirements);
	} catch (error) {
		// A 4xx response with a verdict is final, a 5xx response is not.
		if (!(error instanceof SettleError) || error.statusCode >= 500) return { kind: "unknown", fault: faultOf(error) };
		return failureOf(error.errorReason, error.transaction);
	}
	if (!response.success) return failureOf(response.errorReason, response.transaction);
	if (isTransaction(response.transaction)) return { kind: "charged", transaction: response.transaction, response };
	return { kind: "unknown", fault: "the facilitator reports a charge without a transaction" };
}

function failureOf(code = "", transaction = ""): Charged {
	// If there is a transaction, something was sent to the chain, whatever the code is.
	if (transaction !== "") return { kind: "unknown", fault: isCode(code) ? code : "failed" };
	if (code === nonceUsed) return { kind: "nonce used" };
	if (isUncharged(code)) return { kind: "refused", code };
	return { kind: "unknown", fault: isCode(code) ? code : "failed" };
}

export const settled = (
	stored: Stored,
	transaction: string,
	response: Partial<SettleResponse> = {},
): Extract<Settlement, { outcome: "settled" }> => ({
	outcome: "settled",
	reference: transaction,
	headers: receiptOf({ ...response, transaction, network: stored.paymentRequirements.network, payer: payerOf(stored) }),
});

export const failed = (stored: Stored, code: string, reason: string): Settlement => ({
	outcome: "failed",
	reason,
	headers: receiptOf({
		success: false,
		errorReason: code,
		transaction: "",
		network: stored.paymentRequirements.network,
		payer: payerOf(stored),
	}),
});

/** The header `PAYMENT-RESPONSE`: the part of a settlement that concerns the caller. */
export function receiptOf({
	success = true,
	errorReason,
	transaction,
	network,
	payer,
}: Pick<SettleResponse, "transaction" | "network"> & Partial<SettleResponse>): Record<string, string> {
	const receipt: SettleResponse = {
		success,
		// The reference of a settlement is not a hash if the transaction is unknown.
		transaction: isTransaction(transaction) ? transaction : "",
		network,
		...(payer === undefined ? {} : { payer }),
		...(errorReason === undefined ? {} : { errorReason }),
	};
	return { "PAYMENT-RESPONSE": encodePaymentResponseHeader(receipt) };
}

export const payerOf = ({ paymentPayload }: Stored): string => paymentPayload.payload.authorization.from;

const isTransaction = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text);

export interface ReconcileOptions {
	readFate: ReturnType<typeof readChain>;
	log: Pick<Logger, "warn">;
}

const unknownOutcome = (reason: string): Settlement => ({ outcome: "unknown", reason });

export async function reconcile(stored: Stored, ageSeconds: number, options: ReconcileOptions): Promise<Settlement> {
	const { readFate, log } = options;
	try {
		const { asset } = stored.paymentRequirements as { asset: `0x${string}` };
		const fate = await readFate({ asset, authorization: stored.paymentPayload.payload.authorization, ageSeconds });
		switch (fate.kind) {
			case "paid":
				return settled(stored, fate.transaction);
			case "spent otherwise":
				return failed(
					stored,
					"authorization_spent_otherwise",
					"the authorization was cancelled or spent on something else",
				);
			case "expired":
				return failed(stored, "authorization_expired_unused", "the authorization expired before it was charged");
			case "open":
				// Not charged again, because the caller may no longer be waiting. It expires in a few minutes.
				return unknownOutcome("the authorization has not been used, but still can be");
			case "unclear":
				log.warn(
					{ rail: "x402", ...paymentKeys(stored) },
					"an authorization was used for an unknown purpose: an operator must investigate",
				);
				return unknownOutcome("the authorization was used for an unknown purpose");
		}
	} catch (error) {
		return unknownOutcome(`the chain could not be read: ${faultOf(error)}`);
	}
}

/** The values by which an operator can find the payment on the chain. They are not secret. */
function paymentKeys({ paymentPayload }: Stored): { payer: string; nonce: string } {
	const { from, nonce } = paymentPayload.payload.authorization;
	return { payer: from, nonce };
}
