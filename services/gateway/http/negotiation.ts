/** Content negotiation (RFC 9110, 12): compressed encodings, and whether a caller prefers a page or JSON. */
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

/** By their names in `Content-Encoding`; the first that a client likes as well as any other is taken. */
export const codings = ["zstd", "br", "gzip"] as const;
export type Coding = (typeof codings)[number];

/** Below that it would not save a packet (bytes). */
export const leastToCompress = 1_400;

/** What else compresses little (images, fonts, Parquet) goes out as it is. */
export const isCompressible = (mediaType: string): boolean => /^text\/|json|xml/.test(mediaType);

/** What a caller would rather have; undefined where that is the bytes as they are, and where it names nothing that is known. */
export function codingOf(acceptEncoding: string | string[] | undefined): Coding | undefined {
	const weights = weightsOf([acceptEncoding ?? []].flat().join(","));
	const any = weights.get("*") ?? 0;
	let best: Coding | undefined;
	// What is not named is taken as well, but was not asked for.
	let most = weights.get("identity") ?? 0;
	for (const coding of codings) {
		const weight = weights.get(coding) ?? any;
		if (weight === 0 || weight < most || (best !== undefined && weight === most)) continue;
		best = coding;
		most = weight;
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

/** The same bytes in a coding are another representation, with a strong validator of its own. */
export const etagOfCoded = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** Chosen by size and time of a list and of an export: the next levels take about twice the time for a tenth of the bytes. */
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

/** On a thread of the pool. */
export function compress(bytes: Uint8Array, coding: Coding): Promise<Buffer> {
	if (coding === "zstd") return asZstd(bytes, zstdOptions);
	return coding === "br" ? asBrotli(bytes, brotliOptions(bytes.length)) : asGzip(bytes, gzipOptions);
}

/** The same for what does not fit in memory. */
export function compressor(coding: Coding, bytes: number): Transform {
	if (coding === "zstd") return createZstdCompress(zstdOptions);
	return coding === "br" ? createBrotliCompress(brotliOptions(bytes)) : createGzip(gzipOptions);
}

/** Of bytes that are made once and sent for as long as the process runs: each coding when it is first asked for. */
export class CodedBytes {
	readonly plain: Buffer;
	readonly #coded = new Map<Coding, Promise<Buffer>>();

	constructor(plain: Buffer) {
		this.plain = plain;
	}

	in(coding: Coding): Promise<Buffer> {
		const known = this.#coded.get(coding);
		if (known !== undefined) return known;
		const coded = compress(this.plain, coding);
		this.#coded.set(coding, coded);
		return coded;
	}
}

/** The `q` among the parameters, 1 without one; what is no number from 0 to 1 is none. */
export function weightOf(parameters: string[]): number {
	const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
	if (q === undefined) return 1;
	return /^(0(\.\d*)?|1(\.0*)?)$/.test(q) ? Number(q) : 0;
}

/** Whether this request is answered with a page where there is one. */
export const wantsPage = ({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean =>
	(method === "GET" || method === "HEAD") && prefersPage(headers);

/** Whether `Accept` ranks HTML above JSON, as a browser's does. Who does not say, or takes everything alike, gets JSON. */
export function prefersPage(headers: Record<string, string | string[] | undefined>): boolean {
	const accept = [headers.accept ?? []].flat().join(",");
	return quality(accept, "text", "html") > quality(accept, "application", "json");
}

/** Of RFC 9110 (12.5.1): the most specific range that fits decides; 0 where none fits. */
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
