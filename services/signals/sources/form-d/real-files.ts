/** Test support: EDGAR's real files, which are not ours to keep in the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "vitest";
import type { NamedBytes } from "./quarterly-sets.ts";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../../shared/data");

/** Tests on the files below `sec/`; skipped, and said aloud, where the folder is not. `all` gives a folder's files by name. */
export function describeRealFilings(tests: (all: (folder: string) => NamedBytes[]) => void): void {
	const directory = join(root, "sec");
	const missing = !existsSync(directory);
	if (missing) console.warn(`Tests on real files skipped: ${directory} does not exist (set REAL_DATA_DIR).`);
	describe.skipIf(missing)("real files of sec", () => {
		tests((folder) =>
			readdirSync(join(directory, folder))
				.toSorted()
				.map((name) => ({ name, bytes: readFileSync(join(directory, folder, name)) })),
		);
	});
}
