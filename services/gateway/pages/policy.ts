/** Content-Security-Policy of pages. */

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
