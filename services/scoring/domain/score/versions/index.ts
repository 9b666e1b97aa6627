/** Every version of the score. A new one is a file beside this one and its name in the list; the highest number is current. */
import type { VersionTables } from "../outcomes.ts";
import { version1 } from "./1.ts";
import { version2 } from "./2.ts";
import { version3 } from "./3.ts";

const versions: readonly VersionTables[] = [version1, version2, version3];

export const scoreVersions: ReadonlyMap<number, VersionTables> = new Map(
	versions.map((tables) => [tables.version, tables]),
);
export const currentVersion = Math.max(...scoreVersions.keys());

/** @throws for an unknown version, and for one whose table of outcomes is missing or of another version */
export function tablesOf(version: number): VersionTables {
	const tables = scoreVersions.get(version);
	if (tables === undefined) throw new Error(`there is no version ${version} of the score`);
	if ("outcomes" in tables) void tables.outcomes;
	return tables;
}
