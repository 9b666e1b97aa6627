import { describe, expect, it, test } from "vitest";
import { technologies } from "#libs/contract/vocabulary.ts";
import { type Row, rowAt } from "../types.ts";
import { capacityFactors, capexPerKw } from "../value.ts";
import { continuity, notice2025_42, phaseDown, windSolarEnd } from "./end-dates.ts";
import { flatFuelCells, fuelCellsBegunBefore2025, prevailingWage, regimes, section45, section45Y } from "./regimes.ts";
import { directPay, investmentContent, materialAssistance, offshoreContent, productionContent } from "./sourcing.ts";
import { technologyRules, unknownTechnology } from "./technologies.ts";

const byConstruction = technologyRules.flatMap(({ technology, claims }) =>
	claims.flatMap((row): [string, readonly Row[]][] =>
		"byConstruction" in row ? [[`${technology} by construction`, row.byConstruction]] : [],
	),
);

/** Each with the days from which and to which it has to cover everything; null: no limit. */
const tables: [string, readonly Row[], string | null, string | null][] = [
	["regimes", regimes, "2022-01-01", null],
	["rates of section 45", section45, "2024-01-01", "2026-12-31"],
	["rates of section 45Y", section45Y, "2025-01-01", "2026-12-31"],
	["content of the production credit", productionContent, null, null],
	["content of the investment credit", investmentContent, null, null],
	["content of offshore wind", offshoreContent, null, null],
	["phase-down", phaseDown, null, null],
	["foreign entities", materialAssistance, "2026-01-01", null],
	...technologyRules.map(({ technology, claims }): [string, readonly Row[], null, null] => [
		technology,
		claims,
		null,
		null,
	]),
	...byConstruction.map(([name, rows]): [string, readonly Row[], null, null] => [name, rows, null, null]),
];

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

describe.each(tables)("the table of %s", (_, rows, from, to) => {
	it("covers its time without gap or overlap", () => {
		expect(rows[0]?.law.valid_from).toBe(from);
		expect(rows.at(-1)?.law.valid_to).toBe(to);
		for (const [at, row] of rows.slice(1).entries()) {
			const before = rows[at]?.law.valid_to ?? "an open end before another row";
			expect(row.law.valid_from).toBe(dayAfter(before));
		}
	});

	it("cites a source in every row", () => {
		for (const { law } of rows) expect([law.rule.length > 10, law.citation.length > 5]).toEqual([true, true]);
	});
});

test("rules outside the tables cite their sources", () => {
	const adders = regimes.flatMap((row) =>
		row.adders === null ? [] : [row.adders.energyCommunity, row.adders.domesticContent, row.adders.lowIncome.law],
	);
	const single = [windSolarEnd, continuity, notice2025_42, directPay, prevailingWage, unknownTechnology];
	const cells = [flatFuelCells, fuelCellsBegunBefore2025];
	for (const law of [...adders, ...[...single, ...cells].map((row) => row.law)])
		expect(law.citation).toMatch(/USC|Notice|Pub\. L/);
});

test("every technology of the vocabulary has one rule", () => {
	const single = technologies.filter((word) => !word.includes(" + "));
	expect(technologyRules.map(({ technology }) => technology).sort()).toEqual([...single].sort());
});

test("production rates follow from their factors as the law rounds them", () => {
	const to = (step: number, cents: number) => Math.round(Math.round(cents / step) * step * 1e6) / 1e6;
	for (const { factor, base, full } of section45Y)
		expect([base, full]).toEqual([to(0.05, 0.3 * factor), to(0.1, 1.5 * factor)]);
	for (const { factor, base, full } of section45) {
		const amount = to(0.05, 0.3 * factor);
		expect([base, full]).toEqual([amount, Math.round(amount * 5 * 1e6) / 1e6]);
	}
});

test("a row is valid on its first and last day, and none is before the first", () => {
	expect(rowAt(phaseDown, "2034-01-01")?.factor).toBe(0.75);
	expect(rowAt(phaseDown, "2034-12-31")?.factor).toBe(0.75);
	expect(rowAt(materialAssistance, "2025-12-31")).toBeUndefined();
});

test("costs and capacity factors are of known technologies, plausible and with a source", () => {
	for (const [name, { value, source }] of [...Object.entries(capexPerKw), ...Object.entries(capacityFactors)]) {
		expect(technologies).toContain(name);
		expect(source).not.toBe("");
		expect(value).toBeGreaterThan(0);
	}
	for (const { value } of Object.values(capacityFactors)) expect(value).toBeLessThan(1);
});
