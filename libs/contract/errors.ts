/**
 * Errors for callers. They are the same on the bus and over HTTP, where they are problem documents (RFC 9457) with a `detail` and a `code`.
 */
import { codeOfStatus, type ErrorCode, isErrorCode } from "./error-codes.ts";

export interface FieldError {
	/** Location of the invalid value: `["query", "per_page"]`. */
	loc: string[];
	msg: string;
}

export class AppError extends Error {
	override name = "AppError";
	readonly status: number;
	readonly code: ErrorCode;
	readonly errors: FieldError[] | undefined;
	/** Seconds after which the caller may try again (429, 503). */
	readonly retryAfterSeconds: number | undefined;
	/**
	 * Whether the request counts against limits like a successful one. Set if the status does not determine this: true if the request failed after
	 * work had been done for it, false if it was refused before.
	 */
	readonly counts: boolean | undefined;
	/** Additional response headers, set by the gateway; they do not cross the bus. */
	readonly headers: Record<string, string | string[]> | undefined;

	constructor(
		status: number,
		detail: string,
		more: {
			/** Default: the first code of the status. */
			code?: ErrorCode;
			errors?: FieldError[];
			retryAfterSeconds?: number;
			counts?: boolean;
			headers?: Record<string, string | string[]>;
		} = {},
	) {
		super(detail);
		this.status = status;
		this.code = more.code ?? codeOfStatus(status);
		this.errors = more.errors;
		this.retryAfterSeconds = more.retryAfterSeconds;
		this.counts = more.counts;
		this.headers = more.headers;
	}

	/** Body of the response: `detail` (a sentence), the code, and for a 422 the invalid fields. */
	toJSON(): { detail: string; code: ErrorCode; errors?: FieldError[] } {
		const { message: detail, code, errors } = this;
		return errors === undefined ? { detail, code } : { detail, code, errors };
	}
}

export const badRequest = (detail: string) => new AppError(400, detail);
export const forbidden = (detail: string) => new AppError(403, detail);
export const keyNeeded = (detail: string) => new AppError(403, detail, { code: "key_needed" });
export const keyInvalid = (detail: string) => new AppError(403, detail, { code: "key_invalid" });
export const conflict = (detail: string) => new AppError(409, detail);
export const notFound = (detail: string) => new AppError(404, detail);
/** The error for IDs that were published but no longer exist; `detail` explains why. */
export const gone = (detail: string) => new AppError(410, detail);
/** The error for invalid parameters. For `counts`, see AppError. */
export const invalid = (errors: FieldError[], more: { counts?: boolean } = {}) =>
	new AppError(
		422,
		errors.map(({ loc, msg }) => `${loc.slice(1).join(".") || (loc[0] ?? "request")}: ${msg}`).join("; "),
		{ errors, ...more },
	);
export const tooManyRequests = (detail: string, retryAfterSeconds: number) =>
	new AppError(429, detail, { retryAfterSeconds });
export const unavailable = (detail: string, retryAfterSeconds = 1) => new AppError(503, detail, { retryAfterSeconds });

/** The error's code from Node.js, PostgreSQL or a library (`ECONNREFUSED`, `57014`); empty if it has none. */
export const codeOf = (error: unknown): string =>
	error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const problemType = "application/problem+json; charset=utf-8";

interface Failure {
	detail: string;
	code?: string;
	type?: string;
	title?: string;
}

/**
 * Converts a failure to a problem document. If the failure has a `type` (how to pay, which limit), it is retained; otherwise the type links to
 * the explanation of the code.
 */
export function problemOf<T extends Failure>(failure: T, status: number, requestId?: string): T & Problem {
	const code = isErrorCode(failure.code) ? failure.code : codeOfStatus(status);
	return {
		type: `/docs#error-${code}`,
		title: code[0]?.toUpperCase() + code.slice(1).replaceAll("_", " "),
		status,
		...failure,
		code,
		...(requestId !== undefined && { request_id: requestId }),
	};
}

export interface Problem {
	/** URI reference to the explanation of the problem. */
	type: string;
	title: string;
	status: number;
	detail: string;
	code: ErrorCode;
	/** The same as in the header X-Request-Id. Absent if the request could not be read. */
	request_id?: string;
}
