/** Credit tokens (`cr_...`): reads the token of a request, and derives the token of a payment. */
import { hkdfSync } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { badRequest } from "#libs/contract/errors.ts";
import { digestOf, hintOf, secretFrom } from "#libs/contract/key.ts";
import { bearerOf } from "../../callers/secrets.ts";

export interface StorableToken {
	sha256: string;
	hint: string;
}

export const storablePart = (token: string): StorableToken => ({ sha256: digestOf(token), hint: hintOf(token) });

export function readCreditToken(headers: IncomingHttpHeaders): string | undefined {
	const header = headers["x-credit-token"];
	const tokens = header === undefined ? [] : [header].flat().flatMap((value) => value.split(","));
	const bearer = headers.authorization === undefined ? undefined : bearerOf(headers.authorization);
	if (bearer?.startsWith("cr_")) tokens.push(bearer);
	if (tokens.length > 1) throw badRequest("the request carries more than one credit token");
	return tokens[0]?.trim();
}

/**
 * Derives the token of a payment from the payment and a secret, so that a client that repeats its payment gets the same token. A different
 * payment for the same challenge results in a token that was never issued.
 */
export function tokenOf(secretKey: string, challengeId: string, sharedPaymentToken: string): string {
	const info = JSON.stringify(["credits", challengeId, sharedPaymentToken]);
	return secretFrom("cr_", new Uint8Array(hkdfSync("sha256", secretKey, "credit token", info, 96)));
}
