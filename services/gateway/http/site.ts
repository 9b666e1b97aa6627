/** Where callers reach the service, for documents whose links have to be whole. */
import type { FastifyRequest } from "fastify";

/**
 * With its scheme, without a slash at the end: as it is configured, else as this request was sent. `Host` is the caller's own word, and
 * stands in commands: what is no plain address becomes localhost.
 */
export function siteOf(
	publicUrl: string | undefined,
	{ protocol, host }: Pick<FastifyRequest, "protocol" | "host">,
): string {
	if (publicUrl) return publicUrl;
	const sent = `${protocol}://${host}`;
	const isAddress = /^[\w.:[\]-]{1,255}$/.test(host) && URL.canParse(sent);
	return isAddress ? new URL(sent).origin : `${protocol}://localhost`;
}
