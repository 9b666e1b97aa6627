/**
 * Other ways of choosing that were tried, whatever came of them: with and without PJM in 2020, over both kinds of pairs, with each set of
 * deductions. One that looks good here was not picked in advance: it is a question to ask of lists yet to come. Pure.
 */
import type { DeductionKind, ScoreTables } from "../../services/scoring/domain/score/tables.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import { bestWeights, judgedBy, leaveOneOut, outOfFold } from "./choose.ts";
import type { Case } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, section, table } from "./report.ts";
import {
	groupsOf,
	inWords,
	type Pairs,
	pairings,
	type Sample,
	sampleOf,
	scored,
	totals,
	type Weights,
} from "./samples.ts";
import { auc } from "./statistics.ts";

interface Cases {
	/** Cases of 2020, by the name of the selection. */
	training: ReadonlyMap<string, readonly Case[]>;
	of2024: readonly Case[];
}

export function tellTried({ training, of2024 }: Cases, posture: Posture): string {
	const rows = deductionVariants(posture).flatMap(({ name, tables }) => {
		const test = sampleOf(scored(of2024, tables), judgedBy["2024"]);
		return [...training].flatMap(([selection, cases]) => {
			const requests = scored(cases, tables);
			const now = sampleOf(requests, judgedBy["2020"]);
			const by2024 = cases.map((each) => ({ ...each, fate: each.fateBy2024 }));
			const then = sampleOf(scored(by2024, tables), judgedBy["2020"]);
			const folds = leaveOneOut(requests, judgedBy["2020"]);
			return pairings.map((pairs) => {
				const weights = bestWeights(then, pairs);
				const byRegion = pairs === "all" ? "" : decimals(auc(outOfFold(now, folds), now.positive, now.regions));
				const milestone = pairs === "all" ? "" : decimals(auc(milestoneOf(now), now.positive, now.regions));
				return [name, selection, pairs, inWords(weights), ...areas(test, weights, pairs), byRegion, milestone];
			});
		});
	});
	const head = [
		"deductions",
		"2020's regions",
		"pairs",
		"chosen weights",
		"2024 kept",
		"version 1's weights",
		"milestone",
	];
	return section(
		"Ways of choosing that were tried (posture as known when 2020 ended)",
		table([...head, "2020 built, by region", "milestone"], rows),
		'  Also tried: the mean of "built" and "kept" as the aim, in whole points and unrounded. In whole points the choice turned on which',
		"  small differences rounding made ties of. Unrounded and without a deduction for a date past, that mean was above milestone's in all",
		"  three held-out tests, never beyond chance; it was set up after the tests had been seen, so nothing is decided by it.",
	);
}

const milestoneOf = ({ columns }: Sample): number[] => columns.milestone_progress;

function areas(sample: Sample, weights: Weights, pairs: Pairs): string[] {
	return [totals(sample, weights), totals(sample, version1.weights), milestoneOf(sample)].map((scores) =>
		decimals(auc(scores, sample.positive, groupsOf(sample, pairs))),
	);
}

/** Version 1, and version 1 without the deductions that single features spoke against once both cohorts had been looked at. */
function deductionVariants(posture: Posture): { name: string; tables: ScoreTables }[] {
	const without = (...kinds: DeductionKind[]): ScoreTables => ({
		...version1,
		posture,
		deductions: { ...version1.deductions, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) },
	});
	return [
		{ name: "version 1", tables: without() },
		{ name: "no date past", tables: without("cod_past") },
		{ name: "no queue age", tables: without("queued_over_4_years", "queued_2_to_4_years") },
		{ name: "neither", tables: without("cod_past", "queued_over_4_years", "queued_2_to_4_years") },
	];
}
