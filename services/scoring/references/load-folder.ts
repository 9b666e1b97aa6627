/** Loads the reference lists of a folder, or the bundled sample. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import { sumFiles } from "#libs/service/ingest-program.ts";
import { fileNames, formatReport, loadBytes, loadReferenceFiles, recordFile } from "./load.ts";
import type { ReferenceSource } from "./sources/reference.ts";

interface Reporting {
	now: () => Date;
	report: (line: string) => void;
}

/** Subfolders by source. Only the low-income tracts in `geography` are reference lists. */
const subfolders: readonly { folder: string; source: ReferenceSource; files?: RegExp }[] = [
	{ folder: "energy_communities", source: "energy-communities" },
	{ folder: "geography", source: "low-income", files: fileNames["low-income"] },
	{ folder: "ic_costs", source: "ic-costs" },
	{ folder: "interconnection_costs", source: "ic-costs" },
];

/** Reports each loaded file and each file that it does not load. @returns how many were refused */
export async function loadFolder(sql: Sql, root: string, { now, report }: Reporting): Promise<{ refused: number }> {
	let refused = 0;
	for (const { folder, source, files } of subfolders) {
		const path = join(root, folder);
		if (!(await stat(path).catch(() => undefined))?.isDirectory()) continue;
		const paths = files === undefined ? [path] : await listFiles(path, files);
		const reports = await loadReferenceFiles(sql, source, paths, {
			now,
			report: (file) => report(`${folder}: ${formatReport(file)}`),
			reportSkipped: (file, reason) => report(`${file}: not loaded: ${reason}`),
		});
		const sum = sumFiles(source, reports);
		refused += reports.filter(({ outcome }) => outcome === "refused").length;
		report(
			`${folder}: ${sum.files} files, ${sum.rows_in} rows, ${sum.stored} stored, ${sum.known} known already, ${sum.dropped} dropped`,
		);
	}
	return { refused };
}

async function listFiles(path: string, files: RegExp): Promise<string[]> {
	const names = (await readdir(path)).filter((name) => files.test(name));
	return names.sort().map((name) => join(path, name));
}

/** Some counties and tracts of Notice 2026-39, not all taken from the notice itself. Published lists replace the sample. */
const sample = "energy-communities-2026-39-sample.csv";

export async function loadSample(sql: Sql, { now, report }: Reporting): Promise<void> {
	const published = await sql`
		select from reference_files where source = 'energy-communities' and not sample limit 1`;
	if (published.count > 0) {
		report("The sample was not loaded, because a list of energy communities is already loaded.");
		return;
	}
	const file = { name: `sample/${sample}`, bytes: await readFile(new URL(`../sample/${sample}`, import.meta.url)) };
	const loaded = await loadBytes(sql, "energy-communities", file, { now: now(), sample: true });
	if (loaded.outcome === "refused") throw new Error(loaded.reason ?? "the sample was refused");
	await recordFile(sql, "energy-communities", loaded, now());
	report(`${loaded.name}: ${loaded.outcome}, ${loaded.stored} places of the bundled sample`);
}
