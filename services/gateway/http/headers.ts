/** Headers that do not depend on the answer, and the Content-Security-Policy of pages. */
import { about } from "#libs/contract/about.ts";

/** Of every answer, errors included. Any page may use the interface: no cookie stands for a caller, so who needs a key has to hold it. */
export const everyAnswer = {
	/** Of the interface: its first number changes when something that was promised does. */
	"api-version": about.version,
	"access-control-allow-origin": "*",
	"access-control-expose-headers": [
		"Accept-Ranges",
		"API-Version",
		"Content-Disposition",
		"Content-Length",
		"Content-Range",
		"Deprecation",
		"ETag",
		"Link",
		"Payment-Receipt",
		"PAYMENT-REQUIRED",
		"PAYMENT-RESPONSE",
		"RateLimit",
		"RateLimit-Policy",
		"Retry-After",
		"Sunset",
		"WWW-Authenticate",
		"X-Data-Version",
		"X-Request-Id",
		"X-Row-Count",
		"X-Schema-Version",
		"X-Seq",
		"X-Truncated",
	].join(", "),
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "cross-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
} as const;

/** The same; where callers come by TLS, `Strict-Transport-Security` asks for nothing else. */
export const headersOfAll = (publicUrl: string | undefined): Record<string, string> =>
	publicUrl?.startsWith("https://") === true
		? { ...everyAnswer, "strict-transport-security": "max-age=31536000" }
		: everyAnswer;

/** Answers a browser that asks whether it may ask. */
export const preflight = {
	"access-control-allow-headers": [
		"Accept-Payment",
		"Authorization",
		"Content-Type",
		"If-Match",
		"If-None-Match",
		"If-Range",
		"Last-Event-ID",
		"Mcp-Method",
		"Mcp-Name",
		"Mcp-Protocol-Version",
		"Payment-Authorization",
		"PAYMENT-SIGNATURE",
		"Range",
		"X-API-Key",
		"X-Credit-Token",
	].join(", "),
	"access-control-max-age": "86400",
} as const;

/** For a page of this service: scripts, styles and data from here only. `data:` images are the icons in its style sheet. */
export const pagePolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** For a page whose script starts workers. */
export const workerPolicy = `${pagePolicy}; worker-src 'self'`;
