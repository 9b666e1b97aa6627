/** Matches our requests with another publisher's records: by number, else by name and day. Pure. */

import type { ReconciliationMethod } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import type { ListedRequest, OurRequest } from "./line.ts";

interface Pair {
	ours: OurRequest;
	theirs: ListedRequest;
	method: ReconciliationMethod;
}

export interface Pairs {
	pairs: Pair[];
	ours: OurRequest[];
	theirs: ListedRequest[];
	paired: ReadonlySet<string>;
	byKey: ReadonlyMap<string, readonly OurRequest[]>;
}

const dayMs = 86_400_000;
/** Two publishers' dates of the same request differ by at most this many days. */
const sameDays = 31;
/** Dates that differ by more than this many days are those of different requests. */
const otherDays = 366;

export function matchRequests(ours: readonly OurRequest[], theirs: readonly ListedRequest[]): Pairs {
	const byKey = groupedBy(ours, ({ keys }) => keys);
	const byName = groupedBy(ours, ({ name }) => [spelled(name)]);
	const candidates = theirs.flatMap((listed) => {
		const paired = (method: ReconciliationMethod, more: number) => (request: OurRequest) => ({
			...{ ours: request, theirs: listed, method, score: more + agreement(request, listed) },
		});
		const numbered = (byKey.get(listed.key) ?? []).filter((request) => !isOtherRequest(request, listed));
		const named = spelled(listed.name) === "" ? [] : (byName.get(spelled(listed.name)) ?? []);
		const near = named.filter((request) => (daysApart(request, listed) ?? otherDays) <= sameDays);
		return [...numbered.map(paired("number", 10)), ...near.map(paired("name_and_date", 0))];
	});
	candidates.sort((a, b) => b.score - a.score || order(a.ours.id, b.ours.id) || order(a.theirs.id, b.theirs.id));
	const pairs: Pair[] = [];
	const taken = new Set<OurRequest | ListedRequest>();
	for (const { score: _, ...pair } of candidates) {
		if (taken.has(pair.ours) || taken.has(pair.theirs)) continue;
		taken.add(pair.ours).add(pair.theirs);
		pairs.push(pair);
	}
	return {
		pairs,
		ours: ours.filter((request) => !taken.has(request)),
		theirs: theirs.filter((listed) => !taken.has(listed)),
		paired: new Set(pairs.filter(({ method }) => method === "number").map((pair) => pair.theirs.key)),
		byKey,
	};
}

function groupedBy(ours: readonly OurRequest[], keysOf: (request: OurRequest) => string[]): Map<string, OurRequest[]> {
	const keyed = ours.flatMap((request) => keysOf(request).map((key) => ({ key, request })));
	const groups = Map.groupBy(keyed, ({ key }) => key);
	return new Map([...groups].map(([key, group]) => [key, group.map(({ request }) => request)]));
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const isSameSize = (a: OurRequest, b: ListedRequest) => a.mw !== null && b.mw !== null && Math.abs(a.mw - b.mw) <= 1;

/**
 * Whether a request has the same number but is another one, because name, day and capacity differ. The edition of 2020 assigns its own
 * numbers to withdrawn requests of some operators.
 */
function isOtherRequest(ours: OurRequest, theirs: ListedRequest): boolean {
	const isNamedOtherwise =
		spelled(ours.name) !== "" && spelled(theirs.name) !== "" && spelled(ours.name) !== spelled(theirs.name);
	return isNamedOtherwise && (daysApart(ours, theirs) ?? 0) > otherDays && !isSameSize(ours, theirs);
}

function daysApart(ours: OurRequest, theirs: ListedRequest): number | null {
	if (ours.queueDate === null || theirs.queueDate === null) return null;
	return Math.abs(Date.parse(ours.queueDate) - Date.parse(theirs.queueDate)) / dayMs;
}

function agreement(ours: OurRequest, theirs: ListedRequest): number {
	const name = spelled(ours.name) !== "" && spelled(ours.name) === spelled(theirs.name) ? 4 : 0;
	const date = daysApart(ours, theirs) === 0 ? 2 : 0;
	return name + date + (isSameSize(ours, theirs) ? 2 : 0) + (ours.status === theirs.status ? 1 : 0);
}
