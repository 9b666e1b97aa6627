/** Calendar months and days in UTC, which quotas are counted by. */
export type Period = "month" | "day";

export interface Month {
	/** `2026-11`. */
	name: string;
	/** How long it is (s). */
	seconds: number;
	/** What is left of it (s), at least 1. */
	leftSeconds: number;
	/** When the next one begins: `2026-12-01T00:00:00Z`. */
	resetsAt: string;
}

export function monthOf(at: Date): Month {
	const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
	const start = Date.UTC(year, month);
	const end = Date.UTC(year, month + 1);
	return {
		name: new Date(start).toISOString().slice(0, 7),
		seconds: (end - start) / 1000,
		leftSeconds: Math.ceil((end - at.getTime()) / 1000),
		resetsAt: new Date(end).toISOString().replace(".000", ""),
	};
}

/** A day is counted by as a month is: `2026-11-25`. */
export function dayOf(at: Date): Month {
	const name = at.toISOString().slice(0, 10);
	const end = Date.parse(name) + 86_400_000;
	return {
		name,
		seconds: 86_400,
		leftSeconds: Math.ceil((end - at.getTime()) / 1000),
		resetsAt: new Date(end).toISOString().replace(".000", ""),
	};
}

export const periodOf = (period: Period, at: Date): Month => (period === "day" ? dayOf(at) : monthOf(at));
