/** Version 3 on days that it had not seen: fitted on the knowledge of each day, judged by the outcomes a year later. */
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import { chanceIn, type OutcomeKind, tableOf } from "../../services/scoring/domain/score/outcomes.ts";
import { version2 } from "../../services/scoring/domain/score/versions/2.ts";
import { version3 } from "../../services/scoring/domain/score/versions/3.ts";
import { fitOutcomes, kindOf } from "./fit-outcomes.ts";
import { type History, judgedBy } from "./rolling.ts";
import { scored } from "./samples.ts";
import { auc, type Bin, calibration } from "./statistics.ts";

/** A request of a day that was judged, with what was said of it then. */
export interface Judged {
	region: Region;
	from: string;
	to: string;
	outcome: OutcomeKind;
	/** The chance by what was known on the day. */
	chance: number;
	low: number;
	high: number;
	/** The operator had a record of its own by then. */
	own: boolean;
	/** The group with which the request was counted. */
	kind: string;
	/** The scores of version 3 on that day's table, and of version 2. */
	score: number;
	score2: number;
}

/** Months of ERCOT's reports that are judged: its other reports tell nearly the same. */
const quarters: ReadonlySet<string> = new Set(["03", "06", "09", "12"]);
/** Outcomes after a year are unknown before that day. */
const firstDay = "2020-01-01";

/** Every list of which a later one tells what became of its requests. */
export async function judgedRequests(history: History): Promise<Judged[]> {
	const judged: Judged[] = [];
	for (const region of regions)
		for (const [from, { asOf }] of history.queuesOf(region).entries()) {
			const to = judgedBy(history.queuesOf(region), from);
			const isSkipped = asOf < firstDay || (region === "ERCOT" && !quarters.has(asOf.slice(5, 7)));
			if (to >= 0 && !isSkipped) judged.push(...(await judgedOn(history, region, from, to)));
		}
	return judged;
}

async function judgedOn(history: History, region: Region, from: number, to: number): Promise<Judged[]> {
	const day = history.queuesOf(region)[from]?.asOf ?? "";
	const table = tableOf(fitOutcomes(version3.version, await history.recordsOn(day)));
	const transitions = await history.between(region, { from, to });
	const cases = transitions.map(({ facts, outcome }) => ({
		facts,
		today: day,
		fate: outcome === "lost" ? ("lost" as const) : ("open" as const),
		fateBy2024: "open" as const,
		cluster: region,
	}));
	const scores = scored(cases, { ...version3, outcomes: table });
	const scores2 = scored(cases, version2);
	return transitions.map((transition, at) => {
		const { stage, date } = kindOf(transition);
		const { value, low, high } = chanceIn(table, region, stage, date);
		return {
			region,
			from: day,
			to: transition.to,
			outcome: transition.outcome,
			chance: value,
			low,
			high,
			own: table.operators.has(region),
			kind: `${stage} ${date}`,
			score: scores[at]?.score ?? 0,
			score2: scores2[at]?.score ?? 0,
		};
	});
}

const isReached = ({ outcome }: Judged): boolean => outcome === "built" || outcome === "advancing";
const isKept = ({ outcome }: Judged): boolean => outcome !== "lost";
const originOf = ({ region, from }: Judged): string => `${region} ${from}`;

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);
/** Areas are counted over whole numbers; chances have three decimals. */
const inThousandths = (chance: number): number => Math.round(1000 * chance);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Reliability {
	requests: number;
	/** Mean chance, and share that was built or advancing. */
	predicted: number | null;
	observed: number | null;
	/** Mean distance of the two over ten groups by rising chance. */
	calibration_error: number | null;
	/** Observed never falls from one of the ten to the next. */
	monotone: boolean;
	/** Over pairs of requests of one day and region. */
	area: number | null;
	groups: Bin[];
}

export function reliabilityOf(judged: readonly Judged[]): Reliability {
	const chances = judged.map(({ chance }) => chance);
	const ranks = chances.map(inThousandths);
	const reached = judged.map(isReached);
	const groups = calibration(chances, reached);
	const error = groups.reduce((sum, { n, predicted, observed }) => sum + n * Math.abs(predicted - observed), 0);
	return {
		requests: judged.length,
		predicted: judged.length === 0 ? null : rounded(mean(chances)),
		observed: judged.length === 0 ? null : rounded(mean(reached.map(Number))),
		calibration_error: judged.length === 0 ? null : rounded(error / judged.length),
		monotone: groups.every(({ observed }, at) => observed >= (groups[at - 1]?.observed ?? 0)),
		area: rounded(auc(ranks, reached, judged.map(originOf))),
		groups: groups.map(({ n, predicted, observed }) => ({
			n,
			predicted: rounded(predicted) ?? 0,
			observed: rounded(observed) ?? 0,
		})),
	};
}

/** Area under the curve of a number that orders the requests, over all pairs and over pairs of one day and region. */
export function areasOf(
	judged: readonly Judged[],
	by: "chance" | "score" | "score2",
	outcome: "reached" | "kept",
): { all: number | null; within: number | null } {
	const numbers = judged.map((each) => (by === "chance" ? inThousandths(each.chance) : each[by]));
	const positive = judged.map(outcome === "reached" ? isReached : isKept);
	return { all: rounded(auc(numbers, positive)), within: rounded(auc(numbers, positive, judged.map(originOf))) };
}

/** The share of kinds with at least `least` requests on one day whose observed rate lay within the stated interval. */
export function coverageOf(judged: readonly Judged[], least = 20): number | null {
	const kinds = [...Map.groupBy(judged, (each) => `${originOf(each)} ${each.kind}`).values()];
	const large = kinds.filter(({ length }) => length >= least);
	const within = large.filter((some) => {
		const observed = mean(some.map((each) => Number(isReached(each))));
		return some[0] !== undefined && observed >= some[0].low && observed <= some[0].high;
	});
	return large.length === 0 ? null : rounded(within.length / large.length);
}

/** Outcomes of the requests that scored as much as `/investable` demands, or near it. */
export function atScore(judged: readonly Judged[], from: number, to: number) {
	const some = judged.filter(({ score }) => score >= from && score < to);
	return {
		requests: some.length,
		predicted: some.length === 0 ? null : rounded(mean(some.map(({ chance }) => chance))),
		observed: some.length === 0 ? null : rounded(mean(some.map((each) => Number(isReached(each))))),
	};
}
