/** Codes of errors, for programs: a code stays, while the sentence beside it may be reworded. */

interface ErrorNote {
	/** HTTP */
	status: number;
	when: string;
	/** The caller's remedy. */
	remedy: string;
}

/** By code. The first of a status is what an error of that status is called unless it says otherwise. */
export const errorCodes = {
	bad_request: {
		status: 400,
		when: "The request cannot be read: its encoding, its JSON or its form.",
		remedy: "Correct the request; the same one is refused again.",
	},
	statement_refused: {
		status: 400,
		when: "`POST /query`: the statement uses what is not allowed; `detail` names it and its place. It costs nothing.",
		remedy: "Write it with the views and functions of `/query/schema`.",
	},
	statement_failed: {
		status: 400,
		when: "`POST /query`: the statement ran and failed; `detail` names the kind (time, memory, a conversion). It counts as a query of a plan; a payment is not charged.",
		remedy: "Ask for less: fewer rows, fewer joins, a narrower filter.",
	},
	payment_required: {
		status: 402,
		when: "Without a key this call is paid for, or the payment that came with it was not accepted.",
		remedy: "Pay as the body says, or send a key.",
	},
	spend_cap_reached: {
		status: 402,
		when: "What the key (403) or the prepaid credits (402) may spend in a day is spent.",
		remedy: "Wait for the day (UTC) to end (`Retry-After`), or change the cap: `PATCH /keys`, `PATCH /credits`.",
	},
	forbidden: {
		status: 403,
		when: "This is not for the caller; `detail` says why.",
		remedy: "Read `detail`; the same request is refused again.",
	},
	key_needed: {
		status: 403,
		when: "The call needs a key and has none.",
		remedy: "Send `X-API-Key`; a free key is at `/register`.",
	},
	key_invalid: {
		status: 403,
		when: "The key is mistyped, unknown, revoked or expired, or several were sent.",
		remedy: "Check the key; who has replaced it uses the new one.",
	},
	not_found: {
		status: 404,
		when: "There is no such thing, or nothing at this path.",
		remedy: "Look the id up with a list or `/search`.",
	},
	method_not_allowed: {
		status: 405,
		when: "The path is there, the method is not.",
		remedy: "Use one of the header `Allow`.",
	},
	request_timeout: {
		status: 408,
		when: "The request did not arrive in time.",
		remedy: "Send it again on a new connection.",
	},
	conflict: {
		status: 409,
		when: "It contradicts what was done before: an account that exists, a key or a payment that was used.",
		remedy: "Read the present state, then decide.",
	},
	payment_pending: {
		status: 409,
		when: "It is not known yet whether a payment for this request was charged (503 where this request began it).",
		remedy: "Repeat the request with the same payment after `Retry-After`: nothing is charged twice.",
	},
	gone: {
		status: 410,
		when: "The id was published once and stands for nothing now; `detail` says why. It is never given to another.",
		remedy: "Forget the id, or ask for the day that `detail` names.",
	},
	precondition_failed: {
		status: 412,
		when: "The file is none of those that `If-Match` names: the data has changed. It is not counted.",
		remedy: "Fetch the whole file again; `If-Range` in place of `If-Match` does so at once.",
	},
	body_too_large: { status: 413, when: "The body is too large.", remedy: "Send less at once." },
	address_too_long: {
		status: 414,
		when: "The address, or one of its parameters, is too long.",
		remedy: "Ask with fewer values at once.",
	},
	unsupported_media_type: {
		status: 415,
		when: "The body is neither JSON nor a form, or has a `Content-Encoding`.",
		remedy: "Send `Content-Type: application/json`, not compressed.",
	},
	range_not_satisfiable: {
		status: 416,
		when: "The file has none of the bytes that `Range` asks for.",
		remedy: "Ask for the length first (`HEAD`).",
	},
	invalid_parameters: {
		status: 422,
		when: "A parameter is unknown, missing or out of bounds; `errors` says which, one entry each.",
		remedy: "Correct the parameters that `errors` names.",
	},
	rate_limited: {
		status: 429,
		when: "Too many requests in a short time.",
		remedy: "Wait as long as `Retry-After` says, and spread requests.",
	},
	quota_used_up: {
		status: 429,
		when: "The queries of the month are used up.",
		remedy: "Wait for the month to end (`Retry-After`), or change the plan.",
	},
	headers_too_large: { status: 431, when: "The headers are too many or too long.", remedy: "Send fewer." },
	internal_error: {
		status: 500,
		when: "A fault of the service.",
		remedy: "Try again later; name the `X-Request-Id` when you report it.",
	},
	unavailable: {
		status: 503,
		when: "A part of the service does not answer.",
		remedy: "Try again after `Retry-After`.",
	},
} as const satisfies Record<string, ErrorNote>;

export type ErrorCode = keyof typeof errorCodes;

const byStatus = new Map<number, ErrorCode>();
for (const [code, { status }] of Object.entries(errorCodes) as [ErrorCode, ErrorNote][])
	if (!byStatus.has(status)) byStatus.set(status, code);

/** An error without a code of its own has that of its class of statuses. */
export const codeOfStatus = (status: number): ErrorCode =>
	byStatus.get(status) ?? (status < 500 ? "bad_request" : "internal_error");

export const isErrorCode = (code: unknown): code is ErrorCode =>
	typeof code === "string" && Object.hasOwn(errorCodes, code);
