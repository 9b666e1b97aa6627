const dayMs = 86_400_000;
/** Converts a day's number, counted from 1970-01-01, to an ISO day. */
export const dayFromNumber = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
export const dayNumber = (day: string): number => Math.floor(Date.parse(day) / dayMs);

export interface ListDay {
	day: number;
	/** Number of operators with a list of this day. */
	operators: number;
}

/** Days on which any operator has a list, oldest first. */
export function mergeListDays(queues: readonly { list_days: readonly string[] }[]): ListDay[] {
	const operators = new Map<number, number>();
	for (const { list_days } of queues)
		for (const day of list_days) operators.set(dayNumber(day), (operators.get(dayNumber(day)) ?? 0) + 1);
	return [...operators].map(([day, operators]) => ({ day, operators })).sort((one, other) => one.day - other.day);
}

/**
 * The day at which a slider stops when it is moved from one day to another: the next day with a list in that direction, because nothing differs on
 * the days in between. Beyond the last list it is today; before the first list it is the day itself.
 */
export function sliderStop(days: readonly ListDay[], from: number, to: number, today: number): number {
	if (to >= today) return today;
	if (to > from) return days.find(({ day }) => day >= to)?.day ?? today;
	return days.findLast(({ day }) => day <= to)?.day ?? to;
}
