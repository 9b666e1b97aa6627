/** The figures by which distress and the need of capital are judged ([P] of the signals sheet, 7.2 to 7.4). */
import type { DeveloperTier, DistressLevel, JudgedDistressLevel } from "#libs/contract/vocabulary.ts";

/** A change of any threshold, prior, point or level below is another version. */
export const distressVersion = 5;

/**
 * How a share counts: it is shrunk towards what peers show, `(x + weight * prior) / (n + weight)`, so that one late request is
 * little evidence and thirty of sixty are much; points rise evenly from none at `prior` to all of them at `full`.
 */
export interface ShareRule {
	prior: number;
	full: number;
	/** Weight of the prior, in requests or headlines. */
	weight: number;
	points: number;
}

const shareComponents = [
	"behind_schedule",
	"high_withdrawal_rate",
	"interconnection_cost_burden",
	"distress_events",
	"litigation",
] as const;
export type ShareComponent = (typeof shareComponents)[number];

const levels: readonly { level: JudgedDistressLevel; from: number }[] = [
	{ level: "High", from: 65 },
	{ level: "Elevated", from: 45 },
	{ level: "Moderate", from: 25 },
	{ level: "Low", from: 0 },
];

/**
 * Signals sheet, 7.3. The withdrawal prior is used where peers are few: nationally 0.77 of the projects requested from 2000 to 2019 were
 * withdrawn (LBNL, Queued Up 2025). Points add up to 100.
 */
export const distressTables = {
	version: distressVersion,
	shares: {
		behind_schedule: { prior: 0.25, full: 0.75, weight: 5, points: 25 },
		high_withdrawal_rate: { prior: 0.7, full: 1, weight: 5, points: 20 },
		interconnection_cost_burden: { prior: 0.2, full: 0.7, weight: 5, points: 20 },
		distress_events: { prior: 0.03, full: 0.33, weight: 10, points: 15 },
		litigation: { prior: 0.03, full: 0.23, weight: 10, points: 10 },
	} as Record<ShareComponent, ShareRule>,
	/**
	 * Withdrawals count against the rates of peers. `weight`: of the operator's rate beside a cohort's, in requests; points are full at
	 * `width` above the expected rate, which is all that is left above the prior.
	 */
	cohorts: { weight: 20, width: 0.3 },
	/** USD raised at least, and USD raised for each operating MW above which too little was built. */
	capital_raised_low_deployment: { points: 10, raised: 50_000_000, perOperationalMw: 5_000_000 },
	bankruptcyScore: 85,
	levels,
	/**
	 * Least sources that were looked at before a developer has a level: queues, costs, headlines, reports, Form D. Least finished requests for a rate of withdrawals, least months of Form D of the last 36 (SEC's sets come up to half a year late), and
	 * the points of the components with known facts before a developer is called Low: those of schedule and withdrawals together.
	 */
	coverage: { least: { sources: 2, finished: 5, raiseMonths: 30, points: 45 } },
};
export type DistressTables = typeof distressTables;

export interface NeedsCapitalTables {
	/** Tiers that build on their own balance sheet, so that Form D does not show what they lack. */
	ownCapital: readonly DeveloperTier[];
	levels: readonly DistressLevel[];
	equityShare: number;
	/** The need that counts is more than this many times what was raised. */
	timesRaised: number;
	/** USD a kW, by technology. */
	capex: Readonly<Record<string, number>>;
	capexDefault: number;
}

/**
 * Signals sheet, 7.4; capital cost from its 6.6.
 * Solar, Wind, Gas (combined cycle): EIA, construction cost of generators installed in 2022 (form EIA-860, published October 2024).
 * Storage (four hours), Offshore Wind, Geothermal, Nuclear (small modular reactors): Sargent & Lundy for EIA, Capital Cost and
 * Performance Characteristics for Utility-Scale Electric Power Generating Technologies, January 2024.
 * Other technologies: as Solar, which most requests are; hydro and steam plants cost more, so that the default understates a need.
 */
export const needsCapitalTables: NeedsCapitalTables = {
	ownCapital: ["major_utility", "oil_major", "pe_fund"],
	levels: ["Elevated", "High"],
	equityShare: 0.35,
	timesRaised: 3,
	capex: {
		Solar: 1588,
		Wind: 1451,
		Gas: 722,
		Storage: 1744,
		"Offshore Wind": 3689,
		Geothermal: 3963,
		Nuclear: 8936,
	},
	capexDefault: 1588,
};
