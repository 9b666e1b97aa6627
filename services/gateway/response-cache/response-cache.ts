/** Requests replies from owners, and caches them while the owners' data is unchanged. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Counter } from "prom-client";
import type { PlainName, RawReply } from "#libs/bus/requests/request.ts";
import { type OperationShape, type Owner, operations, type ParamsInput } from "#libs/contract/index.ts";
import { type ContentEncoding, compress, minBytesToCompress } from "../http/negotiation.ts";
import { DataVersions, secondOwnerVersion } from "./versions.ts";

/** Sends one request over the bus. The reply is not older than the data version `knownVersion`. @throws AppError */
export type RequestReply = <N extends PlainName>(
	name: N,
	params: ParamsInput<N>,
	knownVersion?: number,
) => Promise<RawReply>;

/** Replies by origin. They are passed to prom-client only when metrics are read, as in `http/metrics.ts`. */
const countsByOrigin = { kept: 0, joined: 0, asked: 0 };
new Counter({
	name: "gateway_answers_total",
	help: "Answers by origin: kept (cached), joined (another request was waiting for the same), asked (requested).",
	labelNames: ["from"],
	collect() {
		this.reset();
		for (const [from, count] of Object.entries(countsByOrigin)) this.inc({ from }, count);
	},
});

export interface ResponseCacheOptions {
	/** Maximum bytes of cached responses; 0 disables the cache. */
	maxBytes: number;
	now?: () => number;
}

export class ResponseCache {
	readonly #requestReply: RequestReply;
	readonly #now: () => number;
	/** Evicts the least recently used reply. A reply larger than the bound is not cached. */
	readonly #store: LRUCache<string, Answer>;
	readonly #versions: DataVersions;
	/** Pending requests by data version, operation and parameters. Concurrent requests share one reply. */
	readonly #pending = new Map<string, Promise<Answer>>();
	/** Pending compressions, by the bytes of the reply. */
	readonly #compressing = new WeakMap<Buffer, Partial<Record<ContentEncoding, Promise<Buffer>>>>();

	constructor(requestReply: RequestReply, { maxBytes, now = () => performance.now() }: ResponseCacheOptions) {
		this.#requestReply = requestReply;
		this.#now = now;
		this.#store = new LRUCache({ maxSize: Math.max(1, maxBytes), sizeCalculation: sizeOf });
		this.#versions = new DataVersions(() => this.#store.clear(), now);
	}

	get bytes(): number {
		return this.#store.calculatedSize;
	}

	/** Must be called for every announcement and heartbeat of an owner. Without them, nothing is cached. */
	onVersion(owner: Owner, version: number): void {
		this.#versions.onVersion(owner, version);
	}

	/** The last announced data version of an owner; undefined without a recent heartbeat. */
	known(owner: Owner): number | undefined {
		return this.#versions.current(owner);
	}

	/** Reports the data version of a reply that did not pass through this cache. */
	replied(owner: Owner, version: number): void {
		this.#versions.replied(owner, version);
	}

	/**
	 * The reply at the owner's current data version: cached, shared with a concurrent request, or new. `params` must be parsed, so that equal
	 * requests have equal cache keys. `acquireSlot` is called before a request is sent to the owner. @throws the bus's AppError
	 */
	async get<N extends PlainName>(
		name: N,
		params: ParamsInput<N>,
		acquireSlot?: () => Promise<Disposable>,
	): Promise<Answer> {
		const cached = this.#useCached(name, params);
		if (cached !== undefined) return cached;
		if (acquireSlot === undefined) return this.#requestShared(name, params);
		using _slot = await acquireSlot();
		return this.#useCached(name, params) ?? (await this.#requestShared(name, params));
	}

