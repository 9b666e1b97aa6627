/** Errors of a call. */

export interface FieldProblem {
	loc: string[];
	msg: string;
}

/** The service refused: a problem (RFC 9457). */
export class ApiError extends Error {
	override name = "ApiError";
	/** HTTP */
	readonly status: number;
	/** For programs: it stays what it is, while the message may be worded anew. */
	readonly code: string;
	/** With a 422: each parameter at fault. */
	readonly errors: readonly FieldProblem[];
	/** To name when a fault is reported. */
	readonly requestId: string | undefined;
	/** After how many seconds to try again, where the service says. */
	readonly retryAfterSeconds: number | undefined;
	/** All that was answered. */
	readonly problem: Readonly<Record<string, unknown>>;

	constructor(status: number, problem: Record<string, unknown>, headers: Headers) {
		super(typeof problem.detail === "string" ? problem.detail : `the service answered ${status}`);
		this.status = status;
		this.code = typeof problem.code === "string" ? problem.code : "unknown";
		this.errors = Array.isArray(problem.errors) ? problem.errors : [];
		this.requestId = headers.get("x-request-id") ?? undefined;
		const after = headers.get("retry-after");
		this.retryAfterSeconds = after === null ? undefined : Number(after);
		this.problem = problem;
	}
}

/** A refusal stays a refusal, except a passing one: too many requests, or a service that is away. */
export const isFinal = (error: unknown): boolean =>
	error instanceof SpendCapError || (error instanceof ApiError && error.status < 500 && error.status !== 429);

/** A payment would have exceeded what the caller allows; nothing was paid. */
export class SpendCapError extends Error {
	override name = "SpendCapError";
	readonly priceUsd: number;
	readonly spentUsd: number;
	readonly maxUsd: number;

	constructor(priceUsd: number, spentUsd: number, maxUsd: number) {
		super(`the call costs $${priceUsd}; $${spentUsd} of at most $${maxUsd} are spent`);
		this.priceUsd = priceUsd;
		this.spentUsd = spentUsd;
		this.maxUsd = maxUsd;
	}
}

/** Reads the problem of an answer that is an error. Another server's page, a proxy's, is none of ours. */
export async function errorOf(response: Response): Promise<ApiError> {
	const { status, type, headers } = response;
	// A browser hides where to.
	if (type === "opaqueredirect" || (status >= 300 && status < 400 && headers.has("location")))
		return new ApiError(status, { code: "redirected", detail: redirectedTo(headers.get("location")) }, headers);
	const text = await response.text();
	let problem: Record<string, unknown>;
	try {
		problem = JSON.parse(text);
	} catch {
		problem = { detail: `the server answered ${response.status}: ${text.slice(0, 200)}` };
	}
	return new ApiError(response.status, problem, response.headers);
}

function redirectedTo(location: string | null): string {
	return `the server redirects${location === null ? "" : ` to ${location}`}, which is not followed: baseUrl has to be the service's own address`;
}
