/** Least recently used answers go first when the bytes kept reach their bound. */
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

export class AnswerStore {
	readonly #maxBytes: number;
	/** In order of use: a Map iterates in order of insertion, and each use inserts anew. */
	readonly #answers = new Map<string, Answer>();
	#bytes = 0;
	/** The key used last, which needs not be moved. */
	#newest: string | undefined;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get(key: string): Answer | undefined {
		const answer = this.#answers.get(key);
		if (answer === undefined || key === this.#newest) return answer;
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		this.#newest = key;
		return answer;
	}

	/** Replaces what the key held. An answer larger than the bound is not kept. */
	set(key: string, answer: Answer): void {
		this.delete(key);
		if (cost(key, answer) > this.#maxBytes) return;
		this.#answers.set(key, answer);
		this.#newest = key;
		this.#bytes += cost(key, answer);
		for (const oldest of this.#answers.keys()) {
			if (this.#bytes <= this.#maxBytes) return;
			this.delete(oldest);
		}
	}

	delete(key: string): void {
		const answer = this.#answers.get(key);
		if (answer === undefined) return;
		this.#answers.delete(key);
		this.#bytes -= cost(key, answer);
	}

	clear(): void {
		this.#answers.clear();
		this.#bytes = 0;
	}
}

const cost = (key: string, { bytes, coded = {} }: Answer): number =>
	Object.values(coded).reduce((sum, { length }) => sum + length, bytes.length + key.length * 2 + overhead);
