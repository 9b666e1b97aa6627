/** Loads every file of a folder laid out as `news/` and `sec/`, in folders of any depth; each goes to the reader that knows it. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { ingestFiles, sumOf } from "./ingest-files.ts";

/** EDGAR's publications of both kinds of filings lie together. */
const places: readonly { folder: string; sources: readonly Pipeline[] }[] = [
	{ folder: "sec", sources: ["form-d", "8-k"] },
	{ folder: "news", sources: ["news"] },
];

/** Answers how many files were refused. A file of no known kind is left out, and said to be. */
export async function loadFolder(
	sql: Sql,
	root: string,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<{ refused: number }> {
	let refused = 0;
	for (const { folder, sources } of places) {
		const path = join(root, folder);
		if (!(await stat(path).catch(() => null))?.isDirectory()) continue;
		const strange = new Map<string, number>();
		for (const source of sources) {
			const reports = await ingestFiles(sql, source, [path], {
				now,
				report: ({ name, reason }) => reason !== null && report(`${folder}, ${source}: ${name} refused: ${reason}`),
				leftOut: (file) => strange.set(file, (strange.get(file) ?? 0) + 1),
			});
			refused += reports.filter(({ outcome }) => outcome === "refused").length;
			const { files, rows_in, stored, known, dropped } = sumOf(source, reports);
			report(
				`${folder}, ${source}: ${files} files, ${rows_in} rows, ${stored} stored, ${known} known already, ${dropped} dropped`,
			);
		}
		for (const [file, times] of strange)
			if (times === sources.length) report(`${file}: not a file of ${folder}, left out`);
	}
	return { refused };
}
