/** Loads the reference lists of a folder laid out as `energy_communities/`, `geography/`, `ic_costs/` and `interconnection_costs/`. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import type { ReferenceSource } from "../sources/reference.ts";
import { loadReferenceFiles, sumOf } from "./load-references.ts";

/** Of `geography` the low-income tracts alone: the rest says where places are. */
const places: readonly { folder: string; source: ReferenceSource; files: RegExp }[] = [
	{ folder: "energy_communities", source: "energy-communities", files: /./ },
	{ folder: "geography", source: "low-income", files: /^nmtc.*\.json$|lowincome.*\.xlsx$/i },
	{ folder: "ic_costs", source: "ic-costs", files: /./ },
	{ folder: "interconnection_costs", source: "ic-costs", files: /./ },
];

/** Answers how many files were refused. A file of no known kind is left out, and said to be. */
export async function loadFolder(
	sql: Sql,
	root: string,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<{ refused: number }> {
	let refused = 0;
	for (const { folder, source, files } of places) {
		const path = join(root, folder);
		if (!(await stat(path).catch(() => undefined))?.isDirectory()) continue;
		const reports = await loadReferenceFiles(sql, source, await theirs(path, files), {
			now,
			report: ({ name, outcome, holds, stored, noted, reason }) => {
				const what = holds === null ? "" : `, ${holds}, ${stored} stored`;
				const more = noted.map((note) => `; ${note}`).join("");
				report(`${folder}: ${name} ${outcome}${what}${more}${reason === null ? "" : `: ${reason}`}`);
			},
			leftOut: (file, reason) => report(`${file}: ${reason}: left out`),
		});
		const sum = sumOf(source, reports);
		refused += reports.filter(({ outcome }) => outcome === "refused").length;
		report(
			`${folder}: ${sum.files} files, ${sum.rows_in} rows, ${sum.stored} stored, ${sum.known} known already, ${sum.dropped} dropped`,
		);
	}
	return { refused };
}

/** The folder itself where all of it is theirs. */
async function theirs(path: string, files: RegExp): Promise<string[]> {
	if (files.source === ".") return [path];
	const names = (await readdir(path)).filter((name) => files.test(name));
	return names.sort().map((name) => join(path, name));
}
