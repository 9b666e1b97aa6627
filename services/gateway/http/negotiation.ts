/** Content negotiation (RFC 9110, 12): chooses the compression, and between a page and JSON. */
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
	brotliCompress,
	constants,
	createBrotliCompress,
	createGzip,
	createZstdCompress,
	gzip,
	zstdCompress,
} from "node:zlib";
import type { FastifyRequest } from "fastify";

/** Names of encodings in `Content-Encoding`. If several have the same weight in `Accept-Encoding`, the first is used. */
export const contentEncodings = ["zstd", "br", "gzip"] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** Shorter bodies are not compressed, because they fit into one packet anyway. */
export const minBytesToCompress = 1_400;

/** Whether compression is worthwhile: images, fonts, Parquet and workbooks are compressed already. */
export const isCompressible = (mediaType: string): boolean => /^text\/|json|arrow|[/+]xml\b/.test(mediaType);

/** The client's preferred encoding; undefined if it prefers the plain bytes or names no known encoding. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): ContentEncoding | undefined {
	const weights = weightsOf([acceptEncoding ?? []].flat().join(","));
	const any = weights.get("*") ?? 0;
	let best: ContentEncoding | undefined;
	// The plain bytes are acceptable without being named, but any encoding that is named is preferred to them.
	let bestWeight = weights.get("identity") ?? 0;
	for (const encoding of contentEncodings) {
		const weight = weights.get(encoding) ?? any;
		if (weight === 0 || weight < bestWeight || (best !== undefined && weight === bestWeight)) continue;
		best = encoding;
		bestWeight = weight;
	}
	return best;
}

function weightsOf(accept: string): Map<string, number> {
	const weights = new Map<string, number>();
	for (const part of accept.toLowerCase().split(",")) {
		const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
		weights.set(name === "x-gzip" ? "gzip" : name, weightOf(parameters));
	}
	return weights;
}

/** The ETag of an encoded body. Each encoding is a separate representation, so it needs a separate strong ETag. */
export const encodedEtag = (etag: string, encoding: ContentEncoding): string => `${etag.slice(0, -1)}-${encoding}"`;

/** Options with measured compression levels: with a list and an export, the next levels took twice the time to save a tenth of the bytes. */
const gzipOptions = { level: 4 };
const brotliOptions = (bytes?: number) => ({
	params: {
		[constants.BROTLI_PARAM_QUALITY]: 4,
		...(bytes !== undefined && { [constants.BROTLI_PARAM_SIZE_HINT]: bytes }),
	},
});
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

const asGzip = promisify<Uint8Array, object, Buffer>(gzip);
const asBrotli = promisify<Uint8Array, object, Buffer>(brotliCompress);
const asZstd = promisify<Uint8Array, object, Buffer>(zstdCompress);

export function compress(bytes: Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
	if (encoding === "zstd") return asZstd(bytes, zstdOptions);
	return encoding === "br" ? asBrotli(bytes, brotliOptions(bytes.length)) : asGzip(bytes, gzipOptions);
}

/** A compressing stream, for data that does not fit in memory. */
export function compressingStream(encoding: ContentEncoding, bytes: number): Transform {
	if (encoding === "zstd") return createZstdCompress(zstdOptions);
	return encoding === "br" ? createBrotliCompress(brotliOptions(bytes)) : createGzip(gzipOptions);
}

/** Bytes that do not change while the process runs, compressed once for each encoding. */
export class CodedBytes {
	readonly plain: Buffer;
	readonly #coded = new Map<ContentEncoding, Promise<Buffer>>();

	constructor(plain: Buffer) {
		this.plain = plain;
	}

	in(encoding: ContentEncoding): Promise<Buffer> {
		const existing = this.#coded.get(encoding);
		if (existing !== undefined) return existing;
		const coded = compress(this.plain, encoding);
		this.#coded.set(encoding, coded);
		return coded;
	}
}

/** The `q` parameter (RFC 9110, 12.4.2): 1 if absent, 0 if it is not a number from 0 to 1. */
export function weightOf(parameters: string[]): number {
	const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
	if (q === undefined) return 1;
	return /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : 0;
}

/** Whether the response to this request should be a page and not JSON, if there is a page at its path. */
export const wantsPage = ({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean =>
	(method === "GET" || method === "HEAD") && prefersPage(headers);

/** Whether `Accept` ranks HTML above JSON, as browsers do. Clients without a preference get JSON. */
export function prefersPage(headers: Record<string, string | string[] | undefined>): boolean {
	const accept = [headers.accept ?? []].flat().join(",");
	return quality(accept, "text", "html") > quality(accept, "application", "json");
}

/** Weight of a media type (RFC 9110, 12.5.1): the most specific matching range decides; 0 if none matches. */
export function quality(accept: string, type: string, subtype: string): number {
	const ranked = [`${type}/${subtype}`, `${type}/*`, "*/*"];
	let best = { rank: ranked.length, q: 0 };
	for (const range of accept.toLowerCase().split(",")) {
		const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
		const rank = ranked.indexOf(name);
		if (rank !== -1 && rank < best.rank) best = { rank, q: weightOf(parameters) };
	}
	return best.q;
}
