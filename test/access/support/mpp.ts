/** The rail mpp on the stand-in for Tempo, and what it is asked to sell. */
import { createLogger } from "#libs/service/logger.ts";
import { type MppOptions, openMpp } from "../../../services/gateway/payments/rails/mpp.ts";
import type { Charge } from "../../../services/gateway/payments/rails/rail.ts";
import type { TempoStandIn } from "../../support/payments/tempo.ts";

/** USDC.e, what the main network is paid in. */
export const currency = "0x20C000000000000000000000b9537d11c60E8b50";
export const recipient = "0x742d35cc6634c0532925a3b844bc9e7595f8fe00";
export const secret = "a secret of the tests, 32 and more";

export const charge: Charge = {
	operation: "listProjects",
	method: "GET",
	route: "/projects",
	url: "http://localhost/projects",
	amountMicroUsd: 10_000,
	description: "A page of projects",
};

export function openRail(
	{ url, chainId }: Pick<TempoStandIn, "url" | "chainId">,
	config: Partial<MppOptions["config"]> = {},
	options: Partial<MppOptions> = {},
) {
	return openMpp({
		config: {
			MPP_RECIPIENT: recipient,
			MPP_RPC_URL: url,
			MPP_CHAIN_ID: chainId,
			MPP_CURRENCY: undefined,
			MPP_REALM: undefined,
			MPP_SECRET_KEY: secret,
			PUBLIC_URL: undefined,
			...config,
		},
		log: createLogger({ name: "gateway", level: "fatal" }),
		// The machine may be busy with much else: only what is to hang is given less.
		timeoutMs: 20_000,
		...options,
	});
}
