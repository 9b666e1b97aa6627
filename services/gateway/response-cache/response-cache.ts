/** Asks the owners, and asks nothing twice while their data is unchanged. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Counter } from "prom-client";
import type { PlainName, RawReply } from "#libs/bus/request.ts";
import { type OperationShape, type Owner, operations, type ParamsInput } from "#libs/contract/index.ts";
import { type Coding, compress, leastToCompress } from "../http/negotiation.ts";
import { DataVersions, otherVersion } from "./versions.ts";

/** One request over the bus, for an answer no older than the version that is known, if one is. Throws AppError. */
export type Ask = <N extends PlainName>(name: N, params: ParamsInput<N>, knownVersion?: number) => Promise<RawReply>;

/** Handed over when the metrics are read, as what is counted for each request is (`http/metrics.ts`). */
const answered = { kept: 0, joined: 0, asked: 0 };
new Counter({
	name: "gateway_answers_total",
	help: "Answers by where they came from: kept, joined (another request was waiting for the same), asked.",
	labelNames: ["from"],
	collect() {
		this.reset();
		for (const [from, answers] of Object.entries(answered)) this.inc({ from }, answers);
	},
});

export interface ResponseCacheOptions {
	/** Bound of all kept answers (bytes); 0 keeps none. */
	maxBytes: number;
	/** Monotonic clock (ms). */
	now?: () => number;
}

export class ResponseCache {
	readonly #ask: Ask;
	readonly #now: () => number;
	readonly #store: AnswerStore;
	readonly #versions: DataVersions;
	/** Requests under way, by data version and question: requests for the same meanwhile wait for the same reply. */
	readonly #underWay = new Map<string, Promise<Answer>>();
	/** Compressed or being it, by the bytes of the answer: who wants the same meanwhile waits for it. */
	readonly #compressing = new WeakMap<Buffer, Partial<Record<Coding, Promise<Buffer>>>>();

	constructor(ask: Ask, { maxBytes, now = () => performance.now() }: ResponseCacheOptions) {
		this.#ask = ask;
		this.#now = now;
		this.#store = openStore(maxBytes);
		this.#versions = new DataVersions(() => this.#store.clear(), now);
	}

	get bytes(): number {
		return this.#store.calculatedSize;
	}

	/** To be called for every announcement and heartbeat; without them nothing is cached. */
	onVersion(owner: Owner, version: number): void {
		this.#versions.onVersion(owner, version);
	}

	/** The data version of an owner that has been announced; undefined without a heartbeat of it. */
	known(owner: Owner): number | undefined {
		return this.#versions.current(owner);
	}

	/** A reply that came by another way was of this version. */
	replied(owner: Owner, version: number): void {
		this.#versions.replied(owner, version);
	}

	/**
	 * The answer at the owner's current data version: a kept one, the one that another request is waiting for, or a new one.
	 * `params` must be parsed: equal questions are then equal text. Throws what the bus throws. `turn`: awaited before anything is asked,
	 * and held until it is answered.
	 */
	async get<N extends PlainName>(name: N, params: ParamsInput<N>, turn?: () => Promise<Disposable>): Promise<Answer> {
		const kept = this.#kept(name, params);
		if (kept !== undefined) return kept;
		if (turn === undefined) return this.#joined(name, params);
		using _turn = await turn();
		return this.#kept(name, params) ?? (await this.#joined(name, params));
	}

	/** The answer that is kept, where one is good now; no owner is asked. */
	peek<N extends PlainName>(name: N, params: ParamsInput<N>): Answer | undefined {
		return this.#good(name, params);
	}

