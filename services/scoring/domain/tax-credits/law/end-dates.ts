/** End dates of the credits (signals sheet 6.4). */
import { law, type Row, type Warning } from "../types.ts";

/** The day on which Public Law 119-21 was enacted. All tables in this folder contain the law as amended by it. */
export const enacted = "2025-07-04";

interface PhaseDown extends Row {
	/** Remaining share of the credit, including adders. */
	readonly factor: number;
	readonly warning: Warning | null;
}

export const windSolarEnd = {
	law: law(
		"Wind and solar: construction begun by 2026-07-04, or placed in service by 2027-12-31",
		"26 USC 45Y(d)(4), 48E(e)(4); Pub. L. 119-21 §§70512-70513",
		enacted,
		null,
	),
	lastBegun: "2026-07-04",
	lastBegunYear: 2026,
	lastPlacedYear: 2027,
} as const;

export const continuity = {
	law: law(
		"Continuous construction is presumed until the end of the fourth year after the one in which it began, or of the tenth year offshore and on federal land",
		"Notices 2013-29, 2018-59, 2021-05, 2021-41",
		null,
		null,
	),
	years: 4,
} as const;

const phase = "26 USC 45Y(d), 48E(e); Pub. L. 119-21 §§70512-70513";

/** For all technologies except wind and solar, by the day construction began. */
export const phaseDown: readonly PhaseDown[] = [
	{ law: law("Construction begun by 2033: the whole credit", phase, null, "2033-12-31"), factor: 1, warning: null },
	{
		law: law("Construction begun in 2034: 75 % of the credit", phase, "2034-01-01", "2034-12-31"),
		factor: 0.75,
		warning: { code: "PHASE_DOWN", message: "Construction begins in 2034, so three quarters of the credit are left." },
	},
	{
		law: law("Construction begun in 2035: 50 % of the credit", phase, "2035-01-01", "2035-12-31"),
		factor: 0.5,
		warning: { code: "PHASE_DOWN", message: "Construction begins in 2035, so half of the credit is left." },
	},
	{
		law: law("Construction begun after 2035: no credit", phase, "2036-01-01", null),
		factor: 0,
		warning: { code: "TERMINATED", message: "Construction begins after 2035, when the credit has ended." },
	},
];

/** Withdrew the 5 % safe harbor for wind, and for solar above 1.5 MW AC. It affects warnings, not rates. */
export const notice2025_42 = {
	law: law(
		"Beginning of construction of wind and solar from 2025-09-02 (vacated 2026-06-06)",
		"Notice 2025-42; Oregon Environmental Council v. IRS, D.D.C. No. 25-4400",
		"2025-09-02",
		null,
	),
	begunFrom: "2025-09-02",
	solarAboveMw: 1.5,
} as const;
