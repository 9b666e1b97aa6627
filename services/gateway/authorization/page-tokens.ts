/**
 * Tokens that allow a page to read data below `/web/data`. Each page sets one as a cookie, valid for an hour and for the caller's network.
 * A program has to fetch a page first, and can then read at most the rows that a network may read in a day.
 */
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { networkOf } from "../callers/addresses.ts";
import type { Transport } from "../calls/call.ts";

export interface PageTokens {
	cookieFor(ip: string, isSecure: boolean): string;
	/** Whether the request comes from a page of this service, as far as its headers show. */
	isFromPage(request: Pick<Transport, "ip" | "headers">): boolean;
}

export interface PageTokensOptions {
	/** A secret that all replicas share. Without one a token is valid only in this process. */
	shared: string | undefined;
	now: () => Date;
}

const cookieName = "page";
const tokenLifeSeconds = 3_600;

export function openPageTokens({ shared, now }: PageTokensOptions): PageTokens {
	// scrypt makes it expensive to guess the secret from a token, which is public.
	const key = shared === undefined ? randomBytes(32) : scryptSync(shared, "page tokens", 32);
	const sign = (ip: string, expires: string) =>
		createHmac("sha256", key)
			.update(`${networkOf(ip)} ${expires}`)
			.digest("base64url");
	const nowSeconds = () => Math.floor(now().getTime() / 1_000);
	return {
		cookieFor(ip, isSecure) {
			const expires = String(nowSeconds() + tokenLifeSeconds);
			const attributes = `Path=/web/data; Max-Age=${tokenLifeSeconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
			return `${cookieName}=${expires}.${sign(ip, expires)}; ${attributes}`;
		},
		isFromPage({ ip, headers }) {
			// Only browsers send this header, and only over https, so its absence proves nothing.
			if ((headers["sec-fetch-site"] ?? "same-origin") !== "same-origin") return false;
			const [, expires = "", signature = ""] =
				/(?:^|;\s*)page=(\d{1,12})\.([\w-]{43})(?:;|$)/.exec(headers.cookie ?? "") ?? [];
			return Number(expires) > nowSeconds() && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(ip, expires)));
		},
	};
}
