/** What comes in by files, and how old (hours) it may be. */

export const pipelineNames = ["energy-communities", "low-income", "ic-costs"] as const;
export type Pipeline = (typeof pipelineNames)[number];

const daysOf = (days: number): number => days * 24;

export const pipelines: readonly { name: Pipeline; maxAgeHours: number }[] = [
	// A notice each June, sometimes late.
	{ name: "energy-communities", maxAgeHours: daysOf(400) },
	// Fixed through 2028.
	{ name: "low-income", maxAgeHours: daysOf(800) },
	// Berkeley Lab's studies, region by region.
	{ name: "ic-costs", maxAgeHours: daysOf(400) },
];
