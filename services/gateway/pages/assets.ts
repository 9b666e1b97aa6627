/** Serves the files of pages that Vite built, and the icon. */
import { existsSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { sendTagged } from "../http/answer.ts";
import { CodedBytes, chooseEncoding, encodedEtag, isCompressible, minBytesToCompress } from "../http/negotiation.ts";
import { etagOf } from "../response-cache/response-cache.ts";

const folder = new URL("../../../web/dist/", import.meta.url);
export const assetsPath = "/web/assets";

const manifest = z.record(
	z.string(),
	z.looseObject({
		file: z.string(),
		css: z.array(z.string()).default([]),
		/** Files that the script loads on demand. */
		assets: z.array(z.string()).default([]),
		imports: z.array(z.string()).default([]),
		isEntry: z.boolean().default(false),
	}),
);

export interface BuiltPage {
	script: string;
	modules: string[];
	styles: string[];
}

export interface Built {
	pages: ReadonlyMap<string, BuiltPage>;
	/** By file name below `assetsPath`. */
	files: ReadonlyMap<string, Buffer>;
}

/** @throws Error if the pages are not built */
export function readBuilt(): Built {
	const path = new URL("manifest.json", folder);
	if (!existsSync(path)) throw new Error("the pages are not built: `node deploy/local/bootstrap.mjs` builds them");
	const chunks = manifest.parse(JSON.parse(readFileSync(path, "utf8")));
	const pages = new Map<string, BuiltPage>();
	const names = new Set<string>();
	for (const [source, { isEntry }] of Object.entries(chunks)) {
		const parts = withImports(chunks, source);
		for (const { file, css, assets } of parts) for (const name of [file, ...css, ...assets]) names.add(name);
		const [page] = /(?<=^pages\/)[^/]+/.exec(source) ?? [];
		const [own, ...others] = parts;
		if (!isEntry || page === undefined || own === undefined) continue;
		pages.set(page, {
			script: assetUrl(own.file),
			modules: others.map(({ file }) => assetUrl(file)),
			styles: [...new Set(stylesOf(own.css, others))].map(assetUrl),
		});
	}
	return { pages, files: new Map([...names].map((name) => [name, readFileSync(new URL(name, folder))])) };
}

/** Orders the style sheets: Vite lists a page's own sheet before shared ones, but it has to come last, so that its rules win. */
function stylesOf([own, ...shared]: string[], others: { css: string[] }[]): string[] {
	return [...shared, ...others.flatMap(({ css }) => css), ...(own === undefined ? [] : [own])];
}

type Chunks = z.output<typeof manifest>;

function withImports(chunks: Chunks, first: string): Chunks[string][] {
	const visited = new Map<string, Chunks[string]>();
	const waiting = [first];
	for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
		const chunk = chunks[source];
		if (chunk === undefined || visited.has(source)) continue;
		visited.set(source, chunk);
		waiting.push(...chunk.imports);
	}
	return [...visited.values()];
}

/** @throws Error if the page is not built */
export function pageOf({ pages }: Built, folder: string): BuiltPage {
	const page = pages.get(folder);
	if (page === undefined) throw new Error(`the page ${folder} is not built`);
	return page;
}

const assetUrl = (file: string): string => `${assetsPath}/${file}`;

/** Serves a file at a path, compressed if that is worthwhile. Caches may store it for an hour, unless `moreHeaders` overrides that. */
export function addAsset(
	app: FastifyInstance,
	path: string,
	mediaType: string,
	bytes: Buffer,
	moreHeaders: Record<string, string> = {},
): void {
	const etag = etagOf(bytes);
	const isCompressed = bytes.length >= minBytesToCompress && isCompressible(mediaType);
	const headers = {
		"content-type": mediaType,
		"cache-control": "public, max-age=3600",
		...moreHeaders,
		...(isCompressed && { vary: "Accept-Encoding" }),
	};
	const coded = new CodedBytes(bytes);
	app.get(path, async (request, reply) => {
		reply.headers(headers);
		return isCompressed ? sendEncoded(request, reply, coded, etag) : sendTagged(request, reply, bytes, etag);
	});
}

/** Sends unchanging bytes in the encoding that the client prefers. */
export async function sendEncoded(
	request: FastifyRequest,
	reply: FastifyReply,
	coded: CodedBytes,
	etag: string,
): Promise<FastifyReply> {
	const encoding =
		coded.plain.length < minBytesToCompress ? undefined : chooseEncoding(request.headers["accept-encoding"]);
	if (encoding === undefined) return sendTagged(request, reply, coded.plain, etag);
	reply.header("content-encoding", encoding);
	return sendTagged(request, reply, await coded.in(encoding), encodedEtag(etag, encoding));
}

/** The icon. Its colors are attributes, because the Content-Security-Policy forbids styles. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b3d4f"/>
<path d="M18 4 8 18h7l-2 10 11-15h-8z" fill="#ffd24a"/>
</svg>
`;

/** Both addresses serve SVG, because browsers use the media type, not the extension. */
export function addFavicon(app: FastifyInstance): void {
	for (const path of ["/favicon.svg", "/favicon.ico"]) addAsset(app, path, "image/svg+xml", Buffer.from(icon));
}
