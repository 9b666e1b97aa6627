/** What a credit is worth in today's money (signals sheet 6.7). */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import {
	capacityFactors,
	capexPerKw,
	discountRate,
	eligibleShare,
	type Figure,
	hoursAYear,
	productionYears,
} from "./law/costs.ts";
import type { Technology } from "./types.ts";

export interface Value {
	/** Whole USD; null where the technology or the capacity has no figure. */
	usd: number | null;
	/** What it rests on, or why there is none. */
	assumption: string;
}

interface Basis {
	figure: Figure;
	assumption: string;
}

const annuity = (1 - (1 + discountRate) ** -productionYears) / discountRate;
const dollars = new Intl.NumberFormat("en-US");

const costs = bases(
	capexPerKw,
	({ value, source }) => `Valued at $${dollars.format(value)} a kW (${source}), of which all is eligible.`,
);
const outputs = bases(
	capacityFactors,
	({ value, source }) =>
		`Valued at a capacity factor of ${Math.round(value * 1000) / 10} % (${source}) over ${productionYears} years, discounted at ${discountRate * 100} %, at the latest rate.`,
);

function bases(figures: Partial<Record<Technology, Figure>>, describe: (figure: Figure) => string): Map<string, Basis> {
	return new Map(Object.entries(figures).map(([name, figure]) => [name, { figure, assumption: describe(figure) }]));
}

/** `capacity`: MW AC, null where unknown. `rate`: the effective one. `cents`: a kWh, of the production credit. */
export function estimateValue(
	technology: Technology,
	type: CreditType,
	capacity: number | null,
	rate: number,
	cents: number | null,
): Value {
	const basis = (type === "PTC" ? outputs : costs).get(technology);
	if (basis === undefined) return { usd: null, assumption: nothingKnown(type) };
	if (capacity === null) return { usd: null, assumption: "No value is estimated: the capacity is not known." };
	const { assumption, figure } = basis;
	const kilowatts = capacity * 1000;
	const usd =
		type === "PTC"
			? kilowatts * hoursAYear * figure.value * ((cents ?? 0) / 100) * annuity
			: kilowatts * figure.value * eligibleShare * rate;
	return { usd: Math.round(usd), assumption };
}

function nothingKnown(type: CreditType): string {
	return type === "PTC"
		? "No value is estimated: no capacity factor of the technology is known."
		: "No value is estimated: no cost of the technology is known.";
}
