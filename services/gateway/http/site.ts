/** Where callers reach the service, for documents whose links have to be whole. */
import type { FastifyRequest } from "fastify";

/**
 * With its scheme, without a slash at the end: as it is configured, else as this request was sent. `Host` is the caller's own word: what
 * is no address becomes localhost.
 */
export function siteOf(
	publicUrl: string | undefined,
	{ protocol, host }: Pick<FastifyRequest, "protocol" | "host">,
): string {
	if (publicUrl) return publicUrl;
	const sent = `${protocol}://${host}`;
	return URL.canParse(sent) ? new URL(sent).origin : `${protocol}://localhost`;
}
