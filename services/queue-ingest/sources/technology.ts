/** Reads technologies as filed by any operator into one vocabulary. Pure. */
import { technologyParts } from "#libs/contract/vocabulary.ts";
import { known } from "#libs/files/values.ts";

/**
 * Words and codes that mean the same at every operator, by standard technology. One-letter codes, and codes that mean different things
 * (HYD, WO, ST), are declared by the operator that uses them and passed as `tokens`.
 */
const spellings: Record<Exclude<(typeof technologyParts)[number], "Unknown">, string> = {
	Wind: "wind, wind turbine, onshore wind, wnd, win, wt",
	"Offshore Wind": "offshore wind, wind offshore, off-shore wind, osw",
	Solar: "solar, photovoltaic, solar photovoltaic, solar pv, pv, sun, sol, solar thermal, concentrating solar",
	Hydro: "hydro, hydroelectric, water, wat, hyd",
	"Pumped Storage": "pumped storage, pump storage, pumped-storage hydro, pumped storage hydro, pumped hydro",
	Nuclear: "nuclear, nuc",
	Geothermal: "geothermal, geo",
	Biomass: "biomass, biofuel, biogas, bio, methane, landfill gas, lfg, wood, wds, blq",
	Waste: "waste, solid waste, municipal solid waste, msw",
	"Waste Heat": "waste heat, waste heat recovery, heat recovery",
	Hydrogen: "hydrogen",
	"Fuel Cell": "fuel cell, fc",
	Gas: `gas, natural gas, ng, dual fuel, combined cycle, combined-cycle, combustion turbine, gas turbine, reciprocating engine,
		internal combustion engine, co-gen, cogen, cogeneration, cc, ct, ctg, rice, cc-ng, ct-ng, st-ng, cs-ng`,
	Oil: "oil, fuel oil, diesel, distillate, petcoke, petroleum coke, dfo, ker, rfo, jf, pet",
	Coal: "coal, coa, bit, sub",
	"Other Storage": "other storage, flywheel, gravity via rail, compressed air, compressed air energy storage",
	Storage: "storage, battery, batteries, battery storage, battery energy storage, energy storage, bess, bat",
	Transmission: "transmission, merchant transmission, high voltage dc, hvdc, ac, dc, dc/ac, ac/dc, etu",
	Load: "load",
	Other: "other, oth, ot, hybrid",
};

const order: readonly string[] = technologyParts;

const commonTerms = new Map<string, string>(
	Object.entries(spellings).flatMap(([std, list]) => list.split(",").map((word) => [word.trim(), std] as const)),
);

export interface StandardTechnology {
	/** One of `technologies` in the vocabulary, or parts joined in the same way: "Hydro + Storage". */
	typeStd: string;
	unknown: string[];
}

/**
 * Returns the standard technology of a text as filed: "Solar; Storage", "SUN BAT", "Photovoltaic/Solar", "Gas + Oil".
 *
 * `tokens` (lower-case text to standard, which may have several parts: `{ cr: "Solar + Storage" }`) are the operator's own words; they take
 * precedence over the common ones. Unknown parts count as "Other"; "Other" and "Hybrid" are ignored next to a known part. Gas with oil is
 * dual fuel: Gas. A missing text is "Unknown".
 */
export function standardTechnology(filed: string | null, tokens: Record<string, string> = {}): StandardTechnology {
	if (known(filed) === null || filed === null) return { typeStd: "Unknown", unknown: [] };
	const lookUp = (word: string): string | undefined => {
		const key = word.toLowerCase().trim();
		return Object.hasOwn(tokens, key) ? tokens[key] : commonTerms.get(key);
	};
	const parts = new Set<string>();
	const unknown: string[] = [];
	for (const part of splitUntilKnown(filed, lookUp)) {
		const std = lookUp(part);
		if (std === undefined) unknown.push(part);
		for (const single of (std ?? "Other").split(" + ")) parts.add(single);
	}
	return { typeStd: joinParts(parts), unknown };
}

/** Splits a text no further than needed: "DC/AC" and "battery/storage" are words, "SUN BAT" is two codes, "Solar PV" is one word. */
function splitUntilKnown(filed: string, lookUp: (word: string) => string | undefined): string[] {
	if (lookUp(filed) !== undefined) return [filed];
	const parts = filed.split(/[;,/+&]|\sand\s/i).map((part) => part.trim());
	return parts
		.filter((part) => part !== "")
		.flatMap((part) => {
			if (lookUp(part) !== undefined) return [part];
			const plain = part.replace(/\s*\([^)]*\)$/, "");
			if (lookUp(plain) !== undefined) return [plain];
			const words = part.split(/\s+/);
			return words.every((word) => lookUp(word) !== undefined) ? words : [part];
		});
}

function joinParts(parts: Set<string>): string {
	if (parts.size > 1) parts.delete("Other");
	if (parts.has("Gas")) parts.delete("Oil");
	return [...parts].sort((a, b) => rank(a) - rank(b)).join(" + ");
}

function rank(std: string): number {
	const at = order.indexOf(std);
	return at < 0 ? order.length : at;
}
