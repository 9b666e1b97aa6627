/** Test support: real files, which are not kept in the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "vitest";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");

export interface RealFile {
	name: string;
	bytes: Uint8Array;
}

/** Tests on the files of a folder, skipped with a warning where it is missing. `read` returns the files sorted by name. */
export function describeRealFiles(folder: string, tests: (read: (subfolder?: string) => RealFile[]) => void): void {
	const missing = !existsSync(join(root, folder));
	if (missing) console.warn(`Tests on real files skipped: ${join(root, folder)} does not exist (set REAL_DATA_DIR).`);
	describe.skipIf(missing)(`real files of ${folder}`, () => {
		tests((subfolder = "") => {
			const directory = join(root, folder, subfolder);
			return readdirSync(directory, { withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map(({ name }) => ({ name, bytes: readFileSync(join(directory, name)) }))
				.toSorted((a, b) => (a.name < b.name ? -1 : 1));
		});
	});
}
