/** Files by operation and parameters. Bounded; the least recently used is removed first. */
import type { Owner } from "#libs/contract/index.ts";
import type { Content, ExportFile } from "./content.ts";

/** Most files, and most bytes of those that are kept in memory. */
const mostFiles = 5_000;
const mostInMemory = 32 * 1024 * 1024;

export class FileIndex {
	/** In order of use. */
	readonly #files = new Map<string, ExportFile>();
	readonly #versions = new Map<Owner, number>();
	onRemoved: (file: ExportFile) => void = () => {};

	get(key: string): ExportFile | undefined {
		const file = this.#files.get(key);
		if (file === undefined) return undefined;
		this.#files.delete(key);
		this.#files.set(key, file);
		return file;
	}

	/** In place of an older one; one that has been overtaken is not kept. */
	set(key: string, file: ExportFile): void {
		const known = this.#files.get(key);
		if (known !== undefined) this.#remove(key, known);
		this.#files.set(key, file);
		this.bound();
	}

	bound(): void {
		let bytes = 0;
		for (const file of this.#files.values()) bytes += inMemory(file);
		for (const [key, file] of this.#files) {
			if (this.#files.size <= mostFiles && bytes <= mostInMemory) return;
			if (this.#files.size > mostFiles || inMemory(file) > 0) {
				bytes -= inMemory(file);
				this.#remove(key, file);
			}
		}
	}

	/** An owner's data version: older files go; all of them when it went back, for equal numbers no longer mean equal data. */
	onVersion(owner: Owner, version: number): void {
		const before = this.#versions.get(owner);
		if (before === version) return;
		this.#versions.set(owner, version);
		const wentBack = before !== undefined && version < before;
		for (const [key, file] of this.#files)
			if (file.owner === owner && (wentBack || (file.dataVersion ?? 0) < version)) this.#remove(key, file);
	}

	#remove(key: string, file: ExportFile): void {
		this.#files.delete(key);
		this.onRemoved(file);
	}
}

/** With its compressed forms. */
const inMemory = (file: ExportFile): number =>
	[file, ...file.coded.values()].reduce((sum, content) => sum + heldBy(content), 0);

const heldBy = ({ stored }: Content): number => (stored instanceof Uint8Array ? stored.length : 0);
