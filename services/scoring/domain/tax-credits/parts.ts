/** Splits a hybrid into parts, each a facility with a separate credit, and computes the expected value of credits. Pure. */
import type { Project } from "#libs/contract/records/project.ts";
import type { Credit } from "./types.ts";

interface HybridPart {
	technology: string;
	capacityMw: number;
}

/** Returns a hybrid's parts with their MW; null if the MW of a part are not filed, or the technology does not name a filed part. */
export function splitHybrid(technology: string, components: Project["components"]): HybridPart[] | null {
	const parts = new Map(technology.split(" + ").map((name) => [name, 0]));
	for (const { type_std, capacity_mw } of components) {
		const known = parts.get(type_std);
		if (known === undefined || capacity_mw === null) return null;
		parts.set(type_std, known + Math.max(0, capacity_mw));
	}
	const splitParts = [...parts].map(([name, capacityMw]) => ({ technology: name, capacityMw }));
	return splitParts.every(({ capacityMw }) => capacityMw > 0) ? splitParts : null;
}

type Valued = Pick<Credit, "estimatedValue" | "serviceBy">;

/** Returns the sum of the values; null if a part has no value. */
export const sumValues = (parts: readonly Valued[]): number | null =>
	parts.reduce<number | null>(
		(sum, { estimatedValue }) => (sum === null || estimatedValue === null ? null : sum + estimatedValue),
		0,
	);

/**
 * Returns the chance of the credit (weighted by value) and the expected value in whole USD. If the values are unknown or 0, the chance is
 * that of the first part. `chanceBy`: chance of operation by a day, or by the score's horizon if the day is null.
 */
export function computeExpectedCredit(
	parts: readonly Valued[],
	chanceBy: (day: string | null) => number | null,
): { p_credit: number | null; expected_value: number | null } {
	const chances = parts.map(({ serviceBy }) => chanceBy(serviceBy));
	// Six decimals, like the chances of the score.
	const rounded = (chance: number) => Math.round(chance * 1e6) / 1e6;
	const [firstChance = null] = chances;
	const value = sumValues(parts);
	if (firstChance === null) return { p_credit: null, expected_value: null };
	if (value === null) return { p_credit: rounded(firstChance), expected_value: null };
	const weighted = parts.reduce((sum, { estimatedValue }, at) => sum + (chances[at] ?? 0) * (estimatedValue ?? 0), 0);
	const p_credit = rounded(value === 0 ? firstChance : weighted / value);
	return { p_credit, expected_value: Math.round(p_credit * value) };
}
