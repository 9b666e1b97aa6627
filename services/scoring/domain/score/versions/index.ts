/** Every version of the score that is computed. A new one is a file beside this one and its name in the list; the highest number is current. */
import type { ScoreTables } from "../tables.ts";
import { version6 } from "./6.ts";

const versions: readonly ScoreTables[] = [version6];

/** The versions that can still be computed. A score published under any other is answered from what was stored, without its components. */
export const scoreVersions: ReadonlyMap<number, ScoreTables> = new Map(
	versions.map((tables) => [tables.version, tables]),
);
export const currentVersion = Math.max(...scoreVersions.keys());

/** @throws for an unknown version, and for one whose model is missing */
export function tablesOf(version: number): ScoreTables {
	const tables = scoreVersions.get(version);
	if (tables === undefined) throw new Error(`there is no version ${version} of the score`);
	void tables.model;
	return tables;
}
