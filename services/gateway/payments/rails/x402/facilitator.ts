/** The facilitator, which verifies and submits payments. It may be unavailable at the start and later. */
import { type FacilitatorClient, HTTPFacilitatorClient } from "@x402/core/http";
import { x402ResourceServer } from "@x402/core/server";
import type { Network, PaymentRequirements } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { LRUCache } from "lru-cache";
import type { Logger } from "#libs/service/logger.ts";
import { faultOf, RailFault } from "./reasons.ts";

export type { FacilitatorClient };

export interface FacilitatorOptions {
	url: string;
	token: string | undefined;
	timeoutMs: number;
}

export function facilitatorAt({ url, token, timeoutMs }: FacilitatorOptions): FacilitatorClient {
	if (token === undefined) return new HTTPFacilitatorClient({ url, timeoutMs });
	const headers = { authorization: `Bearer ${token}` };
	const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers });
	return new HTTPFacilitatorClient({ url, timeoutMs, createAuthHeaders });
}

export interface Ready {
	server: x402ResourceServer;
	/** Payment requirements for a price; cached. */
	requirementsFor(amountMicroUsd: number): Promise<PaymentRequirements>;
}

export interface ReadyOptions {
	facilitator: FacilitatorClient;
	network: Network;
	payTo: string;
	log: Pick<Logger, "info" | "warn">;
	/** First pause before the next request to the facilitator (ms); it doubles up to a minute. */
	retryMs: number;
}

const maxPauseMs = 60_000;
/** Maximum prices whose requirements are cached. */
const maxPrices = 100;
/** Validity of an authorization, in which the caller has to sign and send it. */
export const maxTimeoutSeconds = 300;

/** Sends requests to the facilitator in the background until it responds. Until then, `ready()` returns undefined. */
export function becomeReady(options: ReadyOptions): Disposable & { ready(): Ready | undefined } {
	const { log, network, retryMs } = options;
	let ready: Ready | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;

	async function tryToPrepare(pauseMs: number): Promise<void> {
		try {
			const prepared = await prepare(options);
			if (isClosed) return;
			ready = prepared;
			log.info({ rail: "x402", network }, "the facilitator has responded: x402 is offered");
		} catch (error) {
			if (isClosed) return;
			log.warn(
				{ rail: "x402", network, fault: faultOf(error), pauseMs },
				"x402 is not offered yet: the facilitator is not ready",
			);
			timer = setTimeout(tryToPrepare, pauseMs, Math.min(pauseMs * 2, maxPauseMs)).unref();
		}
	}

	void tryToPrepare(retryMs);
	return {
		ready: () => ready,
		[Symbol.dispose]() {
			isClosed = true;
			clearTimeout(timer);
		},
	};
}

async function prepare({ facilitator, network, payTo }: ReadyOptions): Promise<Ready> {
	// Requested here, because the package's server would write failures to the console.
	const supported = await facilitator.getSupported();
	const isSupported = supported.kinds.some(
		(kind) => kind.x402Version === 2 && kind.scheme === "exact" && kind.network === network,
	);
	if (!isSupported)
		throw new RailFault("the facilitator does not support the scheme exact of x402 version 2 on the network");
	const server = new x402ResourceServer({
		verify: (payload, requirements) => facilitator.verify(payload, requirements),
		settle: (payload, requirements) => facilitator.settle(payload, requirements),
		getSupported: async () => supported,
	});
	server.register(network, new ExactEvmScheme());
	await server.initialize();

	const requirements = new LRUCache<number, PaymentRequirements>({
		max: maxPrices,
		fetchMethod: async (amountMicroUsd) => {
			const price = `$${(amountMicroUsd / 1e6).toFixed(6)}`;
			return requireEip3009(
				await server.buildPaymentRequirements({ scheme: "exact", network, payTo, price, maxTimeoutSeconds }),
			);
		},
		ignoreFetchAbort: true,
	});
	const requirementsFor = (amountMicroUsd: number) => requirements.forceFetch(amountMicroUsd);
	// This request fails now if the network has no known token.
	await requirementsFor(10_000);
	return { server, requirementsFor };
}

/** Claims and reconciliation rely on EIP-3009's nonces, so other transfer methods are not offered. */
function requireEip3009([requirements]: PaymentRequirements[]): PaymentRequirements {
	const method = requirements?.extra.assetTransferMethod ?? "eip3009";
	if (requirements === undefined || method !== "eip3009")
		throw new RailFault("the network's dollar token does not support EIP-3009");
	return requirements;
}
