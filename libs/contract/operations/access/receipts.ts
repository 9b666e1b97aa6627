/** The price of a call before it is made, and its receipt afterwards. */
import { z } from "zod";
import { count, keyed, sha256, timestamp, usd } from "../../envelopes.ts";
import { billingOperation, gatewayOperation } from "../../operation.ts";
import { words } from "../../params.ts";
import { paymentStates, prices, railNames } from "../../vocabulary.ts";

const railPrice = z.strictObject({
	price_usd: usd("Price of this call, paid this way").min(0),
	currency: z.string().describe("Currency: `USDC`, the address of a token, or `USD`"),
});

export const quote = gatewayOperation({
	summary: "Price and size of a call before it is made. Free; nothing is reserved.",
	params: z.strictObject({
		operation: words(1, 100).describe(
			"By its name: `operationId` of /openapi.json (`listProjects`), or the tool's (`list_projects`)",
		),
		params: z
			.record(z.string(), z.unknown(), { error: "must be an object: the parameters by name" })
			.default({})
			.describe(
				"Parameters of the call by name, including those of its path: text, numbers, booleans or lists. They are validated as in the call",
			),
	}),
	reply: z.strictObject({
		operation: z.string(),
		endpoint: z.string().describe("Method and path: `GET /projects`"),
		tier: z.enum(prices).describe("Price tier, as in /pricing-info"),
		price_usd: usd("Price of the call without a key, if the server takes payments").min(0),
		rails: keyed(railNames, railPrice.nullable()).describe(
			"Price by payment rail; null if this call cannot be paid that way",
		),
		queries: count().describe("Queries of the month that the call costs with a key"),
		needs_key: z.boolean().describe("Whether the call requires a key"),
		rows: count().nullable().describe("Rows of the response at the current data; null: see `size_note`"),
		bytes: count().nullable().meta({
			description: "Uncompressed bytes of the response at the current data; null: see `size_note`",
			"x-unit": "bytes",
		}),
		size_note: z.string().nullable().describe("Why `rows` or `bytes` is unknown; null if both are known"),
		quoted_at: timestamp().describe("When it was quoted"),
		valid_until: timestamp().describe("The price is valid until then; rows and bytes are those of the current data"),
	}),
	http: { method: "POST", path: "/quote", price: "free", perMinute: 60, readsByPost: true },
	example: { operation: "listProjects", params: { state: "TX", per_page: "100" } },
});

const receiptId = () =>
	words(1, 300).describe(
		"`X-Request-Id` of the response, sent with the key or credit token of that request; or the transaction in the receipt of a payment by x402 or MPP",
	);

const receipt = z.strictObject({
	request_id: z.string().describe("`X-Request-Id` of the response"),
	operation: z.string().describe("Operation of the call, as in /openapi.json"),
	at: timestamp().describe("When the call was answered or charged"),
	paid_by: z
		.enum(["plan", ...railNames])
		.describe("plan: by a key, from the queries of its month; card: from prepaid credits"),
	queries: count().describe("Queries of the month that the call cost"),
	amount_usd: usd("Amount charged; 0 if nothing was charged or the amount was refunded").min(0),
	state: z
		.enum(paymentStates)
		.nullable()
		.describe("State of the payment: settled when charged, released when refunded; null for a call with a key"),
	network: z.string().nullable().describe("Network of the payment (CAIP-2), or the processor"),
	payer: z.string().nullable().describe("Address that paid, if the payment names one"),
	reference: z.string().nullable().describe("Transaction of the payment"),
});

export const getReceipt = gatewayOperation({
	summary:
		"The payment for one call: amount, time, rail and operation. For the caller that paid; by transaction, which is public, for everyone.",
	params: z.strictObject({ receipt_id: receiptId() }),
	reply: receipt,
	http: { method: "GET", path: "/receipts/{receipt_id}", price: "free" },
	example: { receipt_id: "0x5f9c4a1b0d7e8f3a2c6b5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a" },
});

export const readReceipt = billingOperation({
	summary: "The receipt of a call: of an account or of credits by its request, of any other payment by its reference.",
	params: z.strictObject({
		receipt_id: words(1, 300),
		account_id: z.int().min(1).nullable(),
		credits_sha256: sha256().nullable(),
	}),
	reply: z.strictObject({ receipt: receipt.nullable() }),
});
