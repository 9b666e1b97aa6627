/** Test support: the operators' real files, which are too large and not ours to keep in the repository. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect } from "vitest";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import type { FiledRequest, ParsedFile, RawFile } from "../../services/queue-ingest/sources/source.ts";
import { realData } from "../../tools/bench/real-data.ts";

/** Paths are below the folder of real files. */
export const readReal = (path: string): IncomingFile => ({
	name: basename(path),
	path,
	bytes: readFileSync(join(realData, path)),
});

/** Tests on real files; they are skipped with a warning where one of these files or folders does not exist. */
export function describeReal(name: string, paths: readonly string[], tests: () => void): void {
	const absent = paths.filter((path) => !existsSync(join(realData, path)));
	if (absent.length > 0)
		console.warn(`Tests on real files skipped: ${realData} has no ${absent.join(", ")} (set REAL_DATA_DIR).`);
	describe.skipIf(absent.length > 0)(name, tests);
}

/** Tests on the files of one folder. */
export const describeRealFiles = (folder: string, tests: (read: (path: string) => RawFile) => void): void =>
	describeReal(`real files of ${folder}`, [folder], () => tests((path) => readReal(join(folder, path))));

/** Rows that a parse gives account of: kept or dropped. */
export function accountedRows(parsed: ParsedFile): number {
	return parsed.requests.length + parsed.dropped.reduce((sum, { count }) => sum + count, 0);
}

/** The request of a file that has one. */
export function only(parsed: ParsedFile): FiledRequest {
	expect(parsed.requests).toHaveLength(1);
	const [request] = parsed.requests;
	if (!request) throw new Error("no request");
	return request;
}
