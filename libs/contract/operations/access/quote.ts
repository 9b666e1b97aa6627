/** The price of a call before it is made. */
import { z } from "zod";
import { count, timestamp, usd } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { words } from "../../params.ts";
import { prices, railNames } from "../../vocabulary.ts";

/** How long a quoted price is held (s): as long as the challenge of a payment stands. */
export const quoteSeconds = 300;

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
