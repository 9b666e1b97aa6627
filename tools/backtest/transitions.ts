/** Outcomes of the open requests of one list by a later list of the same operator. */
import type { Region } from "../../libs/contract/vocabulary.ts";
import { identify } from "../../services/queue-ingest/queues/identify.ts";
import type { ProjectFacts } from "../../services/scoring/domain/facts.ts";
import { isScored } from "../../services/scoring/domain/score/inputs.ts";
import { milestoneOf } from "../../services/scoring/domain/score/milestone.ts";
import { type OutcomeKind, outcomeOf } from "../../services/scoring/domain/score/outcomes.ts";
import { factsOf } from "./cohorts.ts";
import type { Queue } from "./dated-lists.ts";
import type { Listed, Reader } from "./lists.ts";

export interface Transition {
	facts: ProjectFacts;
	/** Day of the list that it is taken from, and of the one that tells what became of it. */
	from: string;
	to: string;
	outcome: OutcomeKind;
}

/** ERCOT's reports drop what is built or cancelled a month later: every report between the two is read. */
const dropsFinished: ReadonlySet<Region> = new Set<Region>(["ERCOT"]);

/** `later`: the queues after `from`, oldest first; the last of them tells what is open. */
export async function transitionsOf(
	reader: Reader,
	region: Region,
	from: Queue,
	later: readonly Queue[],
): Promise<Transition[]> {
	const last = later.at(-1);
	if (last === undefined) return [];
	const filed = (await Promise.all(from.lists.map((list) => reader.requests(list)))).flat();
	const read = (dropsFinished.has(region) ? later : [last]).map(async ({ lists }) => ({
		isLast: lists === last.lists,
		rows: await Promise.all(lists.map((list) => reader.requests(list))),
	}));
	const found = follow(region, filed, await Promise.all(read));
	return filed.flatMap((request, at): Transition[] => {
		const facts = factsOf(request, region);
		if (!isScored({ kind: facts.kind, status: facts.status_std })) return [];
		const row = found.get(String(at));
		const now = row === undefined ? null : factsOf(row, region);
		const outcome = outcomeOf(
			now === null ? null : { status: now.status_std, milestone: milestoneOf(now), cod: now.cod },
			last.asOf,
		);
		return [{ facts, from: from.asOf, to: last.asOf, outcome }];
	});
}

/** The newest row of each request, by its place in `filed`; what was once finished stays so, what the last lists do not show is left out. */
function follow(
	region: Region,
	filed: readonly Listed[],
	later: readonly { isLast: boolean; rows: Listed[][] }[],
): Map<string, Listed> {
	const known = filed.map((request, at) => ({ ...request, id: String(at), keys: [request.key], sameFeed: true }));
	const found = new Map<string, Listed>();
	for (const { isLast, rows } of later) {
		const shown = new Set<string>();
		for (const list of rows)
			for (const [at, { id, isNew }] of identify(region, list, known).entries()) {
				const row = list[at];
				if (isNew || row === undefined) continue;
				shown.add(id);
				if (!isFinished(found.get(id))) found.set(id, row);
			}
		if (isLast) for (const [id, row] of found) if (!shown.has(id) && !isFinished(row)) found.delete(id);
	}
	return found;
}

const isFinished = (row: Listed | undefined): boolean =>
	row?.statusStd === "Operational" || row?.statusStd === "Withdrawn";
