/** Every version of the score. A new one is a file beside this one and its name in the list; the highest number is current. */
import type { ScoreTables } from "../tables.ts";
import { version1 } from "./1.ts";

const versions: readonly ScoreTables[] = [version1];

export const scoreVersions: ReadonlyMap<number, ScoreTables> = new Map(
	versions.map((tables) => [tables.version, tables]),
);
export const currentVersion = Math.max(...scoreVersions.keys());
