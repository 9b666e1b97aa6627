/** The score versions that are computed. To add one, add a file beside this one and its name to the list; the highest number is current. */
import type { ScoreTables } from "../tables.ts";
import { version6 } from "./6.ts";

const versions: readonly ScoreTables[] = [version6];

/** The versions that can still be computed. For a score published under any other, only its stored values are returned, without components. */
export const scoreVersions: ReadonlyMap<number, ScoreTables> = new Map(
	versions.map((tables) => [tables.version, tables]),
);
export const currentVersion = Math.max(...scoreVersions.keys());

/** @throws Error if the version is unknown or its model is missing */
export function tablesOf(version: number): ScoreTables {
	const tables = scoreVersions.get(version);
	if (tables === undefined) throw new Error(`score version ${version} does not exist`);
	void tables.model;
	return tables;
}
