/** Where callers reach the service, for documents whose links have to be whole. */
import type { FastifyRequest } from "fastify";

/**
 * With its scheme, without a slash at the end: `PUBLIC_URL` if it is set, otherwise the address of this request. The caller chooses `Host` and,
 * behind a trusted proxy, the scheme, and documents print them inside shell commands: anything but a plain http address becomes localhost.
 */
export function siteOf(
	publicUrl: string | undefined,
	{ protocol, host }: Pick<FastifyRequest, "protocol" | "host">,
): string {
	if (publicUrl) return publicUrl;
	const sent = `${protocol}://${host}`;
	const isAddress = /^https?$/.test(protocol) && /^[\w.:[\]-]{1,255}$/.test(host) && URL.canParse(sent);
	return isAddress ? new URL(sent).origin : "http://localhost";
}
