/**
 * Tokens that pages carry to what they read (`/web/data`): set as a cookie when the page is sent, for an hour and for the network
 * that it was sent to. They limit programs to fetching a page first; what those can read then is limited by its rows of a day.
 */
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { networkOf } from "../callers/addresses.ts";
import type { Transport } from "../calls/call.ts";

export interface PageTokens {
	/** The `Set-Cookie` of a page that is sent to this address. */
	cookieFor(ip: string, isSecure: boolean): string;
	/** Whether a page of this service sent the request, as far as its headers say. */
	isFromPage(request: Pick<Transport, "ip" | "headers">): boolean;
}

export interface PageTokensOptions {
	/** A secret that all replicas have. Without one a token is valid in this process alone. */
	shared: string | undefined;
	now: () => Date;
}

const name = "page";
const lifeSeconds = 3_600;

export function openPageTokens({ shared, now }: PageTokensOptions): PageTokens {
	// Derived slowly, because tokens are public: guessing the secret from one must stay expensive.
	const key = shared === undefined ? randomBytes(32) : scryptSync(shared, "page tokens", 32);
	const sign = (ip: string, expires: string) =>
		createHmac("sha256", key)
			.update(`${networkOf(ip)} ${expires}`)
			.digest("base64url");
	const nowSeconds = () => Math.floor(now().getTime() / 1_000);
	return {
		cookieFor(ip, isSecure) {
			const expires = String(nowSeconds() + lifeSeconds);
			const attributes = `Path=/web/data; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
			return `${name}=${expires}.${sign(ip, expires)}; ${attributes}`;
		},
		isFromPage({ ip, headers }) {
			// Only browsers send it, and not to addresses by plain http.
			if ((headers["sec-fetch-site"] ?? "same-origin") !== "same-origin") return false;
			const [, expires = "", signature = ""] =
				/(?:^|;\s*)page=(\d{1,12})\.([\w-]{43})(?:;|$)/.exec(headers.cookie ?? "") ?? [];
			return Number(expires) > nowSeconds() && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(ip, expires)));
		},
	};
}
