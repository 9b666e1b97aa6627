/**
 * Access tokens of `/mcp`, each of which stands for an API key. Each message reads its token from billing, because assistants send few
 * messages; so a revoked token is refused at the next message.
 */
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { AppError } from "#libs/contract/errors.ts";
import { digestOf } from "#libs/contract/key.ts";
import { clientAddress } from "../callers/addresses.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { bearerOf } from "../callers/secrets.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { RequestBilling } from "../payments/billing.ts";
import { keyCaller } from "./api-key-cache.ts";
import { challenge } from "./oauth-metadata.ts";

/** The bearer token of a request, unless it is an API key or prepaid credits. */
export function accessTokenIn({ authorization }: IncomingHttpHeaders): string | undefined {
	const bearer = authorization === undefined ? undefined : bearerOf(authorization);
	return bearer === undefined || /^(pk|cr)_/.test(bearer) ? undefined : bearer;
}

/**
 * Returns the caller that a token for `<site>/mcp` identifies. @throws AppError 401 for an invalid token, 429 after too many of them, 503 if
 * billing is unavailable
 */
export type ResolveToken = (token: string, from: { ip: string; site: string }) => Promise<KeyCaller>;

export const tokenResolver = (requestBilling: RequestBilling, abuseThrottle: AbuseThrottle): ResolveToken => {
	/** SHA-256 of tokens that were valid when last used. Like a cached key, such a token is accepted even from an address that is over its limit. */
	const lastSeenValid = new LRUCache<string, true>({ max: 20_000 });
	return async (token, { ip, site }) => {
		const { address } = clientAddress(ip);
		const sha256 = digestOf(token);
		if (!lastSeenValid.has(sha256)) abuseThrottle.check("key", address);
		const { grant } = await requestBilling("resolveAccessToken", { sha256, resource: `${site}/mcp` });
		if (grant !== null) {
			lastSeenValid.set(sha256, true);
			return keyCaller(grant);
		}
		lastSeenValid.delete(sha256);
		await abuseThrottle.count("key", address);
		throw unauthorized("the access token is not valid here, has expired or was revoked", site, "invalid_token");
	};
};

/** Creates a 401 whose `WWW-Authenticate` leads an assistant to the authorization server. */
export const unauthorized = (detail: string, site: string, error?: string): AppError =>
	new AppError(401, detail, {
		code: error === undefined ? "key_needed" : "key_invalid",
		headers: { "www-authenticate": challenge(site, error) },
	});
