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
import { type ContentEncoding, compressingStream, minBytesToCompress } from "../http/negotiation.ts";
import { secondOwnerVersion } from "../response-cache/versions.ts";
import { type ExportFile, FileIndex } from "./file-index.ts";
import { SharedWork } from "./shared-work.ts";
import { type Content, type Holder, isAvailable, type Spool } from "./spool.ts";

export interface ExportsOptions {
	bus: Bus;
	spool: Spool;
	/** Maximum files that this gateway makes at once for one caller. Each uses one of the owner's few streams and a database snapshot. */
	maxAtOnce: number;
	/** `known` returns the last confirmed data version of an owner; `replied` records the version in a reply. */
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

/** A strong ETag: the same bytes have the same ETag at every replica and after every start. */
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
			...{ what: "exports", slots: maxMaking, slotsPerCaller: options.maxAtOnce, slotsUnpaid: maxMakingUnpaid },
			...{ waiting: maxWaiting, waitingPerCaller: options.maxAtOnce, waitMs: maxWaitMs },
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
	 * The file at the owner's current data version: the stored one, the one that is being made for another request, or a new one. `params`
	 * must be parsed and include `format`. @throws the owner's error, AppError 429 or 503 above a limit, or the signal's reason
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
		// Callers with a paid plan and callers without one do not share work, because a paid plan must not wait for the turn of an unpaid caller.
		const workName = `${isPaidPlan(caller.plan)} ${version ?? "?"} ${this.#secondOwnerVersion(name, params)} ${keyOf(name, params)}`;
		for (let attempt = 1; ; attempt++) {
			const isMaker = !this.#making.has(workName);
			try {
				const file = await this.#making.join(workName, signal, (stop) =>
					this.#make(name, params, version, { holder, caller, signal: stop }),
				);
				filesByOrigin.inc({ from: isMaker ? "made" : "joined" });
				return file;
			} catch (error) {
				// The caller that started the work exceeded its share, so this caller starts it again with its own share.
				if (isMaker || attempt === maxAttempts || !isOverShare(error)) throw error;
			}
		}
	}

	/** The compressed file, which is also made once for all callers; undefined if the file is too short or there is no space. */
	async compressed(file: ExportFile, encoding: ContentEncoding, request: FileRequest): Promise<ExportFile | undefined> {
		if (file.bytes < minBytesToCompress) return undefined;
		const key = `${encoding} ${file.sha256}`;
		const stored = this.#files.get(key);
		if (stored !== undefined && isAvailable(stored)) return stored;
		return this.#compressing.join(key, request.signal, async (stop) => {
			const content = await this.#compress(file, encoding, request.holder, stop);
			const compressedFile = content && { ...file, ...content };
			if (compressedFile?.dataVersion !== undefined) this.#files.set(key, compressedFile);
			return compressedFile;
		});
	}

	/** Reads a part of a file; undefined if the file has been removed, so that `get` must be called again. @throws AppError 429 */
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
		const { maxAtOnce } = this.#options;
		if (this.#inProgress.of(holder) >= maxAtOnce)
			throw tooManyRequests(`you have ${maxAtOnce} exports in progress: request the next when one has finished`, 5);
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
		// The file may have been made for another caller meanwhile.
		const existing = this.peek(name, params);
		if (existing !== undefined) return existing;
		const secondOwnerVersion = this.#secondOwnerVersion(name, params);
		const chunks = await requestStream(bus, name, params, { signal, knownVersion });
		const key = keyOf(name, params);
		const version = chunks.head["x-data-version"];
		const dataVersion = version === undefined ? undefined : Number(version);
		const stored = this.#files.get(key);
		// The stored file was not known to be current, but the owner has just confirmed its version.
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
		// Reading counts against no share, because it takes only as long as the compression.
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

/** Maximum files that are made at once. An owner serves 16 streams at once to all gateways. */
const maxMaking = 8;
/** Maximum files that are made at once for callers without a paid plan. */
const maxMakingUnpaid = 4;
/** Maximum requests that wait for a slot. */
const maxWaiting = 200;
/** Longest wait for a slot. */
const maxWaitMs = 30_000;

/** Maximum attempts to get a file. An attempt fails if another caller started the work and exceeds its share. */
const maxAttempts = 5;

const isOverShare = (error: unknown): boolean => error instanceof AppError && error.status === 429;

const keyOf = (name: StreamedName, params: object): string =>
	hash("sha256", `${name} ${JSON.stringify(params)}`, "base64url");
