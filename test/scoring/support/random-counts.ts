/** Random counts of developers, the same ones in every run. */
import type { DeveloperCounts } from "../../../services/scoring/domain/developers/counts.ts";
import { random } from "../../support/file-formats.ts";

export const noCounts: DeveloperCounts = {
	active: 0,
	operational: 0,
	withdrawn: 0,
	expectedWithdrawn: null,
	dated: 0,
	behind: 0,
	codSlipped: 0,
	stuck: 0,
	withCost: 0,
	highCost: 0,
	maxCostPerKw: null,
	operationalMw: 0,
	activeMw: 0,
	capitalRaised: 0,
	capitalRaised36Months: 0,
	raiseCount: 0,
	raiseMonths: 0,
	events: 0,
	reports: 0,
	financing: 0,
	ma: 0,
	distress: 0,
	litigation: 0,
	bankruptcy: false,
	lateAndConstruction: [],
	creditValue: 0,
	creditProjects: 0,
	seeking: [],
};

/** Whole, 0 to `most`. */
export const upTo = (random: () => number, most: number): number => Math.floor(random() * (most + 1));

/** Sizes from nothing to the largest whole number that is exact. */
const sizes = [0, 1, 2, 5, 30, 400, 5000, 1e9, Number.MAX_SAFE_INTEGER / 8];
const words = ["Solar", "Storage", "Wind", "Solar + Storage", "Gas", "Hydro", "Offshore Wind"];

/** Consistent counts: no part is larger than its whole; zeros and huge ones among them. */
function randomCounts(random: () => number): DeveloperCounts {
	const size = () => upTo(random, Math.floor(sizes[upTo(random, sizes.length - 1)] ?? 0));
	const [active, withCost, distress, litigation, financing, ma] = [size(), size(), size(), size(), size(), size()];
	return {
		active,
		operational: size(),
		withdrawn: size(),
		expectedWithdrawn: null,
		dated: active,
		behind: upTo(random, active),
		codSlipped: upTo(random, active),
		stuck: upTo(random, active),
		withCost,
		highCost: upTo(random, withCost),
		maxCostPerKw: withCost === 0 ? null : random() * 2000,
		operationalMw: random() < 0.3 ? 0 : random() * 20_000,
		activeMw: random() * 20_000,
		capitalRaised: random() < 0.3 ? 0 : random() * 2e9,
		capitalRaised36Months: random() < 0.3 ? 0 : random() * 5e8,
		raiseCount: 0,
		raiseMonths: 0,
		events: distress + litigation + financing + ma + size(),
		reports: 0,
		financing,
		ma,
		distress,
		litigation,
		bankruptcy: random() < 0.1,
		lateAndConstruction: words.filter(() => random() < 0.3).map((technology) => ({ technology, mw: random() * 900 })),
		creditValue: random() * 1e9,
		creditProjects: 1 + size(),
		seeking: ["A seeks buyer", "B explores sale", "C seeks investors"].filter(() => random() < 0.2),
	};
}

/** `count` developers, by number. */
export function manyCounts(count: number, seed = 20_261_120): [number, DeveloperCounts][] {
	const next = random(seed);
	return Array.from({ length: count }, (_, at) => [at, randomCounts(next)]);
}
