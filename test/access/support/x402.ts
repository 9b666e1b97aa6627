/** A rail with a facilitator and a chain of its own, and a payer who can sign what it likes. */
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http";
import type { Network, PaymentPayload, PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { authorizationTypes } from "@x402/evm";
import { type Hex, toHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { AppError } from "#libs/contract/errors.ts";
import { createLogger } from "#libs/service/logger.ts";
import type { Charge, Rail } from "../../../services/gateway/payments/rails/rail.ts";
import { openX402, type X402Config } from "../../../services/gateway/payments/rails/x402.ts";
import { eventually } from "../../support/eventually.ts";
import { type Facilitator, startFacilitator } from "../../support/payments/facilitator.ts";
import { createToken, type Token } from "../../support/payments/token.ts";

export const network: Network = "eip155:84532";
export const payTo = "0x1111111111111111111111111111111111111111";

export interface Shop extends AsyncDisposable {
	rail: Rail;
	config: X402Config;
	token: Token;
	facilitator: Facilitator;
	payer: PrivateKeyAccount;
	/** The clock of the rail and the chain (ms): move it to let time pass. */
	clock: { ms: number };
	logged: string[];
	required(charge?: Charge): Promise<PaymentRequired>;
	/** A credential for the charge; with `change`, another than the honest one. */
	pay(change?: Change, charge?: Charge): Promise<string>;
}

export interface Change {
	authorization?: Partial<Authorization>;
	/** Instead of the payer. */
	signer?: PrivateKeyAccount;
	/** The EIP-712 domain that is signed. */
	domain?: { chainId?: number; name?: string; verifyingContract?: Hex };
	/** After the signing. */
	edit?: (payload: Editable) => unknown;
}

export interface Authorization {
	from: Hex;
	to: Hex;
	value: string;
	validAfter: string;
	validBefore: string;
	nonce: Hex;
}

/** A payload as an attacker sees it. */
export type Editable = Omit<PaymentPayload, "payload" | "extensions"> & {
	payload: { signature: Hex; authorization: Authorization };
	extensions: Record<string, unknown>;
};

export const chargeOf = (change: Partial<Charge> = {}): Charge => ({
	operation: "listProjects",
	method: "GET",
	route: "/projects",
	url: "https://data.example/projects?state=TX",
	amountMicroUsd: 10_000,
	description: "Projects",
	...change,
});

export interface ShopOptions {
	config?: Partial<X402Config>;
}

export async function openShop({ config = {} }: ShopOptions = {}): Promise<Shop> {
	await using stack = new AsyncDisposableStack();
	const clock = { ms: Date.now() };
	const token = createToken({ network, now: () => clock.ms });
	const facilitator = stack.use(await startFacilitator({ token }));
	const payer = privateKeyToAccount(generatePrivateKey());
	token.mint(payer.address, 1_000_000n);
	const logged: string[] = [];
	const log = createLogger({ name: "x402", destination: { write: (line) => void logged.push(line) } });
	const settings: X402Config = {
		X402_PAY_TO: payTo,
		X402_FACILITATOR_URL: facilitator.url,
		X402_FACILITATOR_TOKEN: undefined,
		X402_NETWORK: network,
		X402_RPC_URL: facilitator.rpcUrl,
		X402_TIMEOUT_MS: 10_000,
		...config,
	};
	const rail = stack.use(openX402({ config: settings, log, now: () => new Date(clock.ms) }));
	const required = async (charge = chargeOf()) => {
		const offer = await eventually(() => rail.offer(charge));
		return decodePaymentRequiredHeader(offer.headers["PAYMENT-REQUIRED"] ?? "");
	};
	const pay = async (change: Change = {}, charge = chargeOf()) => {
		const payload = await signed(await required(charge), payer, change, clock.ms);
		change.edit?.(payload);
		return encodePaymentSignatureHeader(payload as unknown as PaymentPayload);
	};
	await required();

	const owned = stack.move();
	return {
		rail,
		config: settings,
		token,
		facilitator,
		payer,
		clock,
		logged,
		required,
		pay,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** A payload for an offer, signed; honest but for `change`. */
export async function signed(
	offer: PaymentRequired,
	payer: PrivateKeyAccount,
	change: Change,
	ms: number,
): Promise<Editable> {
	const accepted = offer.accepts[0] as PaymentRequirements;
	const seconds = Math.floor(ms / 1000);
	const authorization: Authorization = {
		from: payer.address,
		to: payTo,
		value: accepted.amount,
		validAfter: "0",
		validBefore: String(seconds + accepted.maxTimeoutSeconds),
		nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
		...change.authorization,
	};
	const { from, to, value, validAfter, validBefore, nonce } = authorization;
	const signature = await (change.signer ?? payer).signTypedData({
		domain: {
			name: String(accepted.extra.name),
			version: String(accepted.extra.version),
			chainId: Number(accepted.network.split(":")[1]),
			verifyingContract: accepted.asset as Hex,
			...change.domain,
		},
		types: authorizationTypes,
		primaryType: "TransferWithAuthorization",
		message: {
			from,
			to,
			value: BigInt(value),
			validAfter: BigInt(validAfter),
			validBefore: BigInt(validBefore),
			nonce,
		},
	});
	const extensions = { ...offer.extensions };
	return {
		x402Version: 2,
		resource: offer.resource,
		accepted: structuredClone(accepted),
		payload: { signature, authorization },
		extensions,
	};
}

/** The authorization that a credential carries. */
export function authorizationOf(credential: string): Authorization {
	const payload = JSON.parse(Buffer.from(credential, "base64").toString()) as Editable;
	return payload.payload.authorization;
}

/** The error that a call ends in. */
export async function errorOf(call: () => unknown): Promise<AppError> {
	try {
		await call();
	} catch (error) {
		if (error instanceof AppError) return error;
		throw error;
	}
	throw new Error("it was accepted");
}
