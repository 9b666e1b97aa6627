import type { Reply } from "#libs/contract/index.ts";

export type State = Reply<"getProjectHistory">["data"][number];

export interface Period {
	status: string;
	/** Start of the period (ISO 8601). */
	from: string;
	/** Null for the current status. */
	to: string | null;
}

/** Derives the periods of each status. `states` may be in any order. */
export function statusPeriods(states: readonly State[]): Period[] {
	const sorted = states.toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
	const changes = sorted.flatMap(({ valid_from, differences }) => {
		const status = differences.find(({ field }) => field === "status_std");
		return status === undefined ? [] : [{ from: valid_from, before: status.old_value, status: status.new_value }];
	});
	const [first] = sorted;
	const [earliest] = changes;
	const before =
		first !== undefined && earliest !== undefined && first.valid_from < earliest.from && earliest.before !== null
			? [{ from: first.valid_from, before: null, status: earliest.before }]
			: [];
	const all = [...before, ...changes];
	return all.flatMap(({ from, status }, at) =>
		status === null ? [] : [{ status, from, to: all[at + 1]?.from ?? null }],
	);
}
