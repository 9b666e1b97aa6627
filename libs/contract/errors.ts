/** The one kind of error that reaches a caller: the same on the bus, and over HTTP a problem (RFC 9457) with its `detail` and `code`. */
import { codeOfStatus, type ErrorCode, isErrorCode } from "./error-codes.ts";

export interface FieldError {
	/** Where: `["query", "per_page"]`. */
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
	 * Whether it counts like an answer, where the status does not say: true of what was worked on before it failed by its own doing,
	 * false of what was refused before anything was done.
	 */
	readonly counts: boolean | undefined;
	/** Further headers of the answer over HTTP, set by the gateway; they do not cross the bus. */
	readonly headers: Record<string, string | string[]> | undefined;

	constructor(
		status: number,
		detail: string,
		more: {
			/** By default that of the status. */
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

	/** The body of the answer: a `detail` sentence, the code, and for a 422 the fields it is about. */
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
/** For things that were published once and no longer exist; `detail` says why. */
export const gone = (detail: string) => new AppError(410, detail);
/** `counts`: as of AppError. */
export const invalid = (errors: FieldError[], more: { counts?: boolean } = {}) =>
	new AppError(
		422,
		errors.map(({ loc, msg }) => `${loc.slice(1).join(".") || (loc[0] ?? "request")}: ${msg}`).join("; "),
		{ errors, ...more },
	);
export const tooManyRequests = (detail: string, retryAfterSeconds: number) =>
	new AppError(429, detail, { retryAfterSeconds });
export const unavailable = (detail: string, retryAfterSeconds = 1) => new AppError(503, detail, { retryAfterSeconds });

/** The name that Node.js, PostgreSQL and libraries give an error (`ECONNREFUSED`, `57014`); empty where there is none. */
export const codeOf = (error: unknown): string =>
	error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const problemType = "application/problem+json; charset=utf-8";

interface Failure {
	detail: string;
	code?: string;
	type?: string;
	title?: string;
}

/** The problem. What names its own type (how to pay, which limit) keeps it; any other has the address of the code's explanation. */
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
	/** A URI reference to what explains it. */
	type: string;
	title: string;
	status: number;
	detail: string;
	code: ErrorCode;
	/** As in the header X-Request-Id. Absent where nothing could be read of the request. */
	request_id?: string;
}
