/** Test support: the operators' real files, which are too large and not ours to keep in the repository. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe } from "vitest";
import type { ParsedFile, RawFile } from "../../services/queue-ingest/sources/source.ts";

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");

/** Tests on the files of one folder; skipped, and said aloud, where the folder is not. */
export function describeRealFiles(folder: string, tests: (read: (path: string) => RawFile) => void): void {
	const directory = join(root, folder);
	const missing = !existsSync(directory);
	if (missing) console.warn(`Tests on real files skipped: ${directory} does not exist (set REAL_DATA_DIR).`);
	describe.skipIf(missing)(`real files of ${folder}`, () => {
		tests((path) => ({ name: basename(path), bytes: readFileSync(join(directory, path)) }));
	});
}

/** Rows that a parse gives account of: kept or dropped. */
export function accountedRows(parsed: ParsedFile): number {
	return parsed.requests.length + parsed.dropped.reduce((sum, { count }) => sum + count, 0);
}