	/** The cached reply at the owner's current data version; undefined if there is none. */
	peek<N extends PlainName>(name: N, params: ParamsInput<N>): Answer | undefined {
		const { owner, maxAgeMs }: OperationShape = operations[name];
		const version = this.#versions.current(owner);
		if (version === undefined) return undefined;
		const cached = this.#store.get(keyOf(name, params));
		if (cached?.dataVersion !== version || cached.secondOwnerVersion !== this.#secondOwnerVersion(name, params))
			return undefined;
		if (maxAgeMs !== undefined && this.#now() - cached.requestedAt >= maxAgeMs) return undefined;
		return cached;
	}

	#useCached<N extends PlainName>(name: N, params: ParamsInput<N>): Answer | undefined {
		const cached = this.peek(name, params);
		if (cached !== undefined) countsByOrigin.kept++;
		return cached;
	}

	async #requestShared<N extends PlainName>(name: N, params: ParamsInput<N>): Promise<Answer> {
		const { owner }: OperationShape = operations[name];
		const version = this.#versions.current(owner);
		if (version === undefined) return this.#request(name, params);

		const key = keyOf(name, params);
		const pendingKey = `${version} ${this.#secondOwnerVersion(name, params)} ${key}`;
		const pending = this.#pending.get(pendingKey);
		if (pending !== undefined) {
			countsByOrigin.joined++;
			return pending;
		}
		const reply = this.#request(name, params, version)
			.then((answer) => this.#cacheIfCurrent(owner, key, answer))
			.finally(() => this.#pending.delete(pendingKey));
		this.#pending.set(pendingKey, reply);
		return reply;
	}

	/** Adds the compressed bytes to a reply, if compression is worthwhile. They are cached with the reply, within the same limit. */
	async encoded<N extends PlainName>(
		name: N,
		params: ParamsInput<N>,
		answer: Answer,
		encoding: ContentEncoding,
	): Promise<Answer> {
		if (answer.coded?.[encoding] !== undefined || answer.bytes.length < minBytesToCompress) return answer;
		const compressing = this.#compressing.get(answer.bytes) ?? {};
		this.#compressing.set(answer.bytes, compressing);
		compressing[encoding] ??= compress(answer.bytes, encoding).finally(() => delete compressing[encoding]);
		const coded = await compressing[encoding];
		const key = keyOf(name, params);
		// Meanwhile another encoding may have been added, or a newer reply cached.
		const cached = this.#store.get(key);
		const isCached = cached?.bytes === answer.bytes;
		const withEncoding = {
			...(isCached ? cached : answer),
			coded: { ...(isCached ? cached.coded : answer.coded), [encoding]: coded },
		};
		if (isCached && cached.coded?.[encoding] === undefined) this.#store.set(key, withEncoding);
		return withEncoding;
	}

	async #request<N extends PlainName>(name: N, params: ParamsInput<N>, knownVersion?: number): Promise<Answer> {
		countsByOrigin.asked++;
		const requestedAt = this.#now();
		const secondOwnerVersion = this.#secondOwnerVersion(name, params);
		const { bytes, dataVersion } = await this.#requestReply(name, params, knownVersion);
		const { owner }: OperationShape = operations[name];
		this.#versions.replied(owner, dataVersion);
		const copy = copyOf(bytes);
		return { bytes: copy, dataVersion, secondOwnerVersion, requestedAt, etag: etagOf(copy) };
	}

	#secondOwnerVersion(name: PlainName, params: object): number | undefined {
		return secondOwnerVersion(name, params, (owner) => this.#versions.current(owner));
	}

	/** Caches a reply only if it has the current version; an older one would not be used. */
	#cacheIfCurrent(owner: Owner, key: string, answer: Answer): Answer {
		if (answer.dataVersion === this.#versions.current(owner)) this.#store.set(key, answer);
		return answer;
	}
}

/** Cache keys by parameters, so that repeated parameters, which `registry/params.ts` caches, are serialized only once. */
const keys = new WeakMap<object, { name: PlainName; key: string }>();

function keyOf(name: PlainName, params: object): string {
	const cached = keys.get(params);
	if (cached?.name === name) return cached.key;
	const key = `${name} ${JSON.stringify(params)}`;
	// Parameters that are not frozen can change, so their key is not cached.
	if (Object.isFrozen(params)) keys.set(params, { name, key });
	return key;
}

/** A strong ETag of the content, so that a response that is unchanged at a new data version is still a 304. */
export const etagOf = (bytes: Uint8Array | string): string => `"${hash("sha1", bytes, "base64url")}"`;

/**
 * Copies bytes of the bus, which are views into its receive buffers: a cached view of 200 bytes would keep 64 KB in memory. A long reply has
 * a separate buffer and is not copied.
 */
function copyOf(bytes: Uint8Array): Buffer {
	if (bytes.byteLength * 2 >= bytes.buffer.byteLength)
		return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const copy = Buffer.allocUnsafeSlow(bytes.length);
	copy.set(bytes);
	return copy;
}

/** A reply of an owner. `bytes` is JSON, shared between requests and never modified. */
export interface Answer {
	readonly bytes: Buffer;
	/** Version of the data from which it was read. */
	readonly dataVersion: number;
	/** Data version of the second owner, if the reply contains data of two owners. */
	readonly secondOwnerVersion: number | undefined;
	/** Time of the request (monotonic ms). The reply contains all data of that time. */
	readonly requestedAt: number;
	readonly etag: string;
	/** Compressed bytes, by encoding. */
	readonly coded?: Readonly<Partial<Record<ContentEncoding, Buffer>>>;
}

/** Memory of a cache entry in addition to its bytes and key: 710 and 755 bytes were measured with 50,000 short replies. */
const overheadBytes = 700;

const sizeOf = ({ bytes, coded = {} }: Answer, key: string): number =>
	Object.values(coded).reduce((sum, { length }) => sum + length, bytes.length + key.length * 2 + overheadBytes);
