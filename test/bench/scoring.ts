/** What scoring costs: in memory, on the first list of everything, and on one changed request while others change too. */
import type { Row } from "./report.ts";
import { measureChanges } from "./scoring-changes.ts";
import { measureLoads, openDatabases } from "./scoring-load.ts";
import { measureMemory } from "./scoring-memory.ts";
import type { Bench } from "./system.ts";

/** Empties what the services hold of requests: to run last. */
export async function measureScoring(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const rows = await measureMemory(say);
	await using databases = openDatabases(bench);
	rows.push(...(await measureLoads(bench, databases, say)));
	rows.push(...(await measureChanges(bench, databases, say)));
	return rows;
}
