/** Test support: the real lists, which are too large to keep in the repository. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe } from "vitest";
import type { ReferenceFile } from "../../../services/scoring/references/sources/reference.ts";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");

/** Tests on the files of one folder; skipped with a warning if the folder is absent. */
export function describeRealFiles(folder: string, tests: (read: (path: string) => ReferenceFile) => void): void {
	const directory = join(root, folder);
	const missing = !existsSync(directory);
	if (missing) console.warn(`Tests on real files skipped: ${directory} does not exist (set REAL_DATA_DIR).`);
	describe.skipIf(missing)(`real files of ${folder}`, () => {
		tests((path) => ({ name: basename(path), bytes: readFileSync(join(directory, path)) }));
	});
}
