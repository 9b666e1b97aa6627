/** Parses PAYMENT-SIGNATURE strictly, so that no two parsers can read it differently. */
import { decodePaymentSignatureHeader } from "@x402/core/http";
import { isValidPaymentId, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { z } from "zod";
import { badRequest } from "#libs/contract/errors.ts";
import type { Checked } from "../rail.ts";

/** Maximum length of a credential (characters). With extensions, a credential has about 6,000. Node.js accepts 16 KiB of headers. */
const longestCredential = 12_000;

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be an address");
const wholeNumber = z.string().regex(/^(0|[1-9]\d{0,77})$/, "must be a whole number as text");

/** An authorization of EIP-3009, the only transfer method that is offered. */
const authorization = z.strictObject({
	from: evmAddress,
	to: evmAddress,
	value: wholeNumber,
	validAfter: wholeNumber,
	validBefore: wholeNumber,
	nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hexadecimal"),
});

/** A name of a network, token or scheme, whose format depends on the scheme. */
const name = z.string().regex(/^[\x21-\x7e]{1,60}$/, "must be a name");
/** Drops nested values: offers have none, and deep comparisons are slow. */
const flat = z
	.record(z.string(), z.unknown())
	.transform((decoded) => Object.fromEntries(Object.entries(decoded).filter(([, value]) => typeof value !== "object")));

const payment = z.object({
	x402Version: z.literal(2),
	resource: z.object({ url: z.string().max(8_192) }).optional(),
	/** The chosen offer. */
	accepted: z.strictObject({
		scheme: name,
		network: name,
		amount: name,
		asset: name,
		payTo: name,
		maxTimeoutSeconds: z.number(),
		extra: flat.default({}),
	}),
	// Strict, because a facilitator chooses the method by the fields that it finds, and other methods have another nonce than the claim's.
	payload: z.strictObject({
		// 65 bytes, or the signature of a contract wallet.
		signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, "must be bytes in hexadecimal"),
		authorization,
	}),
	extensions: z.record(z.string(), z.unknown()).optional(),
});

export type Payment = z.output<typeof payment>;
export type Authorization = z.output<typeof authorization>;

/** @throws AppError 400 without any text of the credential */
export function readPayment(credential: string): Payment {
	if (credential.length > longestCredential)
		throw badRequest(`PAYMENT-SIGNATURE is longer than ${longestCredential} characters`);
	let decoded: unknown;
	try {
		decoded = decodePaymentSignatureHeader(credential);
	} catch {
		throw badRequest("PAYMENT-SIGNATURE is not base64 of JSON");
	}
	const parsed = payment.safeParse(decoded);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	if (issue?.path[0] === "x402Version") throw badRequest("PAYMENT-SIGNATURE must be of x402 version 2");
	// The names of unknown fields are not repeated, because the sender chose them.
	const where = ["PAYMENT-SIGNATURE", ...(issue?.path ?? [])].map(String).join(".");
	const unknownField = issue?.code === "unrecognized_keys";
	throw badRequest(unknownField ? `${where} has fields that are not accepted` : `${where} is missing or not valid`);
}

/** The caller's identifier of the purchase; null if there is none. @throws AppError 400 */
export function identifierIn({ extensions }: Payment): string | null {
	if (extensions === undefined || !Object.hasOwn(extensions, PAYMENT_IDENTIFIER)) return null;
	const named = z.object({ info: z.object({ id: z.unknown().optional() }) }).safeParse(extensions[PAYMENT_IDENTIFIER]);
	if (!named.success) throw badRequest(`the extension ${PAYMENT_IDENTIFIER} has no info`);
	const { id } = named.data.info;
	// A client that does not support the extension repeats the offer without an id.
	if (id === undefined) return null;
	if (typeof id === "string" && isValidPaymentId(id)) return id;
	throw badRequest(`the ${PAYMENT_IDENTIFIER} must be 16 to 128 letters, digits, - or _`);
}

/** Identifies a payment by payer and nonce, because the token uses each nonce of a payer once. In lower case, so that spelling does not matter. */
export function claimIn(
	{ payload }: Pick<Payment, "payload">,
	{ network, asset }: { network: string; asset: string },
): Pick<Checked, "network" | "payer" | "nonce"> {
	const payer = payload.authorization.from.toLowerCase();
	const nonce = [network, asset, payer, payload.authorization.nonce].join(":").toLowerCase();
	return { network: network.toLowerCase(), payer, nonce };
}

/** Whether two URLs have the same path, however it is escaped. Queries and hosts are ignored, because a proxy changes the host. */
export function samePath(one: string, other: string): boolean {
	const segments = pathOf(one);
	return segments !== undefined && segments === pathOf(other);
}

/** The path of a URL. Its segments are decoded separately, because an escaped slash is part of a segment. */
function pathOf(address: string): string | undefined {
	try {
		const { pathname } = new URL(address);
		return JSON.stringify(pathname.split("/").map(decodeURIComponent));
	} catch {
		return undefined;
	}
}
