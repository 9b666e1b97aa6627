import { expect, it } from "vitest";
import { bonusStatuses, creditStatuses, technologies } from "#libs/contract/vocabulary.ts";
import { codes, law, listed, place } from "../../../../test/scoring/support/plants.ts";
import { calculateCredit } from "./calculate.ts";
import type { Credit, CreditInput } from "./types.ts";

const capacities = [null, 0.5, 1, 4.9, 5, 250];
const years = [2021, 2022, 2024, 2025, 2027, 2028, 2030, 2031, 2036, 2045];
const beginnings = [null, "2022-06-01", "2024", "2025", "2026", "2026-07-04", "2026-07-05", "2030", "2034", "2036"];
const elections = ["auto", "itc", "ptc"] as const;

/** Further inputs vary in turn, so that the grid stays small. */
const turns = bonusStatuses.flatMap((status, at) => [
	{ status, prevailingWage: true, domesticContent: at % 2 === 0, lowIncomeCategory: null, listed: listed(false) },
	{ status, prevailingWage: false, domesticContent: at % 2 === 1, lowIncomeCategory: 4, listed: listed(true) },
]) satisfies (Partial<CreditInput> & { status: string })[];

function* grid(): Generator<[CreditInput, Credit]> {
	let at = 0;
	for (const technology of [...technologies, "Hydro + Storage", "Nothing"])
		for (const capacityMw of capacities)
			for (const codYear of years)
				for (const constructionStart of beginnings)
					for (const elect of elections) {
						const { status, ...turn } = turns[at++ % turns.length] ?? turns[0] ?? fail();
						const plant = {
							technology,
							capacityMw,
							codYear,
							constructionStart,
							elect,
							state: "TX",
							noValueWarning: null,
						};
						const input = { ...plant, ...turn } as CreditInput;
						yield [input, calculateCredit(input, place(status, status), law)];
					}
}

function fail(): never {
	throw new Error("there are no turns");
}

const bonusesOf = ({ bonuses }: Credit) => [bonuses.energyCommunity, bonuses.domesticContent, bonuses.lowIncome];

/** The properties of every credit that this one violates. */
function broken(input: CreditInput, credit: Credit): string[] {
	const { baseRate, phaseFactor, effectiveRate, atRiskRate, type, status, estimatedValue } = credit;
	const bonuses = bonusesOf(credit);
	const adders = bonuses.reduce((sum, { eligible, bonus_pct }) => sum + (eligible ? bonus_pct : 0), 0);
	const fraction = (value: number) => Number.isFinite(value) && value >= 0 && value <= 1;
	const holds: Record<string, boolean> = {
		"rates are fractions": [baseRate, phaseFactor, effectiveRate, ...bonuses.map((bonus) => bonus.bonus_pct)].every(
			fraction,
		),
		"the rate has four decimals": Math.round(effectiveRate * 1e4) / 1e4 === effectiveRate,
		"the rate is base and adders times the factor": Math.abs(effectiveRate - (baseRate + adders) * phaseFactor) < 1e-4,
		"the rate is no more than base and adders": effectiveRate <= baseRate + adders + 1e-9,
		"no type is a rate of 0, warned": type !== null || (effectiveRate === 0 && credit.warnings.length > 0),
		"a rate of 0 is warned of": effectiveRate > 0 || credit.warnings.length > 0,
		"a status is one of the vocabulary": creditStatuses.includes(status),
		"no type means no credit": (type === null) === (status === "ineligible" || status === "requires_determination"),
		"terminated is 0": (status === "terminated") === (type !== null && effectiveRate === 0),
		"only what is conditional has a rate at risk": (status === "conditional") === (atRiskRate !== null),
		"only what is eligible counts": bonuses.every((bonus) => bonus.eligible === (bonus.status === "eligible")),
		"what is neither eligible nor possible shows 0": bonuses.every(
			({ status: word, bonus_pct }) => word === "eligible" || word === "possible" || bonus_pct === 0,
		),
		"cents are of the production credit": (type === "PTC") === (credit.ptcCentsPerKwh !== null),
		"cents have a year": (credit.ptcCentsPerKwh === null) === (credit.ptcRateYear === null),
		"cents are finite and no more than with both adders": fraction((credit.ptcCentsPerKwh ?? 0) / 3.72),
		"values are whole dollars":
			estimatedValue === null || (Number.isSafeInteger(estimatedValue) && estimatedValue >= 0),
		"an unknown capacity has no value": input.capacityMw !== null || type === null || estimatedValue === null,
		"there is a citation": credit.citations.length > 0 && new Set(credit.citations).size === credit.citations.length,
		"a code is warned of once": new Set(codes(credit)).size === credit.warnings.length,
		"warnings are sentences": credit.warnings.every(
			({ code, message }) => /^[A-Z0-9_]+$/.test(code) && message.endsWith("."),
		),
		"assumptions are sentences": credit.assumptions.every(
			(text) => text.endsWith(".") && !/NaN|undefined|null/.test(text),
		),
	};
	return Object.entries(holds).flatMap(([property, kept]) => (kept ? [] : [property]));
}

it("every credit of the grid has every property", () => {
	const failures: unknown[] = [];
	let count = 0;
	for (const [input, credit] of grid()) {
		count++;
		const properties = broken(input, credit);
		if (properties.length > 0) failures.push({ properties, input, credit });
	}
	expect(failures.slice(0, 3)).toEqual([]);
	expect(count).toBeGreaterThan(45_000);
});

it("the same plant always has the same credit, and computing it changes no other", () => {
	const input = { ...[...grid()][4_321]?.[0] } as CreditInput;
	const where = place("eligible", "possible");
	const first = calculateCredit(input, where, law);
	const kept = structuredClone(first);
	calculateCredit({ ...input, technology: "Wind + Storage" }, where, law);
	expect(calculateCredit(input, where, law)).toEqual(kept);
	expect(first).toEqual(kept);
});
