/** The tables that judge: scores on requests that had no part in choosing their weights. Pure. */
import { type Choice, judged, leastGain, leaveOneOut } from "./choose.ts";
import type { Case } from "./cohorts.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, range, section, signed, table } from "./report.ts";
import type { Outcome } from "./samples.ts";
import {
	areaWithin,
	components,
	gain,
	judgedSeries,
	meanArea,
	type Series,
	seriesOf,
	withOutOfFold,
} from "./series.ts";
import { brier, calibration, isotonic } from "./statistics.ts";
import { inWords } from "./weights.ts";

export function tellChoice(choices: readonly Choice[], taken: Choice): string {
	const rows = choices.map((choice) => [
		`${choice === taken ? "* " : "  "}${choice.candidate.name}`,
		inWords(choice.weights),
		decimals(choice.fit),
	]);
	return section(
		"Chosen on the requests of 2020, by what had become of them by 2024",
		`  Fit: mean area of "${judged.join('" and "')}" over pairs of one region. Another table needs ${leastGain} more.`,
		table(["deductions", "milestone / posture / tax credit / cleanliness / tier", "fit"], rows),
	);
}

export interface Verdict {
	text: string;
	/** The chosen score orders better than each component alone. */
	passed: boolean;
}

/** Every score on held-out requests, and how sure the differences are. */
export function judgeHeldOut(title: string, series: readonly Series[], notes: readonly string[] = []): Verdict {
	const names = [...(series[0]?.scores.keys() ?? [])];
	const rows = names.map((name) => [
		name,
		...series.map((each) => decimals(areaWithin(each, name))),
		decimals(meanArea(series, name)),
		name === "chosen" ? "" : signed(meanArea(series, "chosen") - meanArea(series, name)),
		name === "chosen" ? "" : range(gain(series, "chosen", name)),
	]);
	const better = components.filter((name) => meanArea(series, name) >= meanArea(series, "chosen"));
	const passed = better.length === 0;
	const said = passed ? "The chosen score beats each component alone." : `NOT BEATEN: ${better.join(", ")}.`;
	const head = ["pairs of one region", ...judged, "mean", "chosen more by", "95 % interval"];
	return { text: section(title, table(head, rows), ...notes.map((note) => `  ${note}`), `  ${said}`), passed };
}

/** Each region under weights that were chosen without it. */
export function judgeByRegion(title: string, cases: readonly Case[], choice: Choice, posture: Posture): Verdict {
	const weights = leaveOneOut(cases, choice.candidate);
	const series = judgedSeries(cases, choice, posture).map((each) => withOutOfFold(each, weights));
	return judgeHeldOut(
		title,
		series,
		[...weights].map(([region, chosen]) => `without ${region}: ${inWords(chosen)}`),
	);
}

interface Prediction {
	probabilities: number[];
	positive: boolean[];
}

/** Probabilities by an isotonic calibration that never saw the requests it is judged on. */
export function judgeCalibration(
	training: readonly Case[],
	held: readonly Case[],
	choice: Choice,
	posture: Posture,
): string {
	const outcome: Outcome = "kept (built or open)";
	const [from, to] = [training, held].map((cases) => seriesOf(cases, outcome, choice, posture));
	if (from === undefined || to === undefined) return "";
	const byYear = (name: string) => predict(from, to, name);
	const parts = [...Map.groupBy(held, ({ facts }) => facts.region)].map(([region]) => {
		const inRegion = (inside: boolean) => held.filter(({ facts }) => (facts.region === region) === inside);
		return [inRegion(false), inRegion(true)].map((cases) => seriesOf(cases, outcome, choice, posture));
	});
	const byRegion = (name: string) =>
		joined(parts.flatMap(([others, own]) => (others && own ? [predict(others, own, name)] : [])));
	const constant = "nothing (the training share)";
	const rows = ["chosen", "version 1", "milestone", constant].map((name) => [
		name,
		brierOf(byYear(name)),
		brierOf(byRegion(name)),
	]);
	const bins = calibration(byRegion("chosen").probabilities, byRegion("chosen").positive).map((bin, at) => [
		String(at + 1),
		String(bin.n),
		decimals(bin.predicted),
		decimals(bin.observed),
	]);
	return section(
		`Probability of "${outcome}" among the requests of 2024`,
		table(["Brier score (less is better), by", "calibrated on 2020", "on the other regions"], rows),
		"",
		table(["tenth of the requests (chosen, other regions)", "n", "predicted", "observed"], bins),
	);
}

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
