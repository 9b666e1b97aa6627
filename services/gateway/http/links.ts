/** The address of the service, and the header `Link` (RFC 8288) with the other pages of a list. */
import type { FastifyRequest } from "fastify";

/** Parameters of a list that choose a page. */
export interface Paged {
	page?: number;
	per_page?: number;
	cursor?: string;
}

/** The header `link` of the response at `url`; empty if the response is not a list with pages. */
export function pageLinks(url: string, params: object, body: Uint8Array): { link?: string } {
	const { page, per_page, cursor } = params as Paged;
	if (page === undefined || per_page === undefined) return {};
	const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	const to = new URL(url);
	const links = cursor === undefined ? byNumber(to, page, readPageCount(bytes)) : byCursor(to, readNextCursor(bytes));
	return links.length === 0 ? {} : { link: links.join(", ") };
}

function byNumber(to: URL, page: number, pages: number | undefined): string[] {
	if (pages === undefined || pages < 2) return [];
	const at = (number: number, rel: string) => linkTo(to, "page", String(number), rel);
	return [
		at(1, "first"),
		...(page > 1 ? [at(Math.min(page - 1, pages), "prev")] : []),
		...(page < pages ? [at(page + 1, "next")] : []),
		at(pages, "last"),
	];
}

const byCursor = (to: URL, next: string | undefined): string[] =>
	next === undefined ? [] : [linkTo(to, "cursor", next, "next")];

function linkTo(to: URL, parameter: "page" | "cursor", value: string, rel: string): string {
	to.searchParams.set(parameter, value);
	return `<${to.pathname}${to.search}>; rel="${rel}"`;
}

/**
 * Searches the bytes, because parsing them would take much longer. Quotation marks inside JSON strings are escaped, so the search finds only the
 * key.
 */
function readPageCount(bytes: Buffer): number | undefined {
	const match = /^\d{1,16}/.exec(textAfter(bytes, '"pages":'));
	return match === null ? undefined : Number(match[0]);
}

function readNextCursor(bytes: Buffer): string | undefined {
	return /^"([A-Za-z0-9_-]+)"/.exec(textAfter(bytes, '"next_cursor":'))?.[1];
}

const maxJsonValueBytes = 4_096;

function textAfter(bytes: Buffer, name: string): string {
	const at = bytes.lastIndexOf(name);
	if (at < 0) return "";
	const from = at + name.length;
	return bytes.toString("latin1", from, from + maxJsonValueBytes).trimStart();
}

/**
 * Scheme and host of the service without a trailing slash: `PUBLIC_URL`, or else the address of this request. `X-Forwarded-Host` is ignored
 * even from trusted proxies, because most forward the header that the caller sent. Documents print the address inside shell commands, so
 * anything that is not a plain http address is replaced by localhost.
 */
export function siteOf(
	publicUrl: string | undefined,
	{ protocol, headers: { host = "" } }: Pick<FastifyRequest, "protocol" | "headers">,
): string {
	if (publicUrl) return publicUrl;
	const requested = `${protocol}://${host}`;
	const isAddress = /^https?$/.test(protocol) && /^[\w.:[\]-]{1,255}$/.test(host);
	return (isAddress ? URL.parse(requested)?.origin : undefined) ?? "http://localhost";
}
