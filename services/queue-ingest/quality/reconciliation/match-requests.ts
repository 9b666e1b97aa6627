/** Matches our requests with another publisher's records: by number, else by name and day. Pure. */

import type { ReconciliationMethod } from "#libs/contract/vocabulary.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import type { ListedRequest, OurRequest } from "./line.ts";

interface Pair {
	ours: OurRequest;
	theirs: ListedRequest;
	method: ReconciliationMethod;
}

export interface Matches {
	pairs: Pair[];
	ours: OurRequest[];
	theirs: ListedRequest[];
	/** Keys of their records that are matched by number. */
	paired: ReadonlySet<string>;
	byKey: ReadonlyMap<string, readonly OurRequest[]>;
}

const dayMs = 86_400_000;
/** Maximum difference between two publishers' queue dates of the same request. */
const maxSameRequestDays = 31;
/** Requests whose queue dates differ by more than this are different requests, unless their names or capacities agree. */
const maxDateErrorDays = 366;

export function matchRequests(ours: readonly OurRequest[], theirs: readonly ListedRequest[]): Matches {
	const byKey = groupBy(ours, ({ keys }) => keys);
	const byName = groupBy(ours, ({ name }) => [spelled(name)]);
	const candidates = theirs.flatMap((listed) => {
		const toCandidate = (method: ReconciliationMethod, bonus: number) => (request: OurRequest) => ({
			...{ ours: request, theirs: listed, method, score: bonus + scoreAgreement(request, listed) },
		});
		const sameNumber = (byKey.get(listed.key) ?? []).filter((request) => !isDifferentRequest(request, listed));
		const sameName = spelled(listed.name) === "" ? [] : (byName.get(spelled(listed.name)) ?? []);
		const closeInTime = sameName.filter(
			(request) => (daysApart(request, listed) ?? maxDateErrorDays) <= maxSameRequestDays,
		);
		return [...sameNumber.map(toCandidate("number", 10)), ...closeInTime.map(toCandidate("name_and_date", 0))];
	});
	candidates.sort(
		(a, b) => b.score - a.score || compareText(a.ours.id, b.ours.id) || compareText(a.theirs.id, b.theirs.id),
	);
	const pairs: Pair[] = [];
	const matched = new Set<OurRequest | ListedRequest>();
	for (const { score: _, ...pair } of candidates) {
		if (matched.has(pair.ours) || matched.has(pair.theirs)) continue;
		matched.add(pair.ours).add(pair.theirs);
		pairs.push(pair);
	}
	return {
		pairs,
		ours: ours.filter((request) => !matched.has(request)),
		theirs: theirs.filter((listed) => !matched.has(listed)),
		paired: new Set(pairs.filter(({ method }) => method === "number").map((pair) => pair.theirs.key)),
		byKey,
	};
}

function groupBy(ours: readonly OurRequest[], keysOf: (request: OurRequest) => string[]): Map<string, OurRequest[]> {
	const keyed = ours.flatMap((request) => keysOf(request).map((key) => ({ key, request })));
	const groups = Map.groupBy(keyed, ({ key }) => key);
	return new Map([...groups].map(([key, group]) => [key, group.map(({ request }) => request)]));
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const isSameSize = (a: OurRequest, b: ListedRequest) => a.mw !== null && b.mw !== null && Math.abs(a.mw - b.mw) <= 1;

/**
 * Whether requests with the same number are different requests, because name, date and capacity all differ. The 2020 edition assigns its own
 * numbers to withdrawn requests of some operators.
 */
function isDifferentRequest(ours: OurRequest, theirs: ListedRequest): boolean {
	const hasDifferentName =
		spelled(ours.name) !== "" && spelled(theirs.name) !== "" && spelled(ours.name) !== spelled(theirs.name);
	return hasDifferentName && (daysApart(ours, theirs) ?? 0) > maxDateErrorDays && !isSameSize(ours, theirs);
}

function daysApart(ours: OurRequest, theirs: ListedRequest): number | null {
	if (ours.queueDate === null || theirs.queueDate === null) return null;
	return Math.abs(Date.parse(ours.queueDate) - Date.parse(theirs.queueDate)) / dayMs;
}

function scoreAgreement(ours: OurRequest, theirs: ListedRequest): number {
	const name = spelled(ours.name) !== "" && spelled(ours.name) === spelled(theirs.name) ? 4 : 0;
	const date = daysApart(ours, theirs) === 0 ? 2 : 0;
	return name + date + (isSameSize(ours, theirs) ? 2 : 0) + (ours.status === theirs.status ? 1 : 0);
}
