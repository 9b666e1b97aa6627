/** A file in a coding of its own, made of the one that is there. */
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { AppError } from "#libs/contract/errors.ts";
import { compressionLevel, leastToCompress } from "../response-cache/response-cache.ts";
import { type Asker, type Content, collect, readAll } from "./content.ts";
import type { Spool } from "./spool.ts";

/** Undefined where it is not worth it, or there is no room: then the file goes out as it is. */
export async function compressed(content: Content, spool: Spool, asker: Asker): Promise<Content | undefined> {
	if (content.bytes < leastToCompress) return undefined;
	// Counts against no share: it is read as fast as it can be compressed.
	const source = await readAll(content, spool, undefined);
	if (source === undefined) return undefined;
	const gzip = createGzip({ level: compressionLevel });
	pipeline(source, gzip, () => {});
	try {
		return await collect(gzip, spool, asker.holder, asker.signal);
	} catch (error) {
		if (error instanceof AppError && !asker.signal.aborted) return undefined;
		throw error;
	} finally {
		gzip.destroy();
	}
}
