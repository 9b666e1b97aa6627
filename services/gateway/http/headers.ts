/** Headers that do not depend on the answer. */

/** Of every answer, errors included. The interface is public and read-only, so any page may read it. */
export const everyAnswer = {
	"access-control-allow-origin": "*",
	"access-control-expose-headers": "Content-Disposition, ETag, Retry-After, X-Data-Version, X-Request-Id",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-resource-policy": "cross-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
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

/** Answers a browser that asks whether it may ask. */
export const preflight = {
	"access-control-allow-headers": "If-None-Match, X-API-Key",
	"access-control-max-age": "86400",
} as const;
