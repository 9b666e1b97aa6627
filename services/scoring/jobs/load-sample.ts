/** The bundled sample of energy communities: a few places of Notice 2026-39, some of them second-hand. It gives way to any published list. */
import { readFile } from "node:fs/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { loadBytes } from "./load-references.ts";
import { recordFile } from "./record-file.ts";

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
