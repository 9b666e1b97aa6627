/** Configuration of mppx's command line in tests: a wallet on the stand-in for Tempo, and one shared payment token of the stand-in for Stripe. */
import { stripe, tempo } from "mppx/client";
import { createClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { tempo as network } from "viem/tempo/chains";

const { MPPX_PRIVATE_KEY, MPPX_RPC_URL, SHARED_PAYMENT_TOKEN = "" } = process.env;

export default {
	methods: [
		tempo.charge({
			account: privateKeyToAccount(MPPX_PRIVATE_KEY as Hex),
			getClient: () => createClient({ chain: network, transport: http(MPPX_RPC_URL, { retryCount: 0 }) }),
		}),
		stripe.charge({ paymentMethod: "pm_card_visa", createToken: async () => SHARED_PAYMENT_TOKEN }),
	],
};
