/** Index of the stored export files. When it is full, the least recently used file is removed. */
import type { Owner } from "#libs/contract/index.ts";
import type { Content } from "./spool.ts";

export interface ExportFile extends Content {
	owner: Owner;
	/** Facts that the owner sent with the file: headers of the response (`x-...`), and fields of the manifest. */
	head: Readonly<Record<string, string>>;
	/** Undefined if the owner did not send it; the file is then sent only to the requests that waited for it. */
	dataVersion: number | undefined;
	/** Data version of the second owner, if the file contains data of two owners. */
	secondOwnerVersion?: number | undefined;
}

const maxFiles = 5_000;
/** Maximum size of all files that are in memory. */
const maxInMemoryBytes = 32 * 1024 * 1024;

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
			const isMemoryFull = this.#inMemory > maxInMemoryBytes;
			if (this.#files.size <= maxFiles && !isMemoryFull) return;
			if (this.#files.size > maxFiles || inMemory(other) > 0) this.#remove(oldest);
		}
	}

	/** Removes an owner's older files. If its version decreased, all are removed, because the same version no longer means the same data. */
	onVersion(owner: Owner, version: number): void {
		const previous = this.#versions.get(owner);
		if (previous === version) return;
		this.#versions.set(owner, version);
		const hasDecreased = previous !== undefined && version < previous;
		for (const [key, file] of this.#files)
			if (file.owner === owner && (hasDecreased || (file.dataVersion ?? 0) < version)) this.#remove(key);
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
