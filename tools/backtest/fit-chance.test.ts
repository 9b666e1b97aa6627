import { expect, test } from "vitest";
import { shareWithin } from "../../services/scoring/domain/score/chance.ts";
import { fitHazards } from "./fit-chance.ts";
import { followedUntil, type Past } from "./past.ts";

/** A thousand requests of a list, every `of`-th of which operates at `months`, followed each month for three years. */
const requests = (months: number, of: number, changed: Partial<Past["facts"]> = {}): Past[] =>
	Array.from({ length: 1000 }, (_, at) => ({
		region: "ERCOT",
		key: `${changed.stage ?? "study"} ${at}`,
		day: "2021-01-01",
		facts: {
			...{ region: "ERCOT", stage: "study", technology: "Solar", mw: 150, monthsToCod: 12, agreementMonths: null },
			...changed,
		},
		commercial: at % of === 0 ? { months, shown: months + 1 } : null,
		...{ byEia: false, isReported: false },
		energized: null,
		seen: Array.from({ length: 36 }, (_, month) => month + 1),
	}));

test("the fitted model reproduces the observed shares for each kind of request", () => {
	const past = [...requests(13, 10), ...requests(13, 2, { stage: "agreement_secured", agreementMonths: 6 })];
	const fitted = fitHazards(past, "commercial", "9999-12-31");
	const [early, late] = [past[0], past[1000]].map((each) => (each ? shareWithin(each.facts, fitted, 24) : Number.NaN));
	expect(early).toBeCloseTo(0.1, 1);
	expect(late).toBeCloseTo(0.5, 1);
});

test("the model of a day uses nothing that was published later", () => {
	const [request] = requests(13, 1);
	if (request === undefined) throw new Error("no request");
	expect(followedUntil(request, "2021-07-01")).toBe(6);
	expect(followedUntil(request, "2020-07-01")).toBe(0);
	const before = fitHazards([...requests(13, 1), ...requests(3, 100)], "commercial", "2021-12-01");
	expect(shareWithin(request.facts, before, 11)).toBeLessThan(0.05);
});
