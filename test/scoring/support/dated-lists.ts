/** Lists of some days, in which each request changes; the same for a seed. */
import { type Delivery, list, project, state } from "./deliver.ts";
import { listEvent, type ProjectChanged, pick, projectEvent, randomBy, stateEvent } from "./history.ts";

export const days = ["2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"] as const;

export interface DatedList {
	day: string;
	rows: ProjectChanged[];
	/** Of the list before. */
	before: ProjectChanged[];
}

/** A list of each day: each request as it then was. */
export function history(seed: number, requests = 12): DatedList[] {
	const random = randomBy(seed);
	const lists = days.map((day, at) => ({
		day,
		rows: Array.from({ length: requests }, (_, id) => ({
			...projectEvent(`ERCOT-${id + 1}`, at + 1, {
				name: pick(random, ["Twin", "Twin", "Bell Solar"] as const),
				developer_id: pick(random, [1, null] as const),
				developer_tier: pick(random, ["unknown", "major_ipp"] as const),
				construction_stage: pick(random, ["early", "mid", "late", "construction"] as const),
				ia_status: pick(random, ["System Impact Study", "Facility Study", "IA Executed"] as const),
				type_std: pick(random, ["Solar", "Wind", "Storage", "Gas"] as const),
				status_std: pick(random, ["Active", "Active", "Active", "Withdrawn", "Operational"] as const),
				queue_date: pick(random, ["2019-03-01", "2022-03-15"] as const),
				cod: pick(random, ["2026-04-15", "2027-03-01", null] as const),
				capacity_mw: 100,
			}),
			as_of: `${day}T00:00:00Z`,
			snapshot_id: at + 1,
		})),
	}));
	return lists.map((each, at) => ({ ...each, before: lists[at - 1]?.rows ?? [] }));
}

/** Everything that queue-ingest says of a list: the requests, their states, and of `before` the states that end; each request is in both. */
export function deliveries(rows: readonly ProjectChanged[], before: readonly ProjectChanged[] = []): Delivery[] {
	const ends = new Map(rows.map(({ project: { id }, as_of }) => [id, as_of]));
	return [
		...rows.map((row) => project(row)),
		...before.map((row) => state(stateEvent(row, ends.get(row.project.id) ?? null))),
		...rows.map((row) => state(stateEvent(row, null))),
		...rows.slice(0, 1).map((row) => list(listEvent(row))),
	];
}
