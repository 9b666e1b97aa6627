/**
 * Corrects what operators file instead of a county: typing errors, abbreviations, towns and counties of another state. `corrections.psv`
 * contains entries for the published files of 2018-2026: by filed state, with the intended counties,
 * separated by commas; one may have another state ("Kay OK"). Add a line only after reading the row (its substation shows the town): a
 * guess is worse than the state's centre, which is the fallback.
 */
import { readFileSync } from "node:fs";
import { nameKey } from "#libs/counties/table.ts";

const [, ...lines] = readFileSync(new URL("./corrections.psv", import.meta.url), "utf8")
	.trimEnd()
	.split("\n");

/** Every entry of the list, for the test that each names counties. */
export const allCorrections = lines.map((line) => {
	const [state = "", filed = "", counties = ""] = line.split("|");
	return { state, filed, counties: counties.split(", ") };
});

const byKey = new Map(allCorrections.map(({ state, filed, counties }) => [`${state}:${nameKey(filed)}`, counties]));

/** The intended counties ("Kings", or "Kay OK" in another state) of a filed name in a state; undefined without an entry. */
export const corrected = (filed: string, state: string): string[] | undefined =>
	byKey.get(`${state}:${nameKey(filed)}`);
