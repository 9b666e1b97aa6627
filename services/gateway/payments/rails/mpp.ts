/** The rail "mpp": the caller signs one Tempo transaction for each call, and the service submits it (MPP's tempo/charge, pull mode). */
import { getAddress, type Hex, isAddress } from "viem";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import { openTempoNode } from "./mpp/node.ts";
import { chainIdOf, checkCharge, type Offering, offerCharge, openMppx } from "./mpp/offer.ts";
import { receiptHeaders, reconcileTransfer, settleTransfer } from "./mpp/settle.ts";
import { readTransaction } from "./mpp/transfer.ts";
import { decodePayment, readPaymentCredential, realmOf } from "./mpp-credential.ts";
import type { Rail } from "./rail.ts";

export interface MppOptions {
	config: Pick<
		Config,
		"MPP_RECIPIENT" | "MPP_RPC_URL" | "MPP_CHAIN_ID" | "MPP_CURRENCY" | "MPP_REALM" | "MPP_SECRET_KEY" | "PUBLIC_URL"
	>;
	log: Pick<Logger, "warn">;
	now?: () => number;
	/** Longest wait for a response of the Tempo node (ms). */
	timeoutMs?: number;
}

/** Checks the checksum of the address in a setting, because wallets refuse a wrong one, and payments to a mistyped address would be lost. */
function checkedAddress(setting: string, value: string): Hex {
	if (isAddress(value)) return getAddress(value);
	throw new Error(
		`${setting}: ${value} has a wrong checksum (the case of its letters): check the address for typing errors`,
	);
}

function currencyOf({ MPP_CURRENCY, MPP_CHAIN_ID }: Pick<Config, "MPP_CURRENCY" | "MPP_CHAIN_ID">): Hex {
	const defaultCurrency =
		MPP_CHAIN_ID === 4_217
			? "0x20C000000000000000000000b9537d11c60E8b50"
			: "0x20c0000000000000000000000000000000000000";
	return checkedAddress("MPP_CURRENCY", MPP_CURRENCY ?? defaultCurrency);
}

export function openMpp({ config, log, now = Date.now, timeoutMs = 5_000 }: MppOptions): Rail {
	const { MPP_RECIPIENT: recipient, MPP_RPC_URL: url, MPP_SECRET_KEY: secretKey, MPP_CHAIN_ID: chainId } = config;
	if (recipient === undefined || url === undefined || secretKey === undefined) throw new Error("mpp is not enabled");
	const node = openTempoNode({ url, chainId, timeoutMs });
	const payTo = { chainId, recipient: checkedAddress("MPP_RECIPIENT", recipient), currency: currencyOf(config) };
	const realm = realmOf(config);
	const offering: Offering = { node, log, now, payTo, realm, mppx: openMppx({ payTo, realm, secretKey, node }) };
	return {
		name: "mpp",
		currency: payTo.currency,
		offer: (charge) => offerCharge(charge, offering),
		read(headers) {
			const payment = readPaymentCredential(headers);
			return payment?.method === "tempo" ? payment.credential : undefined;
		},
		// MPP identifies a purchase only by its challenge, whose id is the nonce.
		identifierOf: () => null,
		validate: (credential, charge) => checkCharge(credential, charge, offering),
		claimOf(credential) {
			const { challenge, payload } = decodePayment(credential);
			try {
				const payer = readTransaction(payload).from?.toLowerCase() ?? null;
				return { network: chainIdOf(payTo), payer, nonce: challenge.id };
			} catch {
				return undefined;
			}
		},
		settle: (stored) => settleTransfer(stored, offering),
		reconcile: (stored, ageSeconds) => reconcileTransfer(stored, ageSeconds, offering),
		receipt: (reference) => receiptHeaders(reference, now),
	};
}
