/** The three ways in, and how old (hours) what came by each may be. */

export const pipelineNames = ["news", "8-k", "form-d"] as const;
export type Pipeline = (typeof pipelineNames)[number];

export const pipelines: readonly { name: Pipeline; database: "signals" | "capital"; maxAgeHours: number }[] = [
	{ name: "news", database: "signals", maxAgeHours: 48 },
	{ name: "8-k", database: "signals", maxAgeHours: 96 },
	{ name: "form-d", database: "capital", maxAgeHours: 96 },
];
