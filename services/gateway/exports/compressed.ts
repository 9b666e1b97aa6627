/** A file in a coding of its own, made of the one that is there. */
import { pipeline } from "node:stream";
import { AppError } from "#libs/contract/errors.ts";
import { type Coding, compressor, leastToCompress } from "../http/negotiation.ts";
import { type Asker, type Content, collect, readAll } from "./content.ts";
import type { Spool } from "./spool.ts";

/** Undefined where it is not worth it, or there is no room: then the file goes out as it is. */
export async function compressed(
	content: Content,
	coding: Coding,
	spool: Spool,
	asker: Asker,
): Promise<Content | undefined> {
	if (content.bytes < leastToCompress) return undefined;
	// Counts against no share: it is read as fast as it can be compressed.
	const source = await readAll(content, spool, undefined);
	if (source === undefined) return undefined;
	const compressing = compressor(coding, content.bytes);
	pipeline(source, compressing, () => {});
	try {
		return await collect(compressing, spool, asker.holder, asker.signal);
	} catch (error) {
		if (error instanceof AppError && !asker.signal.aborted) return undefined;
		throw error;
	} finally {
		compressing.destroy();
	}
}
