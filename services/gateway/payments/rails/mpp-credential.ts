/** Reads the credential that all MPP methods send in the HTTP authentication scheme "Payment", and the credential's method. */
import type { IncomingHttpHeaders } from "node:http";
import { Credential } from "mppx";
import { badRequest } from "#libs/contract/errors.ts";
import type { Config } from "../../config.ts";
import { PaymentRefused } from "./rail.ts";

/** The URI of a problem type (RFC 9457) that MPP's draft defines. */
export const problem = (name: string) => `https://paymentauth.org/problems/${name}`;

/** Maximum length of a credential. A signed transaction has less than 2 KB, one with a passkey less than 6 KB. */
const CREDENTIAL_MAX_LENGTH = 12_000;

/** Realm of challenges. It is not taken from the Host header, because callers can choose that. */
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
		throw new PaymentRefused("the payment credential is malformed or too long", {}, problem("malformed-credential"));
	}
}

/**
 * The request's payment credential (`Payment <base64url>`) and its method ("tempo", "stripe"); undefined if there is none.
 * `Payment-Authorization` is for callers that use `Authorization` for something else. @throws AppError 400 for several credentials,
 * PaymentRefused if the credential is malformed
 */
export function readPaymentCredential(
	headers: IncomingHttpHeaders,
): { credential: string; method: string } | undefined {
	const matches = [headers.authorization, headers["payment-authorization"]]
		.flat()
		// Neither base64url nor a key contains a comma, so commas separate credentials.
		.flatMap((value) => value?.split(",") ?? [])
		.map((part) => /^\s*Payment(?:\s+(.*?))?\s*$/is.exec(part))
		.filter((match) => match !== null);
	const [first] = matches;
	if (first === undefined) return;
	if (matches.length > 1) throw badRequest("the request carries more than one payment credential");
	const credential = `Payment ${first[1] ?? ""}`;
	return { credential, method: decodePayment(credential).challenge.method };
}
