/** Settings of the ways to pay. Each rail is enabled by its first setting alone; what it then needs besides is demanded at the start. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be an address, 0x and 40 hexadecimal digits");

export const railSettings = {
	X402_PAY_TO: evmAddress.optional().describe("Address that is paid in USDC; enables the rail x402"),
	X402_FACILITATOR_URL: z.url().optional().describe("Of the facilitator that verifies and settles"),
	X402_FACILITATOR_TOKEN: z.string().min(1).optional().describe("Bearer token for the facilitator"),
	X402_NETWORK: z
		.string()
		.regex(/^eip155:\d{1,12}$/, "must be a CAIP-2 network such as eip155:8453")
		.default("eip155:8453")
		.describe("Base; eip155:84532 for its test network"),
	X402_RPC_URL: z
		.url()
		.optional()
		.describe("JSON-RPC of that network, to find out what became of a charge without an answer"),
	X402_TIMEOUT_MS: integer(100, 60_000).default(8_000).describe("Longest wait for the facilitator"),
	MPP_RECIPIENT: evmAddress.optional().describe("Address that is paid on Tempo; enables the rail mpp"),
	MPP_RPC_URL: z.url().optional().describe("JSON-RPC of Tempo"),
	MPP_CHAIN_ID: integer(1).default(4_217).describe("Tempo; 42431 for its test network"),
	MPP_CURRENCY: evmAddress.optional().describe("Token that is paid in; by default the network's own choice"),
	MPP_REALM: z
		.string()
		.min(1)
		.max(200)
		.optional()
		.describe("Realm of the challenges; by default the host of PUBLIC_URL"),
	MPP_SECRET_KEY: z
		.string()
		.min(32, "must have at least 32 characters")
		.optional()
		.describe("Signs the challenges of mpp and card: the same for every replica"),
	STRIPE_SECRET_KEY: z.string().min(1).optional().describe("Of the Stripe account; enables the rail card"),
	STRIPE_WEBHOOK_SECRET: z.string().min(1).optional().describe("Signs what Stripe reports of checkouts"),
	STRIPE_NETWORK_ID: z.string().min(1).optional().describe("Stripe profile that shared payment tokens are made out to"),
	STRIPE_API_URL: z.url().optional().describe("Another address of Stripe's interface, for a stand-in"),
};

type RailConfig = z.output<z.ZodObject<typeof railSettings>>;

/** What is missing of a rail that is enabled, as names of settings. */
export function missingOf(config: Partial<RailConfig>): string[] {
	const needs: [keyof RailConfig, (keyof RailConfig)[]][] = [
		["X402_PAY_TO", ["X402_FACILITATOR_URL", "X402_RPC_URL"]],
		["MPP_RECIPIENT", ["MPP_RPC_URL", "MPP_SECRET_KEY"]],
		["STRIPE_SECRET_KEY", ["STRIPE_WEBHOOK_SECRET", "STRIPE_NETWORK_ID", "MPP_SECRET_KEY"]],
	];
	return needs.flatMap(([enables, needed]) =>
		config[enables] === undefined ? [] : needed.filter((name) => config[name] === undefined),
	);
}
