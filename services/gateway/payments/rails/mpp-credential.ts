/** The header that every method of MPP (the "Payment" HTTP authentication scheme) shares: which credential it carries, and for whom. */
import type { IncomingHttpHeaders } from "node:http";
import { Credential } from "mppx";
import { badRequest } from "#libs/contract/errors.ts";
import type { Config } from "../../config.ts";
import { PaymentRefused } from "./rail.ts";

/** RFC 9457 types of the draft. */
export const problem = (name: string) => `https://paymentauth.org/problems/${name}`;

/** Longer ones are refused unread: a signed transaction takes less than 2 KB, with a passkey less than 6. */
const CREDENTIAL_MAX_LENGTH = 12_000;

/** Whom challenges are from. Configured, never taken from the request: a caller could choose its Host. */
export function realmOf(config: Pick<Config, "MPP_REALM" | "PUBLIC_URL">): string {
	if (config.MPP_REALM !== undefined) return config.MPP_REALM;
	return config.PUBLIC_URL === undefined ? "energy-infrastructure-data" : new URL(config.PUBLIC_URL).hostname;
}

/** The credential's parts, none of them checked. @throws PaymentRefused for one that is none. */
export function decodePayment(credential: string): Credential.Credential {
	try {
		if (credential.length > CREDENTIAL_MAX_LENGTH) throw new Error("too long");
		return Credential.deserialize(credential);
	} catch {
		throw new PaymentRefused("The payment credential cannot be read", {}, problem("malformed-credential"));
	}
}

/**
 * The request's payment credential (`Payment <base64url>`) and the method that it pays by ("tempo", "stripe"): undefined when there is
 * none. `Payment-Authorization` serves callers whose `Authorization` is taken. @throws AppError 400 for several, PaymentRefused for one
 * that cannot be read: its payer is unknown then.
 */
export function readPaymentCredential(
	headers: IncomingHttpHeaders,
): { credential: string; method: string } | undefined {
	const found = [headers.authorization, headers["payment-authorization"]]
		.flat()
		// Neither base64url nor a key has a comma: what is between two is a credential of its own.
		.flatMap((value) => value?.split(",") ?? [])
		.map((part) => /^\s*Payment(?:\s+(.*?))?\s*$/is.exec(part))
		.filter((match) => match !== null);
	const [first] = found;
	if (first === undefined) return;
	if (found.length > 1) throw badRequest("Send one payment credential");
	const credential = `Payment ${first[1] ?? ""}`;
	return { credential, method: decodePayment(credential).challenge.method };
}
