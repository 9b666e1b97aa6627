/**
 * Payment for tool calls: translates between `_meta` of calls and results and the headers of both payment protocols. The result of an unpaid
 * call is an error with x402's terms, and with MPP's challenges in `_meta`.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Credential } from "mppx";
import { badRequest } from "#libs/contract/errors.ts";

export type Meta = Record<string, unknown>;

const x402Payment = "x402/payment";
const x402Receipt = "x402/payment-response";
const mppCredential = "org.paymentauth/credential";
const mppRequired = "org.paymentauth/payment-required";
const mppReceipt = "org.paymentauth/receipt";

/** The payment headers for the payments in `_meta`. @throws AppError 400 */
export async function paymentHeaders(meta: Meta): Promise<Record<string, string>> {
	const { [x402Payment]: payment, [mppCredential]: credential } = meta;
	return {
		...(payment !== undefined && { "payment-signature": base64(objectOf(payment, x402Payment)) }),
		...(credential !== undefined && { "payment-authorization": await mppHeader(credential) }),
	};
}

async function mppHeader(value: unknown): Promise<string> {
	const credential = objectOf(value, mppCredential) as unknown as Credential.Credential;
	// Loaded on first use, because it takes a second.
	const { Credential } = await import("mppx");
	try {
		return Credential.serialize(credential);
	} catch {
		throw badRequest(`_meta["${mppCredential}"] is not a valid credential`);
	}
}

function objectOf(value: unknown, name: string): Meta {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Meta;
	throw badRequest(`_meta["${name}"] must be an object`);
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");

/** Receipts of a call's payment, from the headers of the response. */
export async function receiptsOf(headers: IncomingHttpHeaders, meta: Meta): Promise<Meta> {
	const { "payment-response": x402, "payment-receipt": mpp } = headers;
	return {
		...(typeof x402 === "string" && { [x402Receipt]: JSON.parse(Buffer.from(x402, "base64").toString()) }),
		...(typeof mpp === "string" && { [mppReceipt]: await mppReceiptOf(mpp, meta[mppCredential]) }),
	};
}

async function mppReceiptOf(header: string, credential: unknown): Promise<Meta> {
	const { Receipt } = await import("mppx");
	const { challenge } = credential as Partial<Credential.Credential>;
	return { ...Receipt.deserialize(header), challengeId: challenge?.id };
}

/** Converts a 402 to a tool's result. */
export async function unpaidResult(body: Meta, headers: IncomingHttpHeaders, _meta: Meta): Promise<CallToolResult> {
	const challenges = await challengesOf(headers["www-authenticate"]);
	const { type, title, detail, x402Version, resource, accepts, extensions } = body;
	const isX402 = Array.isArray(accepts);
	// `bazaar` describes the call over HTTP, which an agent does not need.
	const { bazaar: _, ...otherExtensions } = (extensions ?? {}) as Meta;
	const required = isX402 ? { x402Version, error: detail, resource, accepts, extensions: otherExtensions } : undefined;
	return {
		content: [{ type: "text", text: JSON.stringify(required ?? { status: 402, ...body }) }],
		...(required !== undefined && { structuredContent: required }),
		isError: true,
		_meta: {
			..._meta,
			...(challenges.length > 0 && {
				[mppRequired]: { httpStatus: 402, challenges, problem: { type, title, status: 402, detail } },
			}),
		},
	};
}

async function challengesOf(header: string | undefined): Promise<object[]> {
	if (header === undefined) return [];
	const { Challenge } = await import("mppx");
	return Challenge.deserializeList(header);
}
