/** The pages as Vite built them: which files a page consists of, and their bytes. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const folder = new URL("../../../web/dist/", import.meta.url);
export const assetsPath = "/web/assets";

const manifest = z.record(
	z.string(),
	z.looseObject({
		file: z.string(),
		css: z.array(z.string()).default([]),
		/** What its script asks for when it needs it. */
		assets: z.array(z.string()).default([]),
		imports: z.array(z.string()).default([]),
		isEntry: z.boolean().default(false),
	}),
);

export interface BuiltPage {
	script: string;
	/** Loaded with the script, not after it. */
	modules: string[];
	styles: string[];
}

export interface Built {
	pages: ReadonlyMap<string, BuiltPage>;
	/** By name within `assetsPath`. */
	files: ReadonlyMap<string, Buffer>;
}

/** @throws Error where nothing was built. */
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
			script: addressOf(own.file),
			modules: others.map(({ file }) => addressOf(file)),
			styles: [...new Set(stylesOf(own.css, others))].map(addressOf),
		});
	}
	return { pages, files: new Map([...names].map((name) => [name, readFileSync(new URL(name, folder))])) };
}

/** Vite names a page's own sheet before those that it shares: last, its rules hold where both say something. */
function stylesOf([own, ...shared]: string[], others: { css: string[] }[]): string[] {
	return [...shared, ...others.flatMap(({ css }) => css), ...(own === undefined ? [] : [own])];
}

type Chunks = z.output<typeof manifest>;

/** A chunk, and all that it imports, each once. */
function withImports(chunks: Chunks, first: string): Chunks[string][] {
	const found = new Map<string, Chunks[string]>();
	const waiting = [first];
	for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
		const chunk = chunks[source];
		if (chunk === undefined || found.has(source)) continue;
		found.set(source, chunk);
		waiting.push(...chunk.imports);
	}
	return [...found.values()];
}

/** @throws Error where it was not built */
export function pageOf({ pages }: Built, folder: string): BuiltPage {
	const page = pages.get(folder);
	if (page === undefined) throw new Error(`the page ${folder} is not built`);
	return page;
}

const addressOf = (file: string): string => `${assetsPath}/${file}`;
