export interface CalendarDay {
	day: string;
	/** 0: Monday. */
	weekday: number;
	changes: number;
}

const dayMs = 86_400_000;
/** Weeks before this one: a screen of 360 pixels has room for them. */
const fullWeeks = 12;

/** Days (UTC) from a Monday to the day of `now`, each with its number of changes. */
export function calendarDays(rows: readonly { day: string; count: number }[], now: Date): CalendarDay[] {
	const today = Math.floor(now.getTime() / dayMs);
	const weekdayOf = (day: number) => (day + 3) % 7;
	const first = today - weekdayOf(today) - fullWeeks * 7;
	const changes = new Map<string, number>();
	for (const { day, count } of rows) changes.set(day, (changes.get(day) ?? 0) + count);
	return Array.from({ length: today - first + 1 }, (_, at) => {
		const day = new Date((first + at) * dayMs).toISOString().slice(0, 10);
		return { day, weekday: weekdayOf(first + at), changes: changes.get(day) ?? 0 };
	});
}

/** 0 for no change, else 1 to 4 by the logarithm: a first list has thousands of changes, a usual day tens. */
export const levelOf = (changes: number, most: number): number =>
	changes === 0 ? 0 : Math.max(1, Math.ceil((4 * Math.log1p(changes)) / Math.log1p(most)));
