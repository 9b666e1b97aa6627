/** Loads the reference lists of a folder laid out as `energy_communities/`, `geography/`, `ic_costs/` and `interconnection_costs/`. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import { loadBytes, loadReferenceFiles, recordFile, sumOf } from "./load.ts";
import type { ReferenceSource } from "./sources/reference.ts";

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

// MERGED services/scoring/references/load-folder.ts: The bundled sample of energy communities: a few places of Notice 2026-39, some of them second-hand. It gives way to any published list.
const file = "energy-communities-2026-39-sample.csv";

/** Does nothing where a published list is loaded: the sample never stands beside one. */
export async function loadSample(
	sql: Sql,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<void> {
	const published = await sql`
		select from reference_files where source = 'energy-communities' and not sample limit 1`;
	if (published.count > 0) {
		report("A list of energy communities is loaded already: the sample is left out.");
		return;
	}
	const bytes = await readFile(new URL(`../sample/${file}`, import.meta.url));
	const done = await loadBytes(
		sql,
		"energy-communities",
		{ name: `sample/${file}`, bytes },
		{ now: now(), sample: true },
	);
	if (done.outcome === "refused") throw new Error(done.reason ?? "the sample was refused");
	await recordFile(sql, "energy-communities", done, now());
	report(`${done.name}: ${done.outcome}, ${done.stored} places, a sample and no list of all`);
}
