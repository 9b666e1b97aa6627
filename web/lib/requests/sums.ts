interface Row {
	status_std: string;
	capacity_mw: number | null;
}

export interface StatusSum {
	status: string;
	projects: number;
	mw: number;
	unstated: number;
}

/** The order in which charts stack statuses. */
export const statusOrder = ["Operational", "Active", "Suspended", "Unknown", "Withdrawn"];

export const sumByStatus = (rows: readonly Row[]): StatusSum[] =>
	[...Map.groupBy(rows, ({ status_std }) => status_std)]
		.map(([status, own]) => ({
			status,
			projects: own.length,
			mw: sumMw(own),
			unstated: own.filter(({ capacity_mw }) => capacity_mw === null).length,
		}))
		.toSorted((a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status));

/** Rounds to three decimals, as the service does. */
export const sumMw = (rows: readonly Pick<Row, "capacity_mw">[]): number =>
	Math.round(rows.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0) * 1_000) / 1_000;

export function median(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
	const [lower, upper] = [known[Math.ceil(known.length / 2) - 1], known[Math.floor(known.length / 2)]];
	return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}
