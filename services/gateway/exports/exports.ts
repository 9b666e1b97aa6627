/** Exports as files: each made once for its parameters and data version, for all callers, and sent from there. */
import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { Counter } from "prom-client";
import type { Bus } from "#libs/bus/connect.ts";
import type { StreamedName } from "#libs/bus/request.ts";
import { requestStream } from "#libs/bus/stream.ts";
import { AppError } from "#libs/contract/errors.ts";
import { type OperationShape, type Owner, operations, type ParamsInput } from "#libs/contract/index.ts";
import type { Coding } from "../http/negotiation.ts";
import { otherVersion } from "../response-cache/versions.ts";
import { compressed } from "./compressed.ts";
import { type Asker, type Content, collect, type ExportFile, isThere, readContent } from "./content.ts";
import { FileIndex } from "./file-index.ts";
import type { Places } from "./places.ts";
import { SharedWork } from "./shared-work.ts";
import type { Holder, Spool } from "./spool.ts";

export interface ExportsOptions {
	bus: Bus;
	spool: Spool;
	places: Places;
	/** Data versions that are vouched for now, and where a newer one is said to have been seen. */
	versions: { known(owner: Owner): number | undefined; replied(owner: Owner, version: number): void };
}

/** By where they came from: kept, joined (another was waiting for the same), made. */
const answered = new Counter({
	name: "gateway_exports_total",
	help: "Files of exports by where they came from: kept, joined (another request was waiting for the same), made.",
	labelNames: ["from"],
});

export class Exports {
	readonly #options: ExportsOptions;
	readonly #files = new FileIndex();
	readonly #making = new Map<string, SharedWork<ExportFile>>();
	readonly #compressing = new Map<string, SharedWork<Content | undefined>>();

	constructor(options: ExportsOptions) {
		this.#options = options;
		this.#files.onRemoved = ({ stored, coded }) => {
			for (const one of [stored, ...coded.values().map((content) => content.stored)])
				if (!(one instanceof Uint8Array)) options.spool.remove(one);
		};
	}

	/** The file at the owner's current data version, if it is there. */
	peek<N extends StreamedName>(name: N, params: ParamsInput<N>): ExportFile | undefined {
		const version = this.#options.versions.known(operations[name].owner);
		const file = version === undefined ? undefined : this.#files.get(keyOf(name, params));
		if (file === undefined || file.dataVersion !== version || !isThere(file)) return undefined;
		return file.otherVersion === this.#otherVersion(name, params) ? file : undefined;
	}

	/**
	 * The file at the owner's current data version: one that is there, the one that another request is waiting for, or a new one.
	 * `params` must be parsed, `format` among them. @throws what the owner throws, 429 and 503 of the limits, the signal's reason.
	 */
	async get<N extends StreamedName>(name: N, params: ParamsInput<N>, asker: Asker): Promise<ExportFile> {
		const kept = this.peek(name, params);
		if (kept !== undefined) {
			answered.inc({ from: "kept" });
			return kept;
		}
		const leave = this.#options.places.take(asker.holder);
		try {
			const { owner }: OperationShape = operations[name];
			const version = this.#options.versions.known(owner);
			const flight = `${version ?? "?"} ${this.#otherVersion(name, params)} ${keyOf(name, params)}`;
			for (let attempt = 1; ; attempt++) {
				const makes = !this.#making.has(flight);
				try {
					const file = await joined(this.#making, flight, asker, (signal) =>
						this.#make(name, params, version, { holder: asker.holder, signal }),
					);
					answered.inc({ from: makes ? "made" : "joined" });
					return file;
				} catch (error) {
					// The share that it exceeded was of the caller that had it made: this one has its own.
					if (makes || attempt === mostAttempts || !isOverShare(error)) throw error;
				}
			}
		} finally {
			leave();
		}
	}

	/** The same file in a coding, made once as well; undefined where that is not worth it, or there is no room for it. */
	async coded(file: ExportFile, coding: Coding, asker: Asker): Promise<Content | undefined> {
		const known = file.coded.get(coding);
		if (known !== undefined && isThere(known)) return known;
		return joined(this.#compressing, `${coding} ${file.sha256}`, asker, async (signal) => {
			const content = await compressed(file, coding, this.#options.spool, { holder: asker.holder, signal });
			if (content !== undefined) file.coded.set(coding, content);
			this.#files.bound();
			return content;
		});
	}

	/** Undefined when it is no longer there: ask for it again. */
	read(content: Content, holder: Holder, first: number, last: number): Promise<Buffer | Readable | undefined> {
		return readContent(content, this.#options.spool, holder, first, last);
	}

	/** To be called for every announcement: older files are removed. */
	onVersion(owner: Owner, version: number): void {
		this.#files.onVersion(owner, version);
	}

	#otherVersion(name: StreamedName, params: object): number | undefined {
		return otherVersion(name, params, (owner) => this.#options.versions.known(owner));
	}

	async #make<N extends StreamedName>(
		name: N,
		params: ParamsInput<N>,
		knownVersion: number | undefined,
		{ holder, signal }: Asker,
	): Promise<ExportFile> {
		const { spool, bus, versions } = this.#options;
		const otherVersion = this.#otherVersion(name, params);
		const chunks = await requestStream(bus, name, params, { signal, knownVersion });
		const key = keyOf(name, params);
		const said = chunks.head["x-data-version"];
		const dataVersion = said === undefined ? undefined : Number(said);
		const kept = this.#files.get(key);
		// Its version was not known to be current; the owner has just said that it is.
		if (kept?.dataVersion === dataVersion && kept?.otherVersion === otherVersion && kept && isThere(kept)) {
			await chunks.return?.();
			return kept;
		}
		const content = await collect(chunks, spool, holder, signal);
		const { owner }: OperationShape = operations[name];
		const file: ExportFile = { ...content, owner, head: chunks.head, dataVersion, otherVersion, coded: new Map() };
		if (dataVersion !== undefined) {
			versions.replied(owner, dataVersion);
			this.#files.set(key, file);
		}
		return file;
	}
}

/** How often a caller joins others' work that fails by a limit of theirs. */
const mostAttempts = 5;

const isOverShare = (error: unknown): boolean => error instanceof AppError && error.status === 429;

const keyOf = (name: StreamedName, params: object): string =>
	hash("sha256", `${name} ${JSON.stringify(params)}`, "base64url");

/** Waits for the work under way of that name, or begins it. */
function joined<T>(
	all: Map<string, SharedWork<T>>,
	name: string,
	{ signal }: Asker,
	begin: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	let work = all.get(name);
	if (work === undefined) {
		const begun: SharedWork<T> = new SharedWork(begin, () => {
			if (all.get(name) === begun) all.delete(name);
		});
		work = begun;
		all.set(name, begun);
	}
	return work.join(signal);
}
