/** A payer, by each rail: by the whole of an official client, and with what was signed beforehand. */
import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { connectBus } from "#libs/bus/connect.ts";
import { makeSecret } from "#libs/contract/key.ts";
import { createLogger } from "#libs/service/logger.ts";
import { billingRequester } from "../../services/gateway/payments/billing.ts";
import { putCredits } from "../../services/gateway/payments/credits/purchases.ts";
import { storablePart } from "../../services/gateway/payments/credits/token.ts";
import { openPayer } from "../../test/support/payments/mpp-payer.ts";
import type { Bench } from "./system.ts";

export type Headers = Record<string, string>;

export interface Wallet {
	/** Sends a request, gets the price, signs, and sends it again. */
	fetch(url: string): Promise<Response>;
	/** Headers that pay for one call. */
	sign(url: string): Promise<Headers>;
}

export function x402Wallet(account: PrivateKeyAccount): Wallet {
	const client = new x402HTTPClient(new x402Client().register("eip155:84532", new ExactEvmScheme(account)));
	return {
		fetch: wrapFetchWithPayment(fetch, client),
		async sign(url) {
			const unpaid = await offer(url);
			const required = client.getPaymentRequiredResponse((name) => unpaid.get(name));
			return client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
		},
	};
}

export function mppWallet(rpcUrl: string): Wallet {
	const payer = openPayer({ url: rpcUrl, chainId: 4_217 });
	return {
		fetch: (url) => payer.fetch(url),
		async sign(url) {
			const challenge = (await offer(url)).get("www-authenticate") ?? "";
			return { authorization: await payer.pay({ "www-authenticate": challenge }) };
		},
	};
}

/** Headers that spend prepaid credits, of which there are enough: nothing is signed. */
export async function prepaid(bench: Bench): Promise<Headers> {
	const log = createLogger({ name: "bench", level: "silent" });
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log });
	const secret = makeSecret("cr_");
	const paid = { paymentIntent: `pi_${secret.slice(-8)}`, eventId: null, amountCents: 10_000 };
	await putCredits(billingRequester(bus, 10_000), storablePart(secret), paid);
	return { authorization: `Bearer ${secret}` };
}

/** The headers of the 402. */
async function offer(url: string): Promise<globalThis.Headers> {
	const answered = await fetch(url);
	await answered.arrayBuffer();
	if (answered.status !== 402) throw new Error(`${answered.status} where a payment was to be asked for`);
	return answered.headers;
}
