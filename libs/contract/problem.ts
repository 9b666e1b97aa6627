/** An error over HTTP: a problem (RFC 9457) beside the `detail` and `code` that it is within the service. */
import { codeOfStatus, type ErrorCode, isErrorCode } from "./error-codes.ts";

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
