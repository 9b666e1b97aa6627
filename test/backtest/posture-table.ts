/** The regions' posture as version 1 has it, as it was known, and as it would be fitted anew: what each does to the order of all requests. Pure. */
import { regions } from "../../libs/contract/vocabulary.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import type { Cohort } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, section, table } from "./report.ts";
import { outcomeNames } from "./samples.ts";
import { seriesOf } from "./series.ts";
import { auc } from "./statistics.ts";
import type { Weights } from "./weights.ts";

export function comparePostures(cohort: Cohort, chosen: Weights, known: ReadonlyMap<string, Posture>): string {
	const postures = new Map([["version 1 (has seen outcomes up to 2025)", version1.posture], ...known]);
	const rows = [...postures].flatMap(([label, posture]) =>
		outcomeNames.map((outcome) => {
			const { sample, scores } = seriesOf(cohort.cases, outcome, chosen, posture);
			const over = (name: string) => decimals(auc(scores.get(name) ?? [], sample.positive));
			return [label, outcome, over("posture"), over("version 1"), over("chosen")];
		}),
	);
	const points = [...postures].map(([label, posture]) => [label, ...regions.map((region) => String(posture[region]))]);
	return section(
		`Posture of the regions, over all pairs of ${cohort.name}`,
		table(["points", ...regions], points),
		"",
		table(["posture", "outcome", "alone", "version 1's weights", "chosen weights"], rows),
	);
}