	/** The same for a request, which is counted. */
	#kept<N extends PlainName>(name: N, params: ParamsInput<N>): Answer | undefined {
		const kept = this.#good(name, params);
		if (kept !== undefined) answered.kept++;
		return kept;
	}

	#good<N extends PlainName>(name: N, params: ParamsInput<N>): Answer | undefined {
		const { owner, maxAgeMs }: OperationShape = operations[name];
		const version = this.#versions.current(owner);
		// Its data version is not known to be current.
		if (version === undefined) return undefined;
		const kept = this.#store.get(keyOf(name, params));
		if (kept?.dataVersion !== version || kept.otherVersion !== this.#otherVersion(name, params)) return undefined;
		if (maxAgeMs !== undefined && this.#now() - kept.askedAt >= maxAgeMs) return undefined;
		return kept;
	}

	async #joined<N extends PlainName>(name: N, params: ParamsInput<N>): Promise<Answer> {
		const { owner }: OperationShape = operations[name];
		const version = this.#versions.current(owner);
		if (version === undefined) return this.#request(name, params);

		const key = keyOf(name, params);
		const flight = `${version} ${this.#otherVersion(name, params)} ${key}`;
		const underWay = this.#underWay.get(flight);
		if (underWay !== undefined) {
			answered.joined++;
			return underWay;
		}
		const asked = this.#request(name, params, version)
			.then((answer) => this.#keep(owner, key, answer))
			.finally(() => this.#underWay.delete(flight));
		this.#underWay.set(flight, asked);
		return asked;
	}

	/** The same answer with its form in a coding, where that is worth having; it is kept with the answer, under the same bound. */
	async coded<N extends PlainName>(name: N, params: ParamsInput<N>, answer: Answer, coding: Coding): Promise<Answer> {
		if (answer.coded?.[coding] !== undefined || answer.bytes.length < leastToCompress) return answer;
		const compressing = this.#compressing.get(answer.bytes) ?? {};
		this.#compressing.set(answer.bytes, compressing);
		compressing[coding] ??= compress(answer.bytes, coding).finally(() => delete compressing[coding]);
		const coded = await compressing[coding];
		const key = keyOf(name, params);
		// It may have been compressed in another coding meanwhile, or given way to a newer one.
		const kept = this.#store.get(key);
		const isKept = kept?.bytes === answer.bytes;
		const all = { ...(isKept ? kept : answer), coded: { ...(isKept ? kept.coded : answer.coded), [coding]: coded } };
		if (isKept && kept.coded?.[coding] === undefined) this.#store.set(key, all);
		return all;
	}

	async #request<N extends PlainName>(name: N, params: ParamsInput<N>, knownVersion?: number): Promise<Answer> {
		answered.asked++;
		const askedAt = this.#now();
		const otherVersion = this.#otherVersion(name, params);
		const { bytes, dataVersion } = await this.#ask(name, params, knownVersion);
		const { owner }: OperationShape = operations[name];
		this.#versions.replied(owner, dataVersion);
		const own = ownCopy(bytes);
		return { bytes: own, dataVersion, otherVersion, askedAt, etag: etagOf(own) };
	}

	#otherVersion(name: PlainName, params: object): number | undefined {
		return otherVersion(name, params, (owner) => this.#versions.current(owner));
	}

	/** Keeps an answer only if it is of the version now known: one that was overtaken on its way would never be used. */
	#keep(owner: Owner, key: string, answer: Answer): Answer {
		if (answer.dataVersion === this.#versions.current(owner)) this.#store.set(key, answer);
		return answer;
	}
}

/** Of parameters that are used again (`registry/params.ts` remembers what it has read), so that they are written once. */
const keys = new WeakMap<object, { name: PlainName; key: string }>();

function keyOf(name: PlainName, params: object): string {
	const known = keys.get(params);
	if (known?.name === name) return known.key;
	const key = `${name} ${JSON.stringify(params)}`;
	// What may still be changed would be known by what it was.
	if (Object.isFrozen(params)) keys.set(params, { name, key });
	return key;
}

/** A strong validator of the content, so that an answer that a new data version leaves as it was is still a 304. */
export const etagOf = (bytes: Uint8Array | string): string => `"${hash("sha1", bytes, "base64url")}"`;

/**
 * The bus hands out views into its receive buffers: a kept view of 200 bytes would hold on to 64 KB. A long reply has come in a
 * buffer of its own, which is nearly as long, and is kept as it is.
 */
function ownCopy(bytes: Uint8Array): Buffer {
	if (bytes.byteLength * 2 >= bytes.buffer.byteLength)
		return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const copy = Buffer.allocUnsafeSlow(bytes.length);
	copy.set(bytes);
	return copy;
}

/** A reply as it came from its owner. */
export interface Answer {
	/** JSON text, UTF-8. Shared between requests: never written to. */
	readonly bytes: Buffer;
	/** Of the snapshot it was read from. */
	readonly dataVersion: number;
	/** Of the other owner, where it is made of two owners' data (`otherVersion`), when it was asked for. */
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
