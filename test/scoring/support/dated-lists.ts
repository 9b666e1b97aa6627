/** Lists of some days, in which each request changes; the same for a seed. */

import { random as randomBy } from "../../support/file-formats.ts";
import { type Delivery, project } from "./deliver.ts";
import { type ProjectChanged, pick, projectEvent } from "./history.ts";

export const days = ["2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"] as const;

export interface DatedList {
	day: string;
	rows: ProjectChanged[];
}

/** A list of each day: each request as it then was. */
export function history(seed: number, requests = 12): DatedList[] {
	const random = randomBy(seed);
	return days.map((day, at) => ({
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
}

/** Everything that queue-ingest publishes about a list. */
export const deliveries = (rows: readonly ProjectChanged[]): Delivery[] => rows.map((row) => project(row));
