/** Classifies database errors: unavailable or overloaded, in contrast to errors of the statement. */
import { codeOf } from "#libs/contract/errors.ts";

/** Errors of the client and of the network. */
const connectionErrors =
	/^(CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$)/;
/** TLS errors: a certificate that is not, or no longer, trusted. */
const trustErrors = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_CERT_|DEPTH_ZERO_|UNABLE_TO_)/;
/**
 * PostgreSQL's errors: connection exceptions; disk, memory or connections exhausted; shutting down or starting up; I/O errors;
 * a standby that is not promoted yet.
 */
const serverErrors = /^(08...|25006|53[0-3]00|57P0[1-5]|58030)$/;

/**
 * A statement timeout, a lock timeout, a pool timeout (driver.ts): the statement is too slow, or there are too many of them; the
 * database is available.
 */
const slowErrors = /^(57014|55P03|POOL_TIMEOUT)$/;

/** Whether the database is unavailable, so that a later attempt of the same statement may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
	const code = codeOf(error);
	return [connectionErrors, trustErrors, serverErrors].some((errors) => errors.test(code));
}

/** Whether a timeout ended the statement: the database is overloaded, or the statement reads too much. */
export function isDatabaseSlow(error: unknown): boolean {
	return slowErrors.test(codeOf(error));
}
