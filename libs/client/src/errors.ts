export interface FieldProblem {
	loc: string[];
	msg: string;
}

/** An error response of the service: a problem document (RFC 9457). */
export class ApiError extends Error {
	override name = "ApiError";
	readonly status: number;
	/** Stable code for programs; the message may be reworded. */
	readonly code: string;
	/** The invalid parameters, if the status is 422. */
	readonly errors: readonly FieldProblem[];
	/** Include it in error reports. */
	readonly requestId: string | undefined;
	/** Seconds after which to try again, if the service states them. */
	readonly retryAfterSeconds: number | undefined;
	/** The whole body of the response. */
	readonly problem: Readonly<Record<string, unknown>>;

	constructor(status: number, problem: Record<string, unknown>, headers: Headers) {
		super(typeof problem.detail === "string" ? problem.detail : `the service responded with status ${status}`);
		this.status = status;
		this.code = typeof problem.code === "string" ? problem.code : "unknown";
		this.errors = Array.isArray(problem.errors) ? problem.errors : [];
		this.requestId = headers.get("x-request-id") ?? undefined;
		const after = headers.get("retry-after");
		this.retryAfterSeconds = after === null ? undefined : Number(after);
		this.problem = problem;
	}
}

/** Whether a retry would fail again: true for all errors except 429, 5xx and lost connections. */
export const isFinal = (error: unknown): boolean =>
	error instanceof SpendCapError || (error instanceof ApiError && error.status < 500 && error.status !== 429);

/** A payment would have exceeded the caller's limit; nothing was paid. */
export class SpendCapError extends Error {
	override name = "SpendCapError";
	readonly priceUsd: number;
	readonly spentUsd: number;
	readonly maxUsd: number;

	constructor(priceUsd: number, spentUsd: number, maxUsd: number) {
		super(`the call costs $${priceUsd}, but $${spentUsd} of the maximum of $${maxUsd} is already spent`);
		this.priceUsd = priceUsd;
		this.spentUsd = spentUsd;
		this.maxUsd = maxUsd;
	}
}

/** Reads the problem document of an error response, whose body may also be the error page of a proxy. */
export async function errorOf(response: Response): Promise<ApiError> {
	const { status, type, headers } = response;
	// A browser hides the status and the location of a redirect.
	if (type === "opaqueredirect" || (status >= 300 && status < 400 && headers.has("location")))
		return new ApiError(status, { code: "redirected", detail: redirectedTo(headers.get("location")) }, headers);
	const text = await response.text();
	let problem: Record<string, unknown>;
	try {
		problem = JSON.parse(text);
	} catch {
		problem = { detail: `the server responded with status ${response.status}: ${text.slice(0, 200)}` };
	}
	return new ApiError(response.status, problem, response.headers);
}

function redirectedTo(location: string | null): string {
	return `the server redirects${location === null ? "" : ` to ${location}`}; redirects are not followed: baseUrl must be the service's own address`;
}
