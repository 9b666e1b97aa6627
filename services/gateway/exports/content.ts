/** The bytes of one file of an export, and what they are known by. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Owner } from "#libs/contract/index.ts";
import type { Coding } from "../http/negotiation.ts";
import type { Draft, Holder, Spool, SpoolFile } from "./spool.ts";

/** Shorter files stay in memory (bytes). */
export const shortBytes = 1024 * 1024;

export interface Content {
	bytes: number;
	/** In hexadecimal. */
	sha256: string;
	/** Whole, where it is short. */
	stored: Buffer | SpoolFile;
}

export interface ExportFile extends Content {
	owner: Owner;
	/** What its owner sent with it: headers of the answer (`x-...`), and facts for its manifest. */
	head: Readonly<Record<string, string>>;
	/** Undefined where its owner does not say: then it serves the requests that waited for it, and no later one. */
	dataVersion: number | undefined;
	/** Of the other owner, where it is made of two owners' data. */
	otherVersion?: number | undefined;
	/** The same compressed, in each coding that a client has asked for. */
	readonly coded: Map<Coding, Content>;
}

/** A request that waits for a file. */
export interface Asker {
	holder: Holder;
	/** Fires when the caller has gone. */
	signal: AbortSignal;
}

/** Strong: equal for the same bytes, at every replica and after every start. */
export const etagOf = ({ sha256 }: Pick<Content, "sha256">): string => `"${sha256}"`;

/** Takes all that comes, as fast as the disk does. What breaks off leaves nothing behind. @throws what the source or the spool throws. */
export async function collect(
	source: AsyncIterable<Uint8Array>,
	spool: Spool,
	holder: Holder,
	signal: AbortSignal,
): Promise<Content> {
	const hash = createHash("sha256");
	let bytes = 0;
	let short: Uint8Array[] = [];
	let draft: Draft | undefined;
	try {
		for await (const piece of source) {
			signal.throwIfAborted();
			hash.update(piece);
			bytes += piece.length;
			if (draft === undefined) {
				short.push(piece);
				if (bytes < shortBytes) continue;
				draft = spool.draft(holder);
				await draft.write(Buffer.concat(short));
				short = [];
			} else await draft.write(piece);
		}
		signal.throwIfAborted();
		const sha256 = hash.digest("hex");
		return { bytes, sha256, stored: draft === undefined ? Buffer.concat(short) : await draft.finish() };
	} finally {
		await draft?.discard();
	}
}

export const isThere = ({ stored }: Content): boolean => stored instanceof Uint8Array || !stored.removed;

/** The bytes from `first` to `last`; undefined when the file is no longer there. @throws AppError 429, 503 */
export async function readContent(
	{ stored }: Content,
	spool: Spool,
	holder: Holder,
	first: number,
	last: number,
): Promise<Buffer | Readable | undefined> {
	return stored instanceof Uint8Array ? stored.subarray(first, last + 1) : spool.read(stored, holder, first, last);
}

/** All of it, to make another file of it. */
export async function readAll(content: Content, spool: Spool, holder: Holder): Promise<Readable | undefined> {
	const read = await readContent(content, spool, holder, 0, content.bytes - 1);
	return read instanceof Uint8Array ? Readable.from([read]) : read;
}
