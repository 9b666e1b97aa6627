/** Credit tokens (`cr_...`): where they stand in a request, and how the one that a payment buys is made. */
import { hkdfSync } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { badRequest } from "#libs/contract/errors.ts";
import { digestOf, hintOf, secretFrom } from "#libs/contract/key.ts";
import { bearerOf } from "../../callers/secrets.ts";

/** What others may know of a token. */
export interface KnownToken {
	sha256: string;
	hint: string;
}

export const knownOf = (token: string): KnownToken => ({ sha256: digestOf(token), hint: hintOf(token) });

/**
 * The token of `Authorization: Bearer cr_...` or `X-Credit-Token`, as it was sent; undefined without one.
 * @throws AppError 400 for several.
 */
export function readCreditToken(headers: IncomingHttpHeaders): string | undefined {
	const own = headers["x-credit-token"];
	const given = own === undefined ? [] : [own].flat().flatMap((value) => value.split(","));
	const bearer = headers.authorization === undefined ? undefined : bearerOf(headers.authorization);
	if (bearer?.startsWith("cr_")) given.push(bearer);
	if (given.length > 1) throw badRequest("the request carries more than one credit token");
	return given[0]?.trim();
}

/**
 * The token that a payment buys. It follows from the payment and a secret of ours, so that who sends the same payment again, having
 * lost the answer, gets the same token; and who has another payment for the same challenge gets another, which was never issued.
 */
export function tokenOf(secretKey: string, challengeId: string, sharedPaymentToken: string): string {
	const info = JSON.stringify(["credits", challengeId, sharedPaymentToken]);
	return secretFrom("cr_", new Uint8Array(hkdfSync("sha256", secretKey, "credit token", info, 96)));
}
