/** Export files. Each is made once for its parameters and data version, stored, and sent from there to all callers. */
import { hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { Counter } from "prom-client";
import type { Bus } from "#libs/bus/connect.ts";
import type { StreamedName } from "#libs/bus/requests/request.ts";
import { requestStream } from "#libs/bus/requests/stream.ts";
import { AppError, tooManyRequests } from "#libs/contract/errors.ts";
import { type OperationShape, type Owner, operations, type ParamsInput } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import { FairQueue, type QueueCaller, Shares } from "#libs/service/fair-queue.ts";
import { type ContentEncoding, compressingStream, leastToCompress } from "../http/negotiation.ts";
import { secondOwnerVersion } from "../response-cache/versions.ts";
import { type ExportFile, FileIndex } from "./file-index.ts";
import { SharedWork } from "./shared-work.ts";
import { type Content, type Holder, isAvailable, type Spool } from "./spool.ts";

export interface ExportsOptions {
	bus: Bus;
	spool: Spool;
	/** Most files that this gateway makes at once for one caller. Each uses one of the owner's few streams and a database snapshot. */
	mostAtOnce: number;
	/** `known` returns the confirmed data version of an owner; `replied` reports a newer one that a reply contained. */
	versions: { known(owner: Owner): number | undefined; replied(owner: Owner, version: number): void };
}

export interface FileRequest {
	holder: Holder;
	/** The caller whose slot the export uses. */
	caller: QueueCaller;
	/** Fires when the caller disconnects. */
	signal: AbortSignal;
}

const filesByOrigin = new Counter({
	name: "gateway_exports_total",
	help: "Files of exports by origin: kept (cached), joined (another request was waiting for the same), made.",
	labelNames: ["from"],
});

/** Strong: equal for the same bytes, at every replica and after every start. */
export const etagOfFile = ({ sha256 }: Pick<Content, "sha256">): string => `"${sha256}"`;

export class Exports {
	readonly #options: ExportsOptions;
	readonly #files: FileIndex;
	readonly #making = new SharedWork<ExportFile>();
	readonly #compressing = new SharedWork<ExportFile | undefined>();
	/** Requests in progress, by holder. */
	readonly #inProgress = new Shares();
	readonly #turns: FairQueue;

	constructor(options: ExportsOptions) {
		this.#options = options;
		this.#turns = new FairQueue({
			...{ what: "exports", slots: madeAtOnce, slotsPerCaller: options.mostAtOnce, slotsUnpaid: madeAtOnceUnpaid },
			...{ waiting: maxWaiting, waitingPerCaller: options.mostAtOnce, waitMs: turnWaitMs },
		});
		this.#files = new FileIndex((file) => options.spool.remove(file));
	}

	/** The stored file at the owner's current data version; undefined if there is none. */
	peek<N extends StreamedName>(name: N, params: ParamsInput<N>): ExportFile | undefined {
		const version = this.#options.versions.known(operations[name].owner);
		const file = version === undefined ? undefined : this.#files.get(keyOf(name, params));
		if (file === undefined || file.dataVersion !== version || !isAvailable(file)) return undefined;
		return file.secondOwnerVersion === this.#secondOwnerVersion(name, params) ? file : undefined;
	}

	/**
	 * The file at the owner's current data version: the stored one, the one that another request is waiting for, or a new one. `params`
	 * must be parsed and include `format`. @throws what the owner throws, 429 and 503 of the limits, the signal's reason
	 */
	async get<N extends StreamedName>(name: N, params: ParamsInput<N>, request: FileRequest): Promise<ExportFile> {
		const { holder, caller, signal } = request;
		const stored = this.peek(name, params);
		if (stored !== undefined) {
			filesByOrigin.inc({ from: "kept" });
			return stored;
		}
		using _share = this.#takeShare(holder);
		const { owner }: OperationShape = operations[name];
		const version = this.#options.versions.known(owner);
		// Shared only among callers with, or without, a paid plan: a paid plan must not wait for the turn of a caller without one.
		const flight = `${isPaidPlan(caller.plan)} ${version ?? "?"} ${this.#secondOwnerVersion(name, params)} ${keyOf(name, params)}`;
		for (let attempt = 1; ; attempt++) {
			const makes = !this.#making.has(flight);
			try {
				const file = await this.#making.join(flight, signal, (stop) =>
					this.#make(name, params, version, { holder, caller, signal: stop }),
				);
				filesByOrigin.inc({ from: makes ? "made" : "joined" });
				return file;
			} catch (error) {
				// The caller that started the file exceeded its share, so this caller starts it again under its own.
				if (makes || attempt === maxAttempts || !isOverShare(error)) throw error;
			}
		}
	}

	/** The compressed file, also made once for all callers; undefined if compression is not worthwhile or there is no space. */
	async encoded(file: ExportFile, encoding: ContentEncoding, request: FileRequest): Promise<ExportFile | undefined> {
		if (file.bytes < leastToCompress) return undefined;
		const key = `${encoding} ${file.sha256}`;
		const stored = this.#files.get(key);
		if (stored !== undefined && isAvailable(stored)) return stored;
		return this.#compressing.join(key, request.signal, async (stop) => {
			const content = await this.#compress(file, encoding, request.holder, stop);
			const coded = content && { ...file, ...content };
			if (coded?.dataVersion !== undefined) this.#files.set(key, coded);
			return coded;
		});
	}

	/** Undefined if the file has been removed: then call `get` again. @throws AppError 429 */
	read(content: Content, holder: Holder, first: number, last: number): Buffer | Readable | undefined {
		return this.#options.spool.read(content, holder, first, last);
	}

	/** Removes the owner's older files. Must be called for every announced version. */
	onVersion(owner: Owner, version: number): void {
		this.#files.onVersion(owner, version);
	}

	#secondOwnerVersion(name: StreamedName, params: object): number | undefined {
		return secondOwnerVersion(name, params, (owner) => this.#options.versions.known(owner));
	}

	#takeShare(holder: Holder): Disposable | undefined {
		if (holder === undefined) return undefined;
		const { mostAtOnce } = this.#options;
		if (this.#inProgress.of(holder) >= mostAtOnce)
			throw tooManyRequests(`you have ${mostAtOnce} exports in progress: request the next when one has finished`, 5);
		this.#inProgress.add(holder, 1);
		return { [Symbol.dispose]: () => this.#inProgress.add(holder, -1) };
	}

	async #make<N extends StreamedName>(
		name: N,
		params: ParamsInput<N>,
		knownVersion: number | undefined,
		{ holder, caller, signal }: FileRequest,
	): Promise<ExportFile> {
		const { spool, bus, versions } = this.#options;
		using _turn = await this.#turns.acquire(caller, signal);
		// It may have been made for another caller meanwhile.
		const made = this.peek(name, params);
		if (made !== undefined) return made;
		const secondOwnerVersion = this.#secondOwnerVersion(name, params);
		const chunks = await requestStream(bus, name, params, { signal, knownVersion });
		const key = keyOf(name, params);
		const version = chunks.head["x-data-version"];
		const dataVersion = version === undefined ? undefined : Number(version);
		const stored = this.#files.get(key);
		// The owner has just confirmed the version of the stored file, which was not known to be current.
		if (
			stored?.dataVersion === dataVersion &&
			stored?.secondOwnerVersion === secondOwnerVersion &&
			stored &&
			isAvailable(stored)
		) {
			await chunks.return?.();
			return stored;
		}
		const content = await spool.collect(chunks, holder, signal);
		const { owner }: OperationShape = operations[name];
		const file: ExportFile = { ...content, owner, head: chunks.head, dataVersion, secondOwnerVersion };
		if (dataVersion !== undefined) {
			versions.replied(owner, dataVersion);
			this.#files.set(key, file);
		}
		return file;
	}

	async #compress(
		file: ExportFile,
		encoding: ContentEncoding,
		holder: Holder,
		signal: AbortSignal,
	): Promise<Content | undefined> {
		const { spool } = this.#options;
		// Counts against no share, because it is read as fast as it can be compressed.
		const source = spool.read(file, undefined, 0, file.bytes - 1);
		if (source === undefined) return undefined;
		const compressing = compressingStream(encoding, file.bytes);
		pipeline(source instanceof Uint8Array ? Readable.from([source]) : source, compressing, () => {});
		try {
			return await spool.collect(compressing, holder, signal);
		} catch (error) {
			if (error instanceof AppError && !signal.aborted) return undefined;
			throw error;
		} finally {
			compressing.destroy();
		}
	}
}

/** Most files made at once, in total and for callers without a paid plan. An owner serves 16 streams at once to all gateways. */
const madeAtOnce = 8;
const madeAtOnceUnpaid = 4;
/** Most requests that wait for a slot, and the longest wait (ms). */
const maxWaiting = 200;
const turnWaitMs = 30_000;

/** Most attempts to get a file whose making fails because another caller, who started it, exceeds its limit. */
const maxAttempts = 5;

const isOverShare = (error: unknown): boolean => error instanceof AppError && error.status === 429;

const keyOf = (name: StreamedName, params: object): string =>
	hash("sha256", `${name} ${JSON.stringify(params)}`, "base64url");
