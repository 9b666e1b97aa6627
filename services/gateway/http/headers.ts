/** Headers that do not depend on the response, and the Content-Security-Policy of pages. */
import { about } from "#libs/contract/documents/about.ts";

/** Headers of every response, including errors. Pages of any origin may use the interface, because no cookie identifies a caller. */
export const commonHeaders = {
	/** Version of the interface: its first number changes with a breaking change. */
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

/** The common headers, with `Strict-Transport-Security` if callers use TLS. */
export const commonHeadersFor = (publicUrl: string | undefined): Record<string, string> =>
	publicUrl?.startsWith("https://") === true
		? { ...commonHeaders, "strict-transport-security": "max-age=31536000" }
		: commonHeaders;

/** Headers of the response to a browser's preflight request. */
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

/** Policy of pages: scripts, styles and data of this service only. `data:` images are icons in the style sheet. */
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

/** Policy of a page whose script starts workers. */
export const workerPolicy = `${pagePolicy}; worker-src 'self'`;
