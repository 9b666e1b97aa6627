/** Errors that say nothing of a statement, only that the database cannot be asked right now. */
import { codeOf } from "#libs/contract/errors.ts";

/** The client's own, the network's. */
const connectionErrors =
	/^(CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$)/;
/** Of TLS: a certificate that is not, or no longer, to be trusted. */
const trustErrors = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_CERT_|DEPTH_ZERO_|UNABLE_TO_)/;
/**
 * PostgreSQL's: connection exceptions; no room on the disk, in memory or for a connection; shut down or starting up; a disk that fails;
 * a standby that is not promoted yet.
 */
const serverErrors = /^(08...|25006|53[0-3]00|57P0[1-5]|58030)$/;

/**
 * A statement cancelled at its timeout, a lock not had in time, no connection free in time (driver.ts). Of a statement that repeats it, or of
 * too many of them, not of a database that is away.
 */
const slowErrors = /^(57014|55P03|POOL_TIMEOUT)$/;

/** Whether trying again later may help although nothing was wrong with the statement. */
export function isDatabaseAway(error: unknown): boolean {
	const code = codeOf(error);
	return [connectionErrors, trustErrors, serverErrors].some((errors) => errors.test(code));
}

/** Whether the database was asked and gave up: it has too much to do, or the statement too much to read. */
export function isDatabaseSlow(error: unknown): boolean {
	return slowErrors.test(codeOf(error));
}
