/** What a whole list of low-income tracts is like. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { LowIncomeTracts } from "../reference.ts";

/** Of some 85,000 tracts of 2020, 35,167 (CDFI, 2023) and 36,370 (48E(h) program, 2026) are or hold low-income communities. */
export const minLowIncomeTracts = 30_000;
export const maxLowIncomeTracts = 45_000;
/** A list of all tracts has at least so many. */
export const minAllTracts = 80_000;

export function checkTracts(file: string, lowIncome: number): void {
	if (lowIncome < minLowIncomeTracts)
		throw new StructureError(
			`${file}: only ${lowIncome} low-income tracts, a whole list has ${minLowIncomeTracts} or more: the file is cut or of one state`,
		);
	if (lowIncome > maxLowIncomeTracts) throw new StructureError(`${file}: ${lowIncome} low-income tracts are too many`);
}

/** How many tracts of each county are low-income, of how many where `all` tracts are known. */
export function countiesOf(
	tracts: readonly { tract: string }[],
	all: readonly string[] | null,
): LowIncomeTracts["counties"] {
	const lowIncome = counted(tracts.map(({ tract }) => tract));
	const totals = all === null ? null : counted(all);
	return [...(totals ?? lowIncome).keys()].map((fips) => ({
		fips,
		low_income: lowIncome.get(fips) ?? 0,
		tracts: totals?.get(fips) ?? null,
	}));
}

function counted(tracts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const tract of tracts) counts.set(tract.slice(0, 5), (counts.get(tract.slice(0, 5)) ?? 0) + 1);
	return counts;
}
