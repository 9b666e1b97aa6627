/**
 * Access tokens of `/mcp`, each of which stands for an API key. They are not cached, because messages of assistants are few: a revoked token
 * is refused with the next one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import { digestOf } from "#libs/contract/key.ts";
import { clientAddress } from "../callers/addresses.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { bearerOf } from "../callers/secrets.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { AskBilling } from "../payments/billing.ts";
import { keyCaller } from "./api-key-cache.ts";
import { challenge } from "./oauth-metadata.ts";

/** A bearer token that is neither a key nor prepaid credits. */
export function accessTokenIn({ authorization }: IncomingHttpHeaders): string | undefined {
	const bearer = authorization === undefined ? undefined : bearerOf(authorization);
	return bearer === undefined || /^(pk|cr)_/.test(bearer) ? undefined : bearer;
}

/** The caller behind a token for `<site>/mcp`. @throws AppError 401 for any other token, 429 for too many of them, 503 without billing */
export type ResolveToken = (token: string, from: { ip: string; site: string }) => Promise<KeyCaller>;

export const tokenResolver =
	(ask: AskBilling, abuseThrottle: AbuseThrottle): ResolveToken =>
	async (token, { ip, site }) => {
		const { address } = clientAddress(ip);
		abuseThrottle.check("key", address);
		const { grant } = await ask("resolveAccessToken", { sha256: digestOf(token), resource: `${site}/mcp` });
		if (grant !== null) return keyCaller(grant);
		await abuseThrottle.count("key", address);
		throw unauthorized("the access token is not valid here, has expired or was revoked", site, "invalid_token");
	};

/** The response by which an assistant learns where to be authorized. */
export const unauthorized = (detail: string, site: string, error?: string): AppError =>
	new AppError(401, detail, {
		code: error === undefined ? "key_needed" : "key_invalid",
		headers: { "www-authenticate": challenge(site, error) },
	});
