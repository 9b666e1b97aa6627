/** Test support: EDGAR's real files, which are too large to keep in the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "vitest";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../../shared/data");

export interface RealFile {
	name: string;
	bytes: Uint8Array;
}

/** Tests on the files of one folder; skipped, and said aloud, where the folder is not. `read` gives all files, in order of name. */
export function describeRealEdgar(folder: string, tests: (read: () => RealFile[]) => void): void {
	const directory = join(root, folder);
	const missing = !existsSync(directory);
	if (missing) console.warn(`Tests on real files skipped: ${directory} does not exist (set REAL_DATA_DIR).`);
	describe.skipIf(missing)(`real files of ${folder}`, () => {
		tests(() =>
			readdirSync(directory, { withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map(({ name }) => ({ name, bytes: readFileSync(join(directory, name)) })),
		);
	});
}
