/** Distinguishes errors of an unavailable or overloaded database from errors of the statement. */
import { codeOf } from "#libs/contract/errors.ts";

/** Connection errors of the PostgreSQL driver and of the network. */
const connectionErrors =
	/^(CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$)/;
/** TLS errors: a certificate that is not, or no longer, trusted. */
const trustErrors = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_CERT_|DEPTH_ZERO_|UNABLE_TO_)/;
/**
 * PostgreSQL's errors: connection exceptions; disk, memory or connections exhausted; shutting down or starting up; I/O errors; a standby that
 * has not been promoted yet.
 */
const serverErrors = /^(08...|25006|53[0-3]00|57P0[1-5]|58030)$/;

/**
 * Statement timeout, lock timeout, pool timeout (driver.ts): the database is available, but the statement takes too long, or too many
 * statements are waiting.
 */
const slowErrors = /^(57014|55P03|POOL_TIMEOUT)$/;

/** Whether the database is unavailable, so that the same statement may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
	const code = codeOf(error);
	return [connectionErrors, trustErrors, serverErrors].some((errors) => errors.test(code));
}

/** Whether a timeout ended the statement: the database is overloaded, or the statement reads too much. */
export function isDatabaseSlow(error: unknown): boolean {
	return slowErrors.test(codeOf(error));
}
