/**
 * Colors by technology, status or score. They can be distinguished with every kind of color vision (Okabe and Ito; for scores ColorBrewer's PuOr).
 */
import type { ExpressionSpecification } from "maplibre-gl";
import type { Colouring } from "../view.ts";

export interface Shade {
	name: string;
	colour: string;
}

interface Technology extends Shade {
	/** A part of the names of the technologies. `all` lists whole names instead. */
	part?: string;
	all?: string[];
}

const grey = "#8f979c";

/** Colors of technologies. The first that matches applies. */
const technologies: Technology[] = [
	{ name: "Wind, including hybrids", colour: "#56b4e9", part: "Wind" },
	{ name: "Solar + storage", colour: "#d55e00", part: "Solar + Storage" },
	{ name: "Solar", colour: "#e69f00", part: "Solar" },
	{ name: "Gas", colour: "#0072b2", part: "Gas" },
	{ name: "Storage", colour: "#cc79a7", all: ["Storage", "Other Storage"] },
	{ name: "Hydro, nuclear, geothermal", colour: "#009e73", all: ["Pumped Storage", "Hydro", "Nuclear", "Geothermal"] },
];
const otherTechnology: Shade = { name: "Other", colour: grey };

const statuses: (Shade & { value: string })[] = [
	{ name: "Active", value: "Active", colour: "#0072b2" },
	{ name: "Operational", value: "Operational", colour: "#009e73" },
	{ name: "Suspended", value: "Suspended", colour: "#e69f00" },
	{ name: "Withdrawn", value: "Withdrawn", colour: "#d55e00" },
	{ name: "Unknown", value: "Unknown", colour: grey },
];

/** Colors of scores. `from` is the minimum score. */
const scores: (Shade & { from: number })[] = [
	{ name: "Score below 25", from: 0, colour: "#e66101" },
	{ name: "25 to 49", from: 25, colour: "#fdb863" },
	{ name: "50 to 74", from: 50, colour: "#a79fd0" },
	{ name: "75 and more", from: 75, colour: "#6a4bb0" },
];
const unscored: Shade = { name: "Not scored", colour: grey };

export const shades: Record<Colouring, readonly Shade[]> = {
	technology: [...technologies, otherTechnology],
	status: statuses,
	score: [...scores, unscored],
};

export function shadeOfTechnology(technology: string): Shade {
	return technologies.find(({ part, all }) => matchesTechnology(technology, part, all)) ?? otherTechnology;
}

const matchesTechnology = (technology: string, part: string | undefined, all: string[] | undefined): boolean =>
	part === undefined ? (all ?? []).includes(technology) : technology.includes(part);

export const shadeOfStatus = (status: string): Shade =>
	statuses.find(({ value }) => value === status) ?? { name: status, colour: grey };

export const shadeOfScore = (score: number | null): Shade =>
	score === null ? unscored : (scores.findLast(({ from }) => score >= from) ?? unscored);

/** An expression for the color of map features, computed from their properties or from their state. */
export function colourOf(colouring: Colouring, from: "get" | "feature-state" = "get"): ExpressionSpecification {
	if (colouring === "status")
		return ["match", [from, "status"], ...statuses.flatMap(({ value, colour }) => [value, colour]), grey] as never;
	if (colouring === "score") {
		const [first, ...rest] = scores;
		const steps = rest.flatMap(({ from, colour }) => [from, colour]);
		return ["case", ["!=", [from, "score"], null], ["step", [from, "score"], first?.colour, ...steps], grey] as never;
	}
	const technology = ["coalesce", [from, "technology"], ""];
	const cases = technologies.flatMap(({ part, all, colour }) => [
		part === undefined ? ["in", technology, ["literal", all]] : ["in", part, technology],
		colour,
	]);
	return ["case", ...cases, grey] as never;
}
