/** Origins of the evaluation: the lists of many days, what was known on each, and what had become of its requests about a year later. */
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import type { Queue } from "./dated-lists.ts";
import type { Reader } from "./lists.ts";
import { type Transition, transitionsOf } from "./transitions.ts";

/** Days between two lists of which the later tells what became of the earlier after twelve months. */
const yearApart = { least: 300, most: 560, aim: 365 };
/** If no two lists of an operator are a year apart yet, two that are months apart are better than none. */
const monthsApart = { least: 130, most: 299, aim: 299 };
type Apart = typeof yearApart;

/** An operator's record goes back so many years: older practice no longer applies. */
const mostPairs = 3;

interface Pair {
	from: number;
	to: number;
}

const days = (from: Queue, to: Queue): number => (Date.parse(to.asOf) - Date.parse(from.asOf)) / 86_400_000;

/** The list that tells what became of the requests of list `from`; -1 where none lies a year after it. */
export const judgedBy = (queues: readonly Queue[], from: number): number =>
	nearest(
		queues.map((queue, at) => (at > from ? { at, days: days(queues[from] ?? queue, queue) } : null)),
		yearApart,
	);

function nearest(candidates: readonly ({ at: number; days: number } | null)[], { least, most, aim }: Apart): number {
	const apart = candidates.filter((each) => each !== null && each.days >= least && each.days <= most);
	apart.sort((a, b) => Math.abs((a?.days ?? 0) - aim) - Math.abs((b?.days ?? 0) - aim));
	return apart[0]?.at ?? -1;
}

/** Pairs of lists up to list `until` that an operator's record is counted on: a year each, one before the other, newest first. */
export function recordPairs(queues: readonly Queue[], until: number): Pair[] {
	const pairs: Pair[] = [];
	for (let to = until; to > 0 && pairs.length < mostPairs; ) {
		const from = earlier(queues, to, yearApart);
		if (from >= 0) pairs.push({ from, to });
		to = from >= 0 ? from : to - 1;
	}
	if (pairs.length > 0) return pairs;
	for (let to = until; to > 0; to--) {
		const from = earlier(queues, to, monthsApart);
		if (from >= 0) return [{ from, to }];
	}
	return [];
}

function earlier(queues: readonly Queue[], to: number, apart: Apart): number {
	const last = queues[to];
	if (last === undefined) return -1;
	return nearest(
		queues.map((queue, at) => (at < to ? { at, days: days(queue, last) } : null)),
		apart,
	);
}

/** Transitions of every operator, each pair of lists read once. */
export class History {
	readonly #reader: Reader;
	readonly #queues: Partial<Record<Region, Queue[]>>;
	readonly #known = new Map<string, Promise<Transition[]>>();

	constructor(reader: Reader, queues: Partial<Record<Region, Queue[]>>) {
		this.#reader = reader;
		this.#queues = queues;
	}

	queuesOf(region: Region): readonly Queue[] {
		return this.#queues[region] ?? [];
	}

	between(region: Region, { from, to }: Pair): Promise<Transition[]> {
		const key = `${region} ${from} ${to}`;
		const queues = this.queuesOf(region);
		const first = queues[from];
		const known =
			this.#known.get(key) ??
			(first === undefined
				? Promise.resolve([])
				: transitionsOf(this.#reader, region, first, queues.slice(from + 1, to + 1)));
		this.#known.set(key, known);
		return known;
	}

	async recordsOn(day: string): Promise<Map<Region, Transition[]>> {
		const records = new Map<Region, Transition[]>();
		for (const region of regions) {
			const until = this.queuesOf(region).findLastIndex(({ asOf }) => asOf <= day);
			const pairs = await Promise.all(
				recordPairs(this.queuesOf(region), until).map((pair) => this.between(region, pair)),
			);
			records.set(region, pairs.flat());
		}
		return records;
	}
}
