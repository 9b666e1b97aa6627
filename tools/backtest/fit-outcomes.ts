/** Makes the table of outcomes from transitions: counts by operator and kind of request, drawn towards the pooled rate where they are few. Pure. */
import { pooledWeight, type Region, regions } from "../../libs/contract/vocabulary.ts";
import { inputsOf } from "../../services/scoring/domain/score/inputs.ts";
import {
	cellName,
	leastRequests,
	type OutcomeCell,
	type OutcomeDate,
	type OutcomeKind,
	type OutcomeRow,
	type OutcomeStage,
	outcomeColumns,
	outcomeDateOf,
	outcomeDates,
	outcomeKinds,
	outcomeStageOf,
	outcomeStages,
} from "../../services/scoring/domain/score/outcomes.ts";
import { betaQuantile } from "./beta.ts";
import type { Transition } from "./transitions.ts";

/** The weight of a stage's rate beside that of one kind of its requests. */
const stageWeight = 5;
/** Most that one operator's requests of one kind count for in the pool: no operator is the pool. */
const mostOfOne = 30;
/**
 * Requests of one kind and year fall together: however many there are, they bound the chance like at most twenty that do not. Of kinds of a
 * hundred requests and more 92 % then lay within the interval on days that it had not seen, without it 51 %.
 */
const together = 0.05;
/** The weight of the pooled rate where nothing else is known. */
const intervalWeight = 3;
/** A share is never taken for nought or one. */
const leastShare = 0.002;

type Counts = Record<OutcomeKind, number> & { requests: number };

export interface Kind {
	stage: OutcomeStage;
	date: OutcomeDate;
}

/** The kind of a request on the day of its list. */
export function kindOf({ facts, from }: Pick<Transition, "facts" | "from">): Kind {
	const about = { credit: null, developer: null, costPerKw: null, duplicate: false };
	const inputs = inputsOf(facts, about, from);
	return { stage: outcomeStageOf(inputs.milestone), date: outcomeDateOf(inputs) };
}

/** The rows of a version's table: of all operators together, then of each that has a record of its own. */
export function fitOutcomes(version: number, records: ReadonlyMap<Region, readonly Transition[]>): OutcomeRow[] {
	const counted = new Map([...records].map(([region, transitions]) => [region, countsOf(transitions)]));
	const pool = poolOf([...counted.values()]);
	const withRecord = regions.filter((region) => (records.get(region)?.length ?? 0) >= leastRequests.ofOperator);
	const all = outcomeDates.flatMap((date) =>
		outcomeStages.map((stage) => {
			const value = pool.shareOf(stage, date);
			return { version, region: "all" as const, stage, date, ...cellOf(pool.countsOf(stage, date), value, 0) };
		}),
	);
	const own = withRecord.flatMap((region) =>
		outcomeDates.flatMap((date) => {
			const counts = outcomeStages.map((stage) => counted.get(region)?.get(cellName(stage, date)) ?? none);
			const drawn = counts.map((own, at) => {
				const share = pool.shareOf(outcomeStages[at] ?? "early", date);
				return { n: own.requests + pooledWeight, hits: hits(own) + pooledWeight * share };
			});
			const shares = rising(drawn);
			return outcomeStages.map((stage, at) => {
				const [given = none, share = 0] = [counts[at], shares[at]];
				return { version, region, stage, date, ...cellOf(given, share, given.requests) };
			});
		}),
	);
	return [...all, ...own];
}

/** The text of the file. */
export const inFile = (rows: readonly OutcomeRow[]): string =>
	`${[outcomeColumns, ...rows.map((row) => outcomeColumns.map((column) => row[column]))].map((cells) => cells.join()).join("\n")}\n`;

const none: Counts = { requests: 0, built: 0, advancing: 0, waiting: 0, lost: 0 };

function countsOf(transitions: readonly Transition[]): Map<string, Counts> {
	const counts = new Map<string, Counts>();
	for (const transition of transitions) {
		const { stage, date } = kindOf(transition);
		for (const key of [cellName(stage, date), cellName(stage, "any")]) {
			const before = counts.get(key) ?? none;
			counts.set(key, {
				...before,
				requests: before.requests + 1,
				[transition.outcome]: before[transition.outcome] + 1,
			});
		}
	}
	return counts;
}

const hits = ({ built, advancing }: Counts): number => built + advancing;

/** The operators together: the rate of each stage, which a later one never falls below, and of each kind drawn towards its stage's. */
function poolOf(operators: readonly ReadonlyMap<string, Counts>[]) {
	const sums = new Map<string, Counts>();
	const weighed = new Map<string, Rate>();
	for (const counts of operators)
		for (const [key, own] of counts) {
			const sum = sums.get(key) ?? none;
			const kinds = outcomeKinds.map((kind) => [kind, sum[kind] + own[kind]]);
			sums.set(key, { ...none, ...Object.fromEntries(kinds), requests: sum.requests + own.requests });
			const weight = Math.min(1, mostOfOne / own.requests);
			const before = weighed.get(key) ?? { n: 0, hits: 0 };
			weighed.set(key, { n: before.n + weight * own.requests, hits: before.hits + weight * hits(own) });
		}
	const seen = (stage: OutcomeStage, date: OutcomeDate) => weighed.get(cellName(stage, date)) ?? { n: 0, hits: 0 };
	const half = ({ n, hits: some }: Rate): Rate => ({ n: n + 1, hits: some + 0.5 });
	const stages = rising(outcomeStages.map((stage) => half(seen(stage, "any"))));
	const shares = new Map(
		outcomeDates.map((date) => [
			date,
			rising(
				outcomeStages.map((stage, at) => {
					const { n, hits: some } = date === "any" ? { n: 0, hits: 0 } : seen(stage, date);
					return { n: n + stageWeight, hits: some + stageWeight * (stages[at] ?? 0) };
				}),
			),
		]),
	);
	return {
		countsOf: (stage: OutcomeStage, date: OutcomeDate): Counts => sums.get(cellName(stage, date)) ?? none,
		shareOf(stage: OutcomeStage, date: OutcomeDate): number {
			const share = shares.get(date)?.[outcomeStages.indexOf(stage)] ?? 0;
			return Math.min(1 - leastShare, Math.max(leastShare, share));
		},
	};
}

interface Rate {
	n: number;
	hits: number;
}

/** Shares of the stages: of neighbours that fall one is made (pooling adjacent violators). The last, suspended, is outside the order. */
function rising(stages: readonly Rate[]): number[] {
	const steps: (Rate & { width: number })[] = [];
	const share = ({ n, hits: some }: Rate) => some / n;
	for (const stage of stages.slice(0, -1)) {
		let step = { ...stage, width: 1 };
		for (let last = steps.at(-1); last !== undefined && share(last) >= share(step); last = steps.at(-1)) {
			steps.pop();
			step = { n: last.n + step.n, hits: last.hits + step.hits, width: last.width + step.width };
		}
		steps.push(step);
	}
	const ordered = steps.flatMap((step) => Array.from({ length: step.width }, () => share(step)));
	return [...ordered, ...stages.slice(-1).map(share)];
}

/** `requests`: of the operator itself. The interval is Jeffreys'. */
function cellOf(counts: Counts, value: number, requests: number): OutcomeCell {
	const strength = requests / (1 + Math.max(0, requests - 1) * together) + intervalWeight;
	return {
		...counts,
		value: rounded(value),
		low: rounded(betaQuantile(0.025, value * strength + 0.5, (1 - value) * strength + 0.5)),
		high: rounded(betaQuantile(0.975, value * strength + 0.5, (1 - value) * strength + 0.5)),
	};
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
