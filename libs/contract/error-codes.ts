/** Error codes for programs. The codes are stable; the texts may be reworded. */

interface ErrorNote {
	/** HTTP status. */
	status: number;
	when: string;
	/** A sentence that explains how the caller can correct the error. */
	remedy: string;
}

/** Notes by code. The first code of a status is the default for errors with that status. */
export const errorCodes = {
	bad_request: {
		status: 400,
		when: "The request cannot be read: its encoding, its JSON or its form.",
		remedy: "Correct the request; the same one will be refused again.",
	},
	statement_refused: {
		status: 400,
		when: "`POST /query`: the statement uses something that is not allowed; `detail` names it and its position. It is not charged.",
		remedy: "Write it with the views and functions of `/query/schema`.",
	},
	statement_failed: {
		status: 400,
		when: "`POST /query`: the statement ran and failed; `detail` names the kind (time, memory, a conversion). It counts as a query of a plan; a payment is not charged.",
		remedy: "Ask for less: fewer rows, fewer joins, a narrower filter.",
	},
	payment_required: {
		status: 402,
		when: "Without a key this call requires payment, or its payment was not accepted.",
		remedy: "Pay as the body describes, or send a key.",
	},
	spend_cap_reached: {
		status: 402,
		when: "The daily cap of the key (403) or of the prepaid credits (402) is reached.",
		remedy: "Wait for the day (UTC) to end (`Retry-After`), or change the cap: `PATCH /keys`, `PATCH /credits`.",
	},
	forbidden: {
		status: 403,
		when: "The caller may not do this; `detail` explains why.",
		remedy: "Read `detail`; the same request will be refused again.",
	},
	key_needed: {
		status: 403,
		when: "The call requires a key and has none (`/mcp`: 401, with how to be authorized).",
		remedy: "Send `X-API-Key`; `/register` issues a free key.",
	},
	key_invalid: {
		status: 403,
		when: "The key is mistyped, unknown, revoked or expired, or several were sent; or an access token is not valid (401).",
		remedy: "Check the key; after a rotation use the new one.",
	},
	not_found: {
		status: 404,
		when: "The id or the path does not exist.",
		remedy: "Find the id with a list or `/search`.",
	},
	method_not_allowed: {
		status: 405,
		when: "The path exists, but not with this method.",
		remedy: "Use a method of the header `Allow`.",
	},
	request_timeout: {
		status: 408,
		when: "The request did not arrive in time.",
		remedy: "Send it again on a new connection.",
	},
	conflict: {
		status: 409,
		when: "The request conflicts with an earlier one: an account that exists, a key or a payment that was used.",
		remedy: "Read the current state, then decide.",
	},
	payment_pending: {
		status: 409,
		when: "It is not yet known whether a payment for this request was charged (503 if this request began the charge).",
		remedy: "Repeat the request with the same payment after `Retry-After`: nothing is charged twice.",
	},
	gone: {
		status: 410,
		when: "The id was published earlier and no longer exists; `detail` explains why. It is never reused.",
		remedy: "Remove the id, or request the day that `detail` names.",
	},
	precondition_failed: {
		status: 412,
		when: "The file does not match `If-Match`: the data has changed. The request is not counted.",
		remedy: "Fetch the whole file again; `If-Range` instead of `If-Match` does this automatically.",
	},
	body_too_large: { status: 413, when: "The body is too large.", remedy: "Send less in one request." },
	address_too_long: {
		status: 414,
		when: "The address, or one of its parameters, is too long.",
		remedy: "Use fewer values in one request.",
	},
	unsupported_media_type: {
		status: 415,
		when: "The body is neither JSON nor a form, or has a `Content-Encoding`.",
		remedy: "Send `Content-Type: application/json`, not compressed.",
	},
	range_not_satisfiable: {
		status: 416,
		when: "The file has none of the bytes of `Range`.",
		remedy: "Request the length first (`HEAD`).",
	},
	invalid_parameters: {
		status: 422,
		when: "A parameter is unknown, missing or out of range; `errors` has an entry for each.",
		remedy: "Correct the parameters that `errors` names.",
	},
	rate_limited: {
		status: 429,
		when: "Too many requests in a short time.",
		remedy: "Wait for the time in `Retry-After`, and spread requests.",
	},
	quota_used_up: {
		status: 429,
		when: "The monthly queries are used up.",
		remedy: "Wait for the month to end (`Retry-After`), or change the plan.",
	},
	headers_too_large: { status: 431, when: "The headers are too many or too long.", remedy: "Send fewer." },
	internal_error: {
		status: 500,
		when: "An error in the service.",
		remedy: "Try again later; include the `X-Request-Id` when you report it.",
	},
	unavailable: {
		status: 503,
		when: "A part of the service does not respond.",
		remedy: "Try again after `Retry-After`.",
	},
} as const satisfies Record<string, ErrorNote>;

export type ErrorCode = keyof typeof errorCodes;

const byStatus = new Map<number, ErrorCode>();
for (const [code, { status }] of Object.entries(errorCodes) as [ErrorCode, ErrorNote][])
	if (!byStatus.has(status)) byStatus.set(status, code);

/** Default code of a status. */
export const codeOfStatus = (status: number): ErrorCode =>
	byStatus.get(status) ?? (status < 500 ? "bad_request" : "internal_error");

export const isErrorCode = (code: unknown): code is ErrorCode =>
	typeof code === "string" && Object.hasOwn(errorCodes, code);
