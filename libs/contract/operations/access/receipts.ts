/** The payment for one call. */
import { z } from "zod";
import { count, timestamp, usd } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { words } from "../../params.ts";
import { paymentStates, railNames } from "../../vocabulary.ts";

const receiptId = () =>
	words(1, 300).describe(
		"The `X-Request-Id` of the answer, with the key or the credit token that it was asked with; or the transaction of a payment by x402 or MPP, as its receipt names it",
	);

const receipt = z.strictObject({
	request_id: z.string().describe("`X-Request-Id` of the answer"),
	operation: z.string().describe("What was asked for, as in /openapi.json"),
	at: timestamp().describe("When it was answered, or charged"),
	paid_by: z
		.enum(["plan", ...railNames])
		.describe("plan: by a key, from the queries of its month; card: from prepaid credits"),
	queries: count().describe("Queries of the month that it took"),
	amount_usd: usd("What was charged; of one that was not charged or given back 0").min(0),
	state: z
		.enum(paymentStates)
		.nullable()
		.describe("Of the payment: settled when it is charged; released when it was given back. null by a key"),
	network: z.string().nullable().describe("Network of the payment (CAIP-2), or the processor"),
	payer: z.string().nullable().describe("Address that paid, where the payment names one"),
	reference: z.string().nullable().describe("Transaction of the payment"),
});

export const getReceipt = operation({
	owner: "gateway",
	summary:
		"What was paid for one call, when, how and for which operation: for the caller that paid; for anyone by a transaction, which is public.",
	params: z.strictObject({ receipt_id: receiptId() }),
	reply: receipt,
	http: { method: "GET", path: "/receipts/{receipt_id}", price: "free" },
	example: { receipt_id: "0x5f9c4a1b0d7e8f3a2c6b5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a" },
});

export const readReceipt = operation({
	owner: "billing",
	summary: "The receipt of a call: of an account or of credits by its request, of any other payment by its reference.",
	params: z.strictObject({
		receipt_id: words(1, 300),
		account_id: z.int().min(1).nullable(),
		credits_sha256: z
			.string()
			.regex(/^[0-9a-f]{64}$/)
			.nullable(),
	}),
	reply: z.strictObject({ receipt: receipt.nullable() }),
});
