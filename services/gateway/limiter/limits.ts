/** Limits of a subject, one request as the limiter sees it, and the calendar periods (UTC) that quotas count by. */

export interface Limits {
	/** In any window; null: no limit. */
	perMinute: number | null;
	/** Of the month, or of the day; null: no limit. */
	monthlyQueries: number | null;
	/** What that is counted by; a subject has one. A month when absent. */
	period?: Period;
	/** Length of the window (s, 60 when absent). */
	windowSeconds?: number;
	/** How many it counts as in the period, if there is room for one (1 when absent). */
	queries?: number;
}

export interface Ask {
	subject: string;
	/** Of the window; null: none. */
	limit: number | null;
	windowSeconds: number;
	/** Absent when it does not count against the month. */
	month: Month | undefined;
	/** Of the month; null: none. */
	monthly: number | null;
	queries: number;
	atMs: number;
}

/** A period of a subject, whose queries are counted. */
export type Counted = Pick<Ask, "subject" | "month">;

/** A decision, in Redis or in memory. `taken` and `used` include this request if it was admitted. */
export interface Outcome {
	outcome: "taken" | "minute" | "month";
	taken: number;
	/** What of the window's limit is meant: all of it, or this process's share. */
	limit: number;
	resetMs: number;
	/** Undefined: not known. */
	used: number | undefined;
}

export function askOf(subject: string, limits: Limits, month: boolean, at: Date): Ask {
	return {
		subject,
		limit: limits.perMinute,
		windowSeconds: limits.windowSeconds ?? 60,
		month: month ? periodOf(limits.period ?? "month", at) : undefined,
		monthly: limits.monthlyQueries,
		queries: limits.queries ?? 1,
		atMs: at.getTime(),
	};
}

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

export function periodOf(period: Period, at: Date): Month {
	const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
	const [start, end, length] =
		period === "day"
			? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1), "2026-11-25".length]
			: [Date.UTC(year, month), Date.UTC(year, month + 1), "2026-11".length];
	return {
		name: new Date(start).toISOString().slice(0, length),
		seconds: (end - start) / 1000,
		leftSeconds: Math.ceil((end - at.getTime()) / 1000),
		resetsAt: new Date(end).toISOString().replace(".000", ""),
	};
}

export const monthOf = (at: Date): Month => periodOf("month", at);
export const dayOf = (at: Date): Month => periodOf("day", at);
