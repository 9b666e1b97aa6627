/** The price of a call before it is made, and its receipt afterwards. */
import { z } from "zod";
import { count, sha256, timestamp, usd } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { words } from "../../params.ts";
import { paymentStates, prices, railNames } from "../../vocabulary.ts";

const railPrice = z.strictObject({
	price_usd: usd("Of this call, paid this way").min(0),
	currency: z.string().describe("What is paid in: `USDC`, the address of a token, or `USD`"),
});

export const quote = operation({
	owner: "gateway",
	summary: "What a call would cost, and how much its answer holds, before it is made. Free; nothing is reserved.",
	params: z.strictObject({
		operation: words(1, 100).describe(
			"By its name: `operationId` of /openapi.json (`listProjects`), or the tool's (`list_projects`)",
		),
		params: z
			.record(z.string(), z.unknown(), { error: "must be an object: the parameters by name" })
			.default({})
			.describe(
				"Of the call, by name, those of its path too: text, numbers, true or false, lists of those. They are checked as the call would check them",
			),
	}),
	reply: z.strictObject({
		operation: z.string(),
		endpoint: z.string().describe("Method and path: `GET /projects`"),
		tier: z.enum(prices).describe("Its class of price, as in /pricing-info"),
		price_usd: usd("Of the call without a key, where payment is asked for").min(0),
		rails: z
			.strictObject(
				Object.fromEntries(railNames.map((rail) => [rail, railPrice.nullable()])) as Record<
					(typeof railNames)[number],
					z.ZodNullable<typeof railPrice>
				>,
			)
			.describe("By way to pay; null where this call is not paid for that way here"),
		queries: count().describe("Queries of the month that the call takes with a key"),
		needs_key: z.boolean().describe("Whether it is answered with a key alone"),
		rows: count().nullable().describe("Rows of this answer, at the present data; null: see `size_note`"),
		bytes: count().nullable().meta({
			description: "Of this answer, not compressed, at the present data; null: see `size_note`",
			"x-unit": "bytes",
		}),
		size_note: z.string().nullable().describe("Why `rows` or `bytes` is not known; null where both are"),
		quoted_at: timestamp().describe("When it was quoted"),
		valid_until: timestamp().describe("Until then the price stays; rows and bytes are of the present data"),
	}),
	http: { method: "POST", path: "/quote", price: "free", perMinute: 60, readsByPost: true },
	example: { operation: "listProjects", params: { state: "TX", per_page: "100" } },
});

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
		credits_sha256: sha256().nullable(),
	}),
	reply: z.strictObject({ receipt: receipt.nullable() }),
});
