/** Scored requests as columns of numbers, beside what became of them; and weights of the columns. Pure. */
import { type Grade, type Region, type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import { inputsOf } from "../../services/scoring/domain/score/inputs.ts";
import type { VersionTables } from "../../services/scoring/domain/score/outcomes.ts";
import { scoreProject } from "../../services/scoring/domain/score/score-project.ts";
import type { Case } from "./cohorts.ts";
import { creditThen } from "./law-then.ts";
import type { Fate } from "./outcomes.ts";

export interface Scored {
	region: Region;
	cluster: string;
	fate: Fate;
	components: Record<ScoreComponent, number>;
	/** Whole points, as the product shows them. */
	score: number;
	grade: Grade;
}

/** Scores as of the day of the list. Of developers' finances, connection costs and doubles nothing was known. */
export function scored(cases: readonly Case[], tables: VersionTables): Scored[] {
	return cases.map(({ facts, today, fate, cluster }) => {
		const about = { credit: creditThen(facts, today), developer: null, costPerKw: null, duplicate: false };
		const { components, score, grade } = scoreProject(inputsOf(facts, about, today), tables);
		const points = scoreComponents.map((name) => [name, components[name].score]);
		return { region: facts.region, cluster, fate, components: Object.fromEntries(points), score, grade };
	});
}

/** Outcomes that count as a success, and the requests they are judged on; null leaves a request out. */
export const outcomes = {
	"built, of the finished": (fate: Fate) => (fate === "built" ? true : fate === "lost" ? false : null),
	"built, of all": (fate: Fate) => (fate === "unknown" ? null : fate === "built"),
	"kept (built or open)": (fate: Fate) => (fate === "unknown" ? null : fate !== "lost"),
} as const;
export type Outcome = keyof typeof outcomes;
export const outcomeNames = Object.keys(outcomes) as Outcome[];

export interface Sample {
	/** Scores of each request, in the same order. */
	columns: Record<ScoreComponent, number[]>;
	scores: number[];
	positive: boolean[];
	regions: Region[];
	clusters: string[];
}

export function sampleOf(requests: readonly Scored[], outcome: Outcome): Sample {
	const samples = requests.flatMap((request) => {
		const positive = outcomes[outcome](request.fate);
		return positive === null ? [] : [{ ...request, positive }];
	});
	const column = (name: ScoreComponent) => samples.map(({ components }) => components[name]);
	return {
		columns: Object.fromEntries(scoreComponents.map((name) => [name, column(name)])) as Sample["columns"],
		scores: samples.map(({ score }) => score),
		positive: samples.map(({ positive }) => positive),
		regions: samples.map(({ region }) => region),
		clusters: samples.map(({ cluster }) => cluster),
	};
}

/** Compared pairs of a success and a failure: `one region` compares only requests of one region. */
export const pairings = ["one region", "all"] as const;
export type Pairs = (typeof pairings)[number];

export const groupsOf = ({ regions }: Pick<Sample, "regions">, pairs: Pairs): readonly string[] =>
	pairs === "all" ? [] : regions;

export type Weights = Readonly<Record<ScoreComponent, number>>;

const weightsOf = (values: readonly number[]): Weights =>
	Object.fromEntries(scoreComponents.map((name, at) => [name, values[at] ?? 0])) as Weights;

export const equalWeights = weightsOf(scoreComponents.map(() => 1 / scoreComponents.length));

/** The grid's step: weights are whole multiples of a twentieth, and so are totals. */
const steps = 20;

/**
 * In twentieths of a point. Not in whole points: rounding makes ties of some small differences and not of others, by chance, and a search
 * finds the chance.
 */
export function totals({ columns, positive }: Pick<Sample, "columns" | "positive">, weights: Weights): number[] {
	const parts = scoreComponents.map((name) => ({ column: columns[name], weight: Math.round(steps * weights[name]) }));
	return positive.map((_, at) => parts.reduce((sum, { column, weight }) => sum + weight * (column[at] ?? 0), 0));
}

/** Whole points, as the product shows them. */
export const wholePoints = (twentieths: readonly number[]): number[] =>
	twentieths.map((total) => Math.floor(total / steps + 0.5));

/** Every five weights in steps of 0.05 that sum to 1, none less than 0.05: 3,876 of them. */
export const grid: readonly Weights[] = parts(steps, scoreComponents.length).map((twentieths) =>
	weightsOf(twentieths.map((part) => part / steps)),
);

function parts(total: number, count: number): number[][] {
	if (count === 1) return [[total]];
	const firsts = Array.from({ length: total - count + 1 }, (_, at) => at + 1);
	return firsts.flatMap((first) => parts(total - first, count - 1).map((rest) => [first, ...rest]));
}

export const distance = (a: Weights, b: Weights): number =>
	scoreComponents.reduce((sum, name) => sum + (a[name] - b[name]) ** 2, 0);

export const inWords = (weights: Weights): string =>
	scoreComponents.map((name) => weights[name].toFixed(2)).join(" / ");
