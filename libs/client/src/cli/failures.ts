/** Error messages, and exit codes for scripts. */
import { ApiError, SpendCapError } from "../index.ts";

export const exitCodes = {
	failed: 1,
	/** Wrong flags, values or statements: the same command will fail again. */
	usage: 2,
	/** The key is missing, wrong or not sufficient, a payment is required, or a quota or cap is used up. */
	access: 3,
	notFound: 4,
	/** The service is unreachable, overloaded or failing; a retry may succeed. */
	unavailable: 5,
} as const;

/** The command line is wrong. */
export class UsageError extends Error {
	override name = "UsageError";
}

/** The command failed regardless of its flags: a file cannot be written, or a download does not complete. */
export class CommandError extends Error {
	override name = "CommandError";
}

export function failureOf(error: unknown, url: string | undefined): { text: string; exitCode: number } {
	if (error instanceof ApiError) return { text: refusalText(error), exitCode: exitCodeOf(error) };
	if (error instanceof UsageError) return { text: error.message, exitCode: exitCodes.usage };
	if (error instanceof CommandError || error instanceof SpendCapError)
		return { text: error.message, exitCode: exitCodes.failed };
	if (error instanceof TypeError && error.message === "fetch failed")
		return { text: `${url} cannot be reached: ${causeOf(error)}`, exitCode: exitCodes.unavailable };
	// Thrown by `fetch` when a response is interrupted.
	if (error instanceof TypeError && error.message === "terminated")
		return { text: `the response of ${url} was interrupted: ${causeOf(error)}`, exitCode: exitCodes.unavailable };
	const isSystemError = error instanceof Error && "syscall" in error;
	return {
		text: isSystemError ? error.message : String(error instanceof Error ? (error.stack ?? error) : error),
		exitCode: exitCodes.failed,
	};
}

function refusalText({ message, code, errors, requestId }: ApiError): string {
	const fields = errors.map(({ loc, msg }) => `  ${flagOf(loc)}: ${msg}`);
	const details = [`  code: ${code}`, ...(requestId === undefined ? [] : [`  request_id: ${requestId}`])];
	return [message, ...fields, ...details].join("\n");
}

/** `["query", "capacity_min"]` is `--capacity-min`. */
const flagOf = (loc: readonly string[]): string => `--${String(loc.at(-1) ?? "").replaceAll("_", "-")}`;

function exitCodeOf({ status, code }: ApiError): number {
	if (status === 400 || status === 422) return exitCodes.usage;
	if (status === 401 || status === 402 || status === 403 || code === "quota_used_up") return exitCodes.access;
	if (status === 404 || status === 410) return exitCodes.notFound;
	return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.failed;
}

/** The message of the network error that `fetch` wraps. */
function causeOf(error: Error): string {
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	// An AggregateError has an error for each address that was tried.
	const [first] = cause instanceof AggregateError ? cause.errors : [];
	return (first instanceof Error ? first.message : cause.message) || String((cause as { code?: string }).code);
}
