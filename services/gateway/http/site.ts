/** Where callers reach the service, for documents whose links have to be whole. Links within the service are relative. */
import type { FastifyRequest } from "fastify";

/**
 * With its scheme, without a slash at the end: `PUBLIC_URL` if it is set, otherwise the address of this request. `X-Forwarded-Host` is ignored,
 * from trusted proxies too: most pass on what the caller sent, and no cache keeps its answers apart. The caller chooses `Host` and, behind a
 * trusted proxy, the scheme, and documents print them inside shell commands: anything but a plain http address becomes localhost.
 */
export function siteOf(
	publicUrl: string | undefined,
	{ protocol, headers: { host = "" } }: Pick<FastifyRequest, "protocol" | "headers">,
): string {
	if (publicUrl) return publicUrl;
	const sent = `${protocol}://${host}`;
	const isAddress = /^https?$/.test(protocol) && /^[\w.:[\]-]{1,255}$/.test(host);
	return (isAddress ? URL.parse(sent)?.origin : undefined) ?? "http://localhost";
}
