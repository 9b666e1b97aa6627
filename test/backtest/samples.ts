/** Scored requests as columns of numbers, beside what became of them. Pure. */
import { type Grade, type Region, type ScoreComponent, scoreComponents } from "../../libs/contract/vocabulary.ts";
import { inputsOf, type ScoreTables, scoreProject } from "../../services/scoring/domain/score/index.ts";
import type { Case } from "./cohorts.ts";
import { creditThen } from "./law-then.ts";
import type { Fate } from "./outcomes.ts";

export interface Scored {
	region: Region;
	cluster: string;
	fate: Fate;
	fateBy2024: Fate;
	components: Record<ScoreComponent, number>;
	grade: Grade;
}

/** Scores as of the day of the list. Of developers' finances, connection costs and doubles nothing was known. */
export function scored(cases: readonly Case[], tables: ScoreTables): Scored[] {
	return cases.map(({ facts, today, fate, fateBy2024, cluster }) => {
		const about = { credit: creditThen(facts, today), developer: null, costPerKw: null, duplicate: false };
		const { components, grade } = scoreProject(inputsOf(facts, about, today), tables);
		const points = scoreComponents.map((name) => [name, components[name].score]);
		return { region: facts.region, cluster, fate, fateBy2024, components: Object.fromEntries(points), grade };
	});
}

/** What counts as a success, and whose fate says so; null leaves a request out. */
export const outcomes = {
	"built, of the finished": (fate: Fate) => (fate === "built" ? true : fate === "lost" ? false : null),
	"built, of all": (fate: Fate) => (fate === "unknown" ? null : fate === "built"),
	"kept (built or open)": (fate: Fate) => (fate === "unknown" ? null : fate !== "lost"),
} as const;
export type Outcome = keyof typeof outcomes;
export const outcomeNames = Object.keys(outcomes) as Outcome[];

export interface Sample {
	/** Of each request, in one order. */
	columns: Record<ScoreComponent, number[]>;
	positive: boolean[];
	regions: Region[];
	clusters: string[];
	grades: Grade[];
}

export function sampleOf(requests: readonly Scored[], outcome: Outcome): Sample {
	const told = requests.flatMap((request) => {
		const positive = outcomes[outcome](request.fate);
		return positive === null ? [] : [{ ...request, positive }];
	});
	const column = (name: ScoreComponent) => told.map(({ components }) => components[name]);
	return {
		columns: Object.fromEntries(scoreComponents.map((name) => [name, column(name)])) as Sample["columns"],
		positive: told.map(({ positive }) => positive),
		regions: told.map(({ region }) => region),
		clusters: told.map(({ cluster }) => cluster),
		grades: told.map(({ grade }) => grade),
	};
}
