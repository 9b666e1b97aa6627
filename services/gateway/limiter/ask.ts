/** One request as the limiter sees it. */
import { type Month, type Period, periodOf } from "./month.ts";

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
