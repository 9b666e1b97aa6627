/** Charging an authorization that is stored, and what the facilitator's answer means for the money. */
import { encodePaymentResponseHeader } from "@x402/core/http";
import { type PaymentPayload, type PaymentRequirements, SettleError, type SettleResponse } from "@x402/core/types";
import { z } from "zod";
import type { Settlement } from "../rail.ts";
import type { FacilitatorClient } from "./facilitator.ts";
import type { Authorization } from "./payload.ts";
import { faultOf, isCode, nonceUsed, tookNothing } from "./reasons.ts";

/** What `validate` stores: enough for any replica to charge it, or to ask the chain. It is a credential. */
export interface Stored {
	paymentPayload: PaymentPayload & { payload: { signature: string; authorization: Authorization } };
	paymentRequirements: PaymentRequirements;
}

/** Our own JSON from the ledger: only what is read here is looked at. */
const storedShape = z.looseObject({
	paymentPayload: z.looseObject({ payload: z.looseObject({ authorization: z.looseObject({ nonce: z.string() }) }) }),
	paymentRequirements: z.looseObject({ network: z.string(), asset: z.string() }),
});

/** Undefined for what is none. */
export function readStored(stored: string): Stored | undefined {
	try {
		const read: unknown = JSON.parse(stored);
		return storedShape.safeParse(read).success ? (read as Stored) : undefined;
	} catch {
		return undefined;
	}
}

/** What came of asking for a charge, before it is decided what follows from it. */
export type Charged =
	| { kind: "charged"; transaction: string; response: SettleResponse }
	/** Refused with a code, nothing having been sent on the way there. */
	| { kind: "refused"; code: string }
	/** The token says that the authorization was used or cancelled. */
	| { kind: "nonce used" }
	| { kind: "unknown"; fault: string };

/**
 * Asks once. Not by the package's resource server: that one asks again by itself when a charge is pending, and shows only the second
 * answer, which may be a refusal although the first transaction is under way. Never throws.
 */
export async function chargeOnce(facilitator: FacilitatorClient, stored: Stored): Promise<Charged> {
	let response: SettleResponse;
	try {
		response = await facilitator.settle(stored.paymentPayload, stored.paymentRequirements);
	} catch (error) {
		// A facilitator that answers 4xx with its verdict has answered; one that answers 5xx with it is not sure of itself.
		if (!(error instanceof SettleError) || error.statusCode >= 500) return { kind: "unknown", fault: faultOf(error) };
		return failureOf(error.errorReason, error.transaction);
	}
	if (!response.success) return failureOf(response.errorReason, response.transaction);
	if (isTransaction(response.transaction)) return { kind: "charged", transaction: response.transaction, response };
	return { kind: "unknown", fault: "charged, without a transaction" };
}

function failureOf(code = "", transaction = ""): Charged {
	// With a transaction something was sent, whatever the code says.
	if (transaction !== "") return { kind: "unknown", fault: isCode(code) ? code : "failed" };
	if (code === nonceUsed) return { kind: "nonce used" };
	if (tookNothing(code)) return { kind: "refused", code };
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

/** `PAYMENT-RESPONSE`: what of a settlement concerns the caller. */
export function receiptOf({
	success = true,
	errorReason,
	transaction,
	network,
	payer,
}: Pick<SettleResponse, "transaction" | "network"> & Partial<SettleResponse>): Record<string, string> {
	const said: SettleResponse = {
		success,
		// A settlement without a known transaction has another reference.
		transaction: isTransaction(transaction) ? transaction : "",
		network,
		...(payer === undefined ? {} : { payer }),
		...(errorReason === undefined ? {} : { errorReason }),
	};
	return { "PAYMENT-RESPONSE": encodePaymentResponseHeader(said) };
}

export const payerOf = ({ paymentPayload }: Stored): string => paymentPayload.payload.authorization.from;

const isTransaction = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text);
