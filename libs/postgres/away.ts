/** Errors that say nothing of a statement, only that the database cannot be asked right now. */

/** The client's own, the network's. */
const connectionErrors =
	/^(CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$)/;
/** PostgreSQL's: connection exceptions, too many connections, shut down or starting up; a standby that is not promoted yet. */
const serverErrors = /^(08...|25006|53300|57P0[1-5])$/;

/** Whether trying again later may help although nothing was wrong with the statement. */
export function isDatabaseAway(error: unknown): boolean {
	if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
	return connectionErrors.test(error.code) || serverErrors.test(error.code);
}
