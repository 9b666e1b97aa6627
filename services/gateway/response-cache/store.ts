/** Least recently used answers go first when the bytes kept reach their bound. */
import { LRUCache } from "lru-cache";
import type { Coding } from "../codings/codings.ts";

/** A reply as it came from its owner. */
export interface Answer {
	/** JSON text, UTF-8. Shared between requests: never written to. */
	readonly bytes: Buffer;
	/** Of the snapshot it was read from. */
	readonly dataVersion: number;
	/** Of the other owner, where it is made of two owners' data (of-day.ts), when it was asked for. */
	readonly otherVersion: number | undefined;
	/** When it was asked for, on the monotonic clock (ms): the answer is at least as new. */
	readonly askedAt: number;
	/** Strong validator with its quotes, from the content. */
	readonly etag: string;
	/** The same compressed, in each coding that a client has asked for. */
	readonly coded?: Readonly<Partial<Record<Coding, Buffer>>>;
}

/** Roughly what an entry costs besides its text (bytes): the process grew by 710 and 755 for each of 50,000 short answers. */
const overhead = 700;

export type AnswerStore = LRUCache<string, Answer>;

/** An answer larger than the bound is not kept. */
export const openStore = (maxBytes: number): AnswerStore =>
	new LRUCache({ maxSize: Math.max(1, maxBytes), sizeCalculation: sizeOf });

const sizeOf = ({ bytes, coded = {} }: Answer, key: string): number =>
	Object.values(coded).reduce((sum, { length }) => sum + length, bytes.length + key.length * 2 + overhead);
