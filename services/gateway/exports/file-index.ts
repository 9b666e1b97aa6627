/** Index of the stored export files. When it is full, the least recently used file is removed. */
import type { Owner } from "#libs/contract/index.ts";
import type { Content } from "./spool.ts";

export interface ExportFile extends Content {
	owner: Owner;
	/** Sent by the owner with the file: headers of the response (`x-...`), and facts for the manifest. */
	head: Readonly<Record<string, string>>;
	/** Undefined if the owner does not state it: then the file is sent only to the requests that waited for it. */
	dataVersion: number | undefined;
	/** Data version of the second owner, if the file contains data of two owners. */
	secondOwnerVersion?: number | undefined;
}

/** Most files, and most bytes of those that are in memory. */
const maxFiles = 5_000;
const maxInMemory = 32 * 1024 * 1024;

export class FileIndex {
	/** The least recently used first. */
	readonly #files = new Map<string, ExportFile>();
	readonly #versions = new Map<Owner, number>();
	readonly #onRemoved: (file: ExportFile) => void;
	#inMemory = 0;

	constructor(onRemoved: (file: ExportFile) => void) {
		this.#onRemoved = onRemoved;
	}

	get(key: string): ExportFile | undefined {
		const file = this.#files.get(key);
		if (file === undefined) return undefined;
		this.#files.delete(key);
		this.#files.set(key, file);
		return file;
	}

	set(key: string, file: ExportFile): void {
		this.#remove(key);
		this.#files.set(key, file);
		this.#inMemory += inMemory(file);
		for (const [oldest, other] of this.#files) {
			const isOver = this.#inMemory > maxInMemory;
			if (this.#files.size <= maxFiles && !isOver) return;
			if (this.#files.size > maxFiles || inMemory(other) > 0) this.#remove(oldest);
		}
	}

	/** Removes an owner's older files; if its version went back, all of them, because equal numbers no longer mean equal data. */
	onVersion(owner: Owner, version: number): void {
		const before = this.#versions.get(owner);
		if (before === version) return;
		this.#versions.set(owner, version);
		const wentBack = before !== undefined && version < before;
		for (const [key, file] of this.#files)
			if (file.owner === owner && (wentBack || (file.dataVersion ?? 0) < version)) this.#remove(key);
	}

	#remove(key: string): void {
		const file = this.#files.get(key);
		if (file === undefined) return;
		this.#files.delete(key);
		this.#inMemory -= inMemory(file);
		this.#onRemoved(file);
	}
}

const inMemory = ({ stored }: Content): number => (stored instanceof Uint8Array ? stored.length : 0);
