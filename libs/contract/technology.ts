/** Parameters that name a technology. */
import { z } from "zod";
import { didYouMean } from "./did-you-mean.ts";
import { words } from "./params.ts";
import { technologies, technologyParts } from "./vocabulary.ts";

type Technology = (typeof technologies)[number];

/** Accepted names of technologies. They are compared without regard to case; hyphens and other punctuation count as spaces. */
const spellings: Record<string, string> = {
	Wind: "wind, onshore wind, on shore wind, wind onshore, land based wind, wind turbine, wind turbines, wnd",
	"Offshore Wind": "offshore wind, off shore wind, wind offshore, osw, floating wind, floating offshore wind",
	Solar: `solar, pv, solar pv, photovoltaic, photovoltaics, solar photovoltaic, sun, solar thermal, csp, concentrating solar,
		agrivoltaics`,
	Gas: `gas, natural gas, ng, ccgt, cc, ct, combined cycle, combustion turbine, gas turbine, gas peaker, peaker, simple cycle,
		cogeneration, dual fuel`,
	Nuclear: "nuclear, smr, small modular reactor, advanced nuclear, fission, nuclear fission, fusion, nuclear fusion",
	Hydro: `hydro, hydropower, hydroelectric, hydro electric, conventional hydro, run of river, water, marine, tidal, wave,
		hydrokinetic`,
	"Pumped Storage": "pumped storage, pumped hydro, pumped storage hydro, pumped hydro storage, psh",
	Coal: "coal",
	Oil: "oil, fuel oil, diesel, petroleum",
	Geothermal: "geothermal, geo, egs, enhanced geothermal, geothermal heat",
	Biomass: "biomass, biogas, biofuel, biofuels, landfill gas, lfg, wood, rng, renewable natural gas",
	Waste: "waste, msw, municipal solid waste, solid waste, waste to energy, wte",
	Hydrogen: "hydrogen, h2, green hydrogen",
	"Fuel Cell": "fuel cell, hydrogen fuel cell, hydrogen fuel cells, fuel cells, fuelcell, fuelcells",
	"Waste Heat": "waste heat, waste heat recovery, heat recovery, whr",
	Transmission: "transmission, hvdc, merchant transmission",
	Load: "load, data center, data centre",
	Storage: `storage, battery, batteries, bat, bess, ess, battery storage, battery energy storage, energy storage, lithium ion,
		lithium ion battery, li ion, battery energy storage system`,
	"Other Storage": `other storage, flywheel, flywheels, caes, compressed air, compressed air energy storage, thermal storage,
		gravity storage`,
	Other: "other",
	Unknown: "unknown",
};

const order: readonly string[] = technologyParts;

const technologyByName = new Map<string, string>(
	Object.entries(spellings).flatMap(([name, list]) => list.split(/,\s*/).map((words) => [words.trim(), name] as const)),
);

const standard = new Map<string, Technology>(technologies.map((word) => [word, word]));

/** Words that are ignored in the name of a technology. */
const fillers = new Set(
	`and with plus co colocated located paired energy power plant plants project facility farm park utility scale stand alone
		standalone only system generation generator community distributed`.split(/\s+/),
);

/** Number of words in the longest name. */
const maxNameWords = 4;

/**
 * Finds the technology that a text means, without regard to case: "pv", "BESS", "Solar+Storage", "wind with battery". "Solar hybrid" includes
 * storage; gas with oil is gas. Undefined if a word or the combination is unknown.
 */
export function parseTechnology(text: string): Technology | undefined {
	const tokens = text.toLowerCase().match(/[a-z0-9]+|[+&/;]/g) ?? [];
	const parts = new Set<string>();
	let hybrid = false;
	for (let at = 0; at < tokens.length; ) {
		const found = longestName(tokens, at);
		if (found !== undefined) {
			parts.add(found.name);
			at += found.length;
			continue;
		}
		const token = tokens[at] ?? "";
		if (token === "hybrid") hybrid = true;
		else if (/[a-z0-9]/.test(token) && !fillers.has(token)) return undefined;
		at++;
	}
	if (hybrid && parts.size > 0) parts.add("Storage");
	if (parts.has("Gas")) parts.delete("Oil");
	return standard.get([...parts].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(" + "));
}

function longestName(tokens: readonly string[], at: number): { name: string; length: number } | undefined {
	for (let length = maxNameWords; length > 0; length--) {
		const name = technologyByName.get(tokens.slice(at, at + length).join(" "));
		if (name !== undefined) return { name, length: Math.min(length, tokens.length - at) };
	}
	return undefined;
}

/** Whether a text does not begin or end with punctuation, which indicates an error in the caller's program ("Solar_", ",Wind"). */
const hasNoStrayPunctuation = (text: string): boolean => /^\s*[a-z0-9].*[a-z0-9)]\s*$/is.test(text);

/** Parameter schema: one of `technologies`, or a common name of one. */
export const technology = () =>
	z.preprocess(
		(value) => (typeof value === "string" && hasNoStrayPunctuation(value) ? (parseTechnology(value) ?? value) : value),
		z.enum(technologies, { error: `must be one of ${technologies.join(", ")}, or a common name of one` }),
	);

const isPart = (text: string): boolean =>
	technologies.some((name) => name.toLowerCase().includes(text.trim().toLowerCase()));

/** Parameter schema: any part of a standard technology's name, or a common name of a part ("battery"). */
export const partOfTechnology = () =>
	z.preprocess(
		(value) => (typeof value === "string" && !isPart(value) ? (parseTechnology(value) ?? value) : value),
		words(),
	);

const partsByName = new Map<string, string>(technologyParts.map((part) => [part.toLowerCase(), part]));

/**
 * Parameter schema: exactly one standard technology (`type_std`), without regard to case. The parts of a hybrid may be in any order; an unencoded
 * `+` between them arrives as a space.
 */
export const exactTechnology = () =>
	z.preprocess(
		(value) => (typeof value === "string" ? (exactName(value) ?? value) : value),
		z
			.string({ error: "must be a standard technology" })
			.refine((value) => exactName(value) === value, {
				error: ({ input }) =>
					`must be a standard technology (${technologyParts.join(", ")}), or several joined with " + "${didYouMean(input, [...technologies, ...technologyParts])}`,
			})
			.meta({ examples: ["Solar", "Solar + Storage"] }),
	);

function exactName(text: string): string | undefined {
	const parts = text
		.trim()
		.toLowerCase()
		.split(/\s*\+\s*|\s{2,}/);
	const names = parts.map((part) => partsByName.get(part));
	if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
	return names.sort((a = "", b = "") => order.indexOf(a) - order.indexOf(b)).join(" + ");
}
