/** The message of a failure, and the exit code: scripts branch on it. */
import { ApiError, SpendCapError } from "../index.ts";

export const exitCodes = {
	failed: 1,
	/** Flags, values, statements: the same command fails again. */
	usage: 2,
	/** No key where one is needed, a wrong one, a quota or cap that is used up. */
	access: 3,
	notFound: 4,
	/** Not reached, overloaded or failing: worth another try. */
	unavailable: 5,
} as const;

/** The command cannot be run as it was given. */
export class UsageError extends Error {
	override name = "UsageError";
}

/** It cannot be done, whatever the flags are: a file that cannot be written, a download that does not arrive. */
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
	// Thrown by `fetch` when an answer breaks off.
	if (error instanceof TypeError && error.message === "terminated")
		return { text: `the answer of ${url} broke off: ${causeOf(error)}`, exitCode: exitCodes.unavailable };
	const isOfSystem = error instanceof Error && "syscall" in error;
	return {
		text: isOfSystem ? error.message : String(error instanceof Error ? (error.stack ?? error) : error),
		exitCode: exitCodes.failed,
	};
}

function refusalText({ message, code, errors, requestId }: ApiError): string {
	const fields = errors.map(({ loc, msg }) => `  ${flagOf(loc)}: ${msg}`);
	const known = [`  code: ${code}`, ...(requestId === undefined ? [] : [`  request_id: ${requestId}`])];
	return [message, ...fields, ...known].join("\n");
}

/** `["query", "capacity_min"]` is `--capacity-min`. */
const flagOf = (loc: readonly string[]): string => `--${String(loc.at(-1) ?? "").replaceAll("_", "-")}`;

function exitCodeOf({ status }: ApiError): number {
	if (status === 400 || status === 422) return exitCodes.usage;
	if (status === 401 || status === 402 || status === 403) return exitCodes.access;
	if (status === 404 || status === 410) return exitCodes.notFound;
	return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.failed;
}

/** The innermost: `fetch` wraps what the network said. */
function causeOf(error: Error): string {
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	// Each of several addresses that were tried has its own error.
	const [first] = cause instanceof AggregateError ? cause.errors : [];
	return (first instanceof Error ? first.message : cause.message) || String((cause as { code?: string }).code);
}
