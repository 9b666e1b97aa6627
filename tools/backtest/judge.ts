/** The tables that judge: scores on requests that had no part in choosing their weights. Pure. */
import { leaveOneOut, outOfFold } from "./choose.ts";
import { decimals, range, section, signed, table } from "./report.ts";
import { inWords, type Outcome, type Pairs, pairings, wholePoints } from "./samples.ts";
import { areaOf, components, gain, judged, type Series, seriesOf, unrounded, type Version } from "./series.ts";
import { brier, calibration, isotonic } from "./statistics.ts";

export interface Verdict {
	text: string;
	/** Over which pairs the judged score orders better than each component alone. */
	passed: ReadonlySet<Pairs>;
}

/** Every score on held-out requests, and how sure the differences are. */
export function judgeHeldOut(title: string, series: Series, notes: readonly string[] = []): Verdict {
	const beaten = pairings.map((pairs) => ({ pairs, by: unbeaten(series, pairs) }));
	const conclusions = beaten.map(({ pairs, by }) => {
		const result = by.length === 0 ? "beats each component alone" : `does NOT beat ${by.join(", ")}`;
		return `  Over ${inWord[pairs]} ${judged} ${result}.`;
	});
	const tables = pairings.map((pairs) => `${gains(series, pairs)}\n`);
	const text = section(title, ...tables, ...notes.map((note) => `  ${note}`), ...conclusions);
	return { text, passed: new Set(beaten.filter(({ by }) => by.length === 0).map(({ pairs }) => pairs)) };
}

const inWord: Record<Pairs, string> = { "one region": "pairs of one region", all: "all pairs" };

function gains(series: Series, pairs: Pairs): string {
	const more = (score: string, name: string) => {
		if (name === score || name === unrounded) return ["", ""];
		const difference = (areaOf(series, score, pairs) ?? 0) - (areaOf(series, name, pairs) ?? 0);
		return [signed(difference), range(gain(series, score, name, pairs))];
	};
	const rows = [...series.scores.keys()].map((name) => [
		name,
		decimals(areaOf(series, name, pairs)),
		...more(judged, name),
		...(name === judged ? ["", ""] : more("version 1", name)),
	]);
	return table([inWord[pairs], "area", `${judged} more by`, "95 %", "version 1 more by", "95 %"], rows);
}

/** Components that order as well as the judged score or better. */
const unbeaten = (series: Series, pairs: Pairs): string[] =>
	components.filter((name) => (areaOf(series, name, pairs) ?? 0) >= (areaOf(series, judged, pairs) ?? 0));

/** Each region under weights that were chosen without it. */
export function judgeByRegion(title: string, versions: readonly Version[], outcome: Outcome): Verdict {
	const weights = leaveOneOut(versions[0]?.requests ?? [], outcome);
	const series = seriesOf(versions, outcome);
	const twentieths = outOfFold(series.sample, weights);
	const scores = new Map([...series.scores, [judged, wholePoints(twentieths)], [unrounded, twentieths]] as const);
	const notes = [...weights].map(([region, chosen]) => `without ${region}: ${inWords(chosen)}`);
	return judgeHeldOut(title, { ...series, scores }, notes);
}

interface Prediction {
	probabilities: number[];
	positive: boolean[];
}

/** Probabilities of the outcome of `held` by an isotonic calibration that never saw the requests it is judged on. */
export function judgeCalibration(training: readonly Version[], held: readonly Version[], outcome: Outcome): string {
	const from = seriesOf(training, outcome);
	const to = seriesOf(held, outcome);
	const parts = [...new Set(to.sample.regions)].map((region) => ({
		others: seriesOf(
			keeping(held, (each) => each !== region),
			outcome,
		),
		own: seriesOf(
			keeping(held, (each) => each === region),
			outcome,
		),
	}));
	const ways = new Map<string, (name: string) => Prediction>([
		["calibrated on 2020", (name) => predict(from, to, name)],
		["on the other regions", (name) => joined(parts.map(({ others, own }) => predict(others, own, name)))],
	]);
	const names = [judged, "version 1", "milestone", constant];
	const rows = names.map((name) => [name, ...[...ways.values()].map((way) => brierOf(way(name)))]);
	const tenths = [...ways].map(([label, way]) => {
		const { probabilities, positive } = way(judged);
		const bins = calibration(probabilities, positive).map(({ n, predicted, observed }, at) => [
			...[at + 1, n].map(String),
			...[predicted, observed].map(decimals),
		]);
		return `\n${table([`tenth by probability (${judged}, ${label})`, "n", "predicted", "observed"], bins)}`;
	});
	return section(
		`Probability of "${outcome}" among the requests of 2024`,
		table(["Brier score (less is better), by", ...ways.keys()], rows),
		...tenths,
	);
}

const keeping = (versions: readonly Version[], isKept: (region: string) => boolean): Version[] =>
	versions.map((version) => ({ ...version, requests: version.requests.filter(({ region }) => isKept(region)) }));

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
