/** Makes challenges, and checks credentials against them, with the package mppx. */
import { randomBytes } from "node:crypto";
import { Challenge, Errors, PaymentRequest } from "mppx";
import { Mppx, tempo } from "mppx/server";
import { formatUnits, type Hex } from "viem";
import { unavailable } from "#libs/contract/errors.ts";
import { decodePayment, problem } from "../mpp-credential.ts";
import { type Charge, type Checked, type Offer, PaymentRefused } from "../rail.ts";
import { failureOf, isNodeError, type TempoNode } from "./node.ts";
import { errorName, type Settling } from "./settle.ts";
import { readTransaction, readTransfer, type Transfer } from "./transfer.ts";

const OFFER_MS = 5 * 60_000;
/** Decimals of every Tempo token: one unit is a micro-dollar. */
const DECIMALS = 6;

export interface PayTo {
	chainId: number;
	recipient: Hex;
	currency: Hex;
}

export interface Offering extends Settling {
	payTo: PayTo;
	realm: string;
	mppx: ReturnType<typeof openMppx>;
}

export function openMppx({
	payTo,
	realm,
	secretKey,
	node,
}: {
	payTo: PayTo;
	realm: string;
	secretKey: string;
	node: TempoNode;
}) {
	const charge = tempo.charge({
		recipient: payTo.recipient,
		currency: payTo.currency,
		decimals: DECIMALS,
		// The mode `push` is not offered: its transaction is paid before the handler runs, so a caller whose request fails would pay for nothing.
		supportedModes: ["pull"],
		getClient: () => node.client,
	});
	return Mppx.create({ realm, secretKey, methods: [charge] });
}

const usd = (microUsd: number) => formatUnits(BigInt(microUsd), DECIMALS);
const scopeOf = ({ method, route, amountMicroUsd }: Charge) => `${method} ${route} ${amountMicroUsd}`;
export const chainIdOf = ({ chainId }: PayTo) => `eip155:${chainId}`;

export async function offerCharge(charge: Charge, { mppx, payTo, now }: Offering): Promise<Offer> {
	const expires = new Date(now() + OFFER_MS);
	const challenge = await mppx.challenge.tempo.charge({
		amount: usd(charge.amountMicroUsd),
		chainId: payTo.chainId,
		description: charge.description,
		expires,
		scope: scopeOf(charge),
		// A random value makes the challenge's id unique, because the id is derived from the challenge's content.
		meta: { salt: randomBytes(12).toString("base64url") },
	});
	return {
		headers: { "WWW-Authenticate": Challenge.serialize(challenge) },
		hint: {
			protocol: "MPP",
			method: "tempo/charge",
			network: chainIdOf(payTo),
			currency: payTo.currency,
			recipient: payTo.recipient,
			amount: String(charge.amountMicroUsd),
			amount_usd: usd(charge.amountMicroUsd),
			expires_at: expires.toISOString(),
			how: "Answer the WWW-Authenticate challenge by Authorization: Payment with a signed Tempo transaction (npx mppx <url> does)",
		},
	};
}

export async function checkCharge(credential: string, charge: Charge, offering: Offering): Promise<Checked> {
	const { payTo, mppx, realm, node, now } = offering;
	const { challenge, payload } = decodePayment(credential);
	const transaction = readTransaction(payload);
	const amount = String(charge.amountMicroUsd);
	try {
		await mppx.validateCredential(credential, {
			realm,
			request: { amount: usd(charge.amountMicroUsd), chainId: payTo.chainId },
			scope: scopeOf(charge),
			meta: { salt: saltOf(challenge.opaque) },
		});
		const expires = Date.parse(challenge.expires ?? "");
		const transfer = await readTransfer(transaction, { ...payTo, amount, expires, now: now() });
		if (transfer.ends === null) await requireNext(transfer, node);
		// The challenge's id is signed by us, and the transaction's memo contains it, so no variation of the payment makes a second claim.
		return { network: chainIdOf(payTo), payer: transfer.payer, nonce: challenge.id, stored: JSON.stringify(transfer) };
	} catch (error) {
		throw refusalOf(error, offering);
	}
}

/** Refuses a transaction that is not its sender's next one: without a `validBefore` it could wait forever, with an unknown outcome. */
async function requireNext({ payer, lane, nonce }: Transfer, node: TempoNode): Promise<void> {
	if ((await node.nextNonce(payer, BigInt(lane))) === BigInt(nonce)) return;
	const reason = "the transaction must be its sender's next one, or have a validBefore";
	throw new PaymentRefused(reason, {}, problem("verification-failed"));
}

/** The error for the caller. Only our own messages and those of mppx are passed on, because other errors can contain the transaction. */
function refusalOf(error: unknown, { log }: Offering): Error {
	if (error instanceof PaymentRefused) return error;
	if (error instanceof Errors.PaymentError) {
		// Only the first line of the message is passed on, without the challenge's id.
		const [reason = ""] = error.message.replace(/ "[^"]*"/, "").split("\n", 1);
		return new PaymentRefused(reason, {}, error.type);
	}
	if (!isNodeError(error))
		return new PaymentRefused("the payment credential's payload is not valid", {}, problem("invalid-payload"));
	const { kind, poor } = failureOf(error);
	if (kind === "unanswered") {
		log.warn({ rail: "mpp", error: errorName(error) }, "the network could not be queried about a payment");
		return unavailable("the payment network is not available; nothing was charged", 5);
	}
	if (poor) return new PaymentRefused("insufficient balance", {}, problem("payment-insufficient"));
	return new PaymentRefused("the network would not execute the transaction", {}, problem("verification-failed"));
}

/** The random part of the challenge, which the challenge's signature covers. */
function saltOf(opaque: string | undefined): string {
	try {
		const { salt } = PaymentRequest.deserialize(opaque ?? "") as { salt?: unknown };
		return typeof salt === "string" ? salt : "";
	} catch {
		return "";
	}
}
