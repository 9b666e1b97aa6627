/** The tables that judge: scores on requests that had no part in choosing their weights. Pure. */

import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import { judgedBy, leaveOneOut, outOfFold } from "./choose.ts";
import type { Case } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, range, section, signed, table } from "./report.ts";
import type { Outcome } from "./samples.ts";
import { areaWithin, components, gain, type Series, seriesOf, withChosen } from "./series.ts";
import { auc, brier, calibration, isotonic } from "./statistics.ts";
import { inWords, type Weights } from "./weights.ts";

export interface Verdict {
	text: string;
	/** The chosen weights order better than each component alone. */
	passed: boolean;
}

/** Every score on held-out requests, and how sure the differences are. */
export function judgeHeldOut(title: string, series: Series, notes: readonly string[] = []): Verdict {
	const areaOf = (name: string) => areaWithin(series, name) ?? 0;
	const rows = [...series.scores].map(([name, scores]) => [
		name,
		decimals(areaWithin(series, name)),
		decimals(auc(scores, series.sample.positive)),
		...["chosen", "version 1"].flatMap((score) =>
			name.startsWith("chosen") || name === score
				? ["", ""]
				: [signed(areaOf(score) - areaOf(name)), range(gain(series, score, name))],
		),
	]);
	const head = ["area", "one region", "all pairs", "chosen more by", "95 %", "version 1 more by", "95 %"];
	const passed = unbeatenBy(series, "chosen").length === 0;
	const said = ["chosen", "version 1"].map((score) => {
		const others = unbeatenBy(series, score);
		return `  ${score}: ${others.length === 0 ? "beats each component alone." : `does NOT beat ${others.join(", ")}.`}`;
	});
	return { text: section(title, table(head, rows), ...notes.map((note) => `  ${note}`), ...said), passed };
}

/** Components that order as well as the score or better. */
const unbeatenBy = (series: Series, score: string): string[] =>
	components.filter((name) => (areaWithin(series, name) ?? 0) >= (areaWithin(series, score) ?? 0));

/** Each region under weights that were chosen without it. */
export function judgeByRegion(title: string, cases: readonly Case[], outcome: Outcome, posture: Posture): Verdict {
	const weights = leaveOneOut(cases, outcome, { ...version1, posture });
	const series = seriesOf(cases, outcome, version1.weights, posture);
	const notes = [...weights].map(([region, chosen]) => `without ${region}: ${inWords(chosen)}`);
	return judgeHeldOut(title, withChosen(series, outOfFold(series.sample, weights)), notes);
}

interface Prediction {
	probabilities: number[];
	positive: boolean[];
}

/** Probabilities by an isotonic calibration that never saw the requests it is judged on. */
export function judgeCalibration(
	training: readonly Case[],
	held: readonly Case[],
	chosen: Weights,
	posture: Posture,
): string {
	const outcome = judgedBy["2024"];
	const seriesFor = (cases: readonly Case[]) => seriesOf(cases, outcome, chosen, posture);
	const from = seriesFor(training);
	const to = seriesFor(held);
	const parts = [...new Set(held.map(({ facts }) => facts.region))].map((region) => ({
		others: seriesFor(held.filter(({ facts }) => facts.region !== region)),
		own: seriesFor(held.filter(({ facts }) => facts.region === region)),
	}));
	const byRegion = (name: string) => joined(parts.map(({ others, own }) => predict(others, own, name)));
	const names = ["chosen", "version 1", "milestone", constant];
	const rows = names.map((name) => [name, brierOf(predict(from, to, name)), brierOf(byRegion(name))]);
	const { probabilities, positive } = byRegion("version 1");
	const bins = calibration(probabilities, positive).map((bin, at) => [
		String(at + 1),
		String(bin.n),
		decimals(bin.predicted),
		decimals(bin.observed),
	]);
	return section(
		`Probability of "${outcome}" among the requests of 2024`,
		table(["Brier score (less is better), by", "calibrated on 2020", "on the other regions"], rows),
		"",
		table(["tenth by probability (version 1, other regions)", "n", "predicted", "observed"], bins),
	);
}

const constant = "nothing (the training share)";

const brierOf = ({ probabilities, positive }: Prediction): string => decimals(brier(probabilities, positive));

function predict(from: Series, to: Series, name: string): Prediction {
	const scoresOf = ({ sample, scores }: Series) => scores.get(name) ?? sample.positive.map(() => 0);
	const probabilityOf = isotonic(scoresOf(from), from.sample.positive);
	return { probabilities: scoresOf(to).map(probabilityOf), positive: to.sample.positive };
}

function joined(predictions: readonly Prediction[]): Prediction {
	return {
		probabilities: predictions.flatMap(({ probabilities }) => probabilities),
		positive: predictions.flatMap(({ positive }) => positive),
	};
}
