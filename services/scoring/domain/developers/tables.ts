/** The figures from which distress and the need for capital are rated. */
import type { DeveloperTier, DistressLevel, RatedDistressLevel } from "#libs/contract/vocabulary.ts";

/** Increase this with every change of a threshold, prior, points or level below. */
export const distressVersion = 6;

/**
 * How a share is converted to points. It is shrunk toward the usual share, `(x + weight * prior) / (n + weight)`, so that one late request
 * is weak evidence and thirty of sixty are strong. Points rise linearly from 0 at `prior` to `points` at `full`.
 */
export interface ShareRule {
	prior: number;
	full: number;
	/** Weight of the prior, in requests or headlines. */
	weight: number;
	points: number;
}

/**
 * Points add up to 100. The prior of withdrawals is used if there are few peers: nationally 0.77 of the projects requested from 2000 to 2019
 * were withdrawn (LBNL, Queued Up 2025).
 */
export const distressTables = {
	shares: {
		behind_schedule: { prior: 0.25, full: 0.75, weight: 5, points: 25 },
		high_withdrawal_rate: { prior: 0.7, full: 1, weight: 5, points: 20 },
		interconnection_cost_burden: { prior: 0.2, full: 0.7, weight: 5, points: 20 },
		distress_events: { prior: 0.03, full: 0.33, weight: 10, points: 15 },
		litigation: { prior: 0.03, full: 0.23, weight: 10, points: 10 },
	} satisfies Record<string, ShareRule>,
	/**
	 * Withdrawals are compared with the peers' rates. `weight`: weight (in requests) of the operator's rate relative to its cohort's. Points
	 * are full at `width` above the expected rate, which is a rate of 1 if the expected rate is the prior.
	 */
	cohorts: { weight: 20, width: 0.3 },
	/** Points for developers that raised at least `raised` USD, and more than `perOperationalMw` USD per operating MW. */
	capital_raised_low_deployment: { points: 10, raised: 50_000_000, perOperationalMw: 5_000_000 },
	bankruptcyScore: 85,
	levels: [
		{ level: "High", from: 65 },
		{ level: "Elevated", from: 45 },
		{ level: "Moderate", from: 25 },
		{ level: "Low", from: 0 },
	] as readonly { level: RatedDistressLevel; from: number }[],
	/**
	 * Minimum evidence. `sources`: searched sources (queues, costs, headlines, reports, Form D) for any level. `finished`: finished requests
	 * for a withdrawal rate. `raiseMonths`: loaded months of Form D among the last 36; SEC's sets are up to half a year late. `points`: points
	 * of the components with known facts for the level Low, which schedule and withdrawals have together.
	 */
	coverage: { minimum: { sources: 2, finished: 5, raiseMonths: 30, points: 45 } },
};
export type DistressTables = typeof distressTables;
export type ShareComponent = keyof DistressTables["shares"];

/**
 * `capex`: USD per kW, by technology.
 * Solar, Wind, Gas (combined cycle): EIA, construction cost of generators installed in 2022 (form EIA-860, published October 2024).
 * Storage (four hours), Offshore Wind, Geothermal, Nuclear (small modular reactors): Sargent & Lundy for EIA, Capital Cost and
 * Performance Characteristics for Utility-Scale Electric Power Generating Technologies, January 2024.
 * Other technologies: the cost of Solar, the technology of most requests. Hydro and steam plants cost more, so it understates their need.
 */
export const needsCapitalTables = {
	/** Tiers that build on their own balance sheets: Form D does not show whether they lack capital. */
	ownCapital: ["major_utility", "oil_major", "pe_fund"] as readonly DeveloperTier[],
	levels: ["Elevated", "High"] as readonly DistressLevel[],
	equityShare: 0.35,
	/** Capital is needed if the needed equity is more than this many times the capital raised. */
	timesRaised: 3,
	capex: {
		Solar: 1588,
		Wind: 1451,
		Gas: 722,
		Storage: 1744,
		"Offshore Wind": 3689,
		Geothermal: 3963,
		Nuclear: 8936,
	} as Readonly<Record<string, number>>,
	capexDefault: 1588,
};
export type NeedsCapitalTables = typeof needsCapitalTables;
