/** Limits of a subject, a request to the limiter, and the calendar periods (UTC) of quotas. */

export interface Limits {
	perMinute: number | null;
	periodQueries: number | null;
	/** Period of `periodQueries`, the same for all calls of a subject. A month when absent. */
	period?: Period;
	windowSeconds?: number;
	/** Number of queries that the request takes; 1 when absent. It is allowed if at least one query is left. */
	queries?: number;
}

export interface LimitRequest {
	subject: string;
	limit: number | null;
	windowSeconds: number;
	/** Undefined if the request does not count against a period. */
	period: CalendarPeriod | undefined;
	periodLimit: number | null;
	queries: number;
	atMs: number;
}

/** A subject and the period in which its queries are counted. */
export type CountedPeriod = Pick<LimitRequest, "subject" | "period">;

/**
 * A decision by Redis or in memory. The outcome is `taken` if the request was allowed; `minute` or `month` if it violates the limit of the window
 * or the period, even if the period is a day. The numbers `taken` (in the window) and `used` (in the period) include an allowed request.
 */
export interface Outcome {
	outcome: "taken" | "minute" | "month";
	taken: number;
	/** The window's limit, or this process's share of it. */
	limit: number;
	resetMs: number;
	used: number | undefined;
}

export function limitRequest(subject: string, limits: Limits, countsPeriod: boolean, at: Date): LimitRequest {
	return {
		subject,
		limit: limits.perMinute,
		windowSeconds: limits.windowSeconds ?? 60,
		period: countsPeriod ? periodOf(limits.period ?? "month", at) : undefined,
		periodLimit: limits.periodQueries,
		queries: limits.queries ?? 1,
		atMs: at.getTime(),
	};
}

export type Period = "month" | "day";

export interface CalendarPeriod {
	/** `2026-11`, or `2026-11-25` for a day. */
	name: string;
	seconds: number;
	/** Time left (s), at least 1. */
	leftSeconds: number;
	/** Start of the next period: `2026-12-01T00:00:00Z`. */
	resetsAt: string;
}

export function periodOf(period: Period, at: Date): CalendarPeriod {
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

export const dayOf = (at: Date): CalendarPeriod => periodOf("day", at);
