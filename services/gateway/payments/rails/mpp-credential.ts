/** The header that all MPP methods (the "Payment" HTTP authentication scheme) share: which credential it carries, and for which method. */
import type { IncomingHttpHeaders } from "node:http";
import { Credential } from "mppx";
import { badRequest } from "#libs/contract/errors.ts";
import type { Config } from "../../config.ts";
import { PaymentRefused } from "./rail.ts";

/** RFC 9457 types of MPP's draft. */
export const problem = (name: string) => `https://paymentauth.org/problems/${name}`;

/** Longest credential. A signed transaction has less than 2 KB, with a passkey less than 6. */
const CREDENTIAL_MAX_LENGTH = 12_000;

/** Realm of challenges. It is configured, because a caller could choose its Host. */
export function realmOf(config: Pick<Config, "MPP_REALM" | "PUBLIC_URL">): string {
	if (config.MPP_REALM !== undefined) return config.MPP_REALM;
	return config.PUBLIC_URL === undefined ? "energy-infrastructure-data" : new URL(config.PUBLIC_URL).hostname;
}

/** Decodes a credential without verifying it. @throws PaymentRefused */
export function decodePayment(credential: string): Credential.Credential {
	try {
		if (credential.length > CREDENTIAL_MAX_LENGTH) throw new Error("too long");
		return Credential.deserialize(credential);
	} catch {
		throw new PaymentRefused("the payment credential cannot be read", {}, problem("malformed-credential"));
	}
}

/**
 * The request's payment credential (`Payment <base64url>`) and its method ("tempo", "stripe"); undefined if there is none.
 * `Payment-Authorization` is for callers that need `Authorization` otherwise. @throws AppError 400 for several, PaymentRefused if it cannot
 * be read
 */
export function readPaymentCredential(
	headers: IncomingHttpHeaders,
): { credential: string; method: string } | undefined {
	const found = [headers.authorization, headers["payment-authorization"]]
		.flat()
		// Neither base64url nor a key contains a comma, so commas separate credentials.
		.flatMap((value) => value?.split(",") ?? [])
		.map((part) => /^\s*Payment(?:\s+(.*?))?\s*$/is.exec(part))
		.filter((match) => match !== null);
	const [first] = found;
	if (first === undefined) return;
	if (found.length > 1) throw badRequest("send one payment credential");
	const credential = `Payment ${first[1] ?? ""}`;
	return { credential, method: decodePayment(credential).challenge.method };
}
