/** Every version of the score. A new one is a file beside this one and its name in the list; the highest number is current. */
import type { ScoreTables } from "../tables.ts";
import { version1 } from "./1.ts";
import { version2 } from "./2.ts";

const versions: readonly ScoreTables[] = [version1, version2];

export const scoreVersions: ReadonlyMap<number, ScoreTables> = new Map(
	versions.map((tables) => [tables.version, tables]),
);
export const currentVersion = Math.max(...scoreVersions.keys());

/** Throws for a version that this code does not know. */
export function tablesOf(version: number): ScoreTables {
	const tables = scoreVersions.get(version);
	if (tables === undefined) throw new Error(`there is no version ${version} of the score`);
	return tables;
}
