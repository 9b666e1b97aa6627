const dayMs = 86_400_000;
/** Days are numbered from 1970-01-01. */
export const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
export const numberOf = (day: string): number => Math.floor(Date.parse(day) / dayMs);

export interface ListDay {
	day: number;
	/** How many operators have a list. */
	operators: number;
}

/** The oldest first. */
export function listDaysOf(queues: readonly { list_days: readonly string[] }[]): ListDay[] {
	const operators = new Map<number, number>();
	for (const { list_days } of queues)
		for (const day of list_days) operators.set(numberOf(day), (operators.get(numberOf(day)) ?? 0) + 1);
	return [...operators].map(([day, operators]) => ({ day, operators })).sort((one, other) => one.day - other.day);
}

/**
 * Where a slider that is moved from one day to another stops: at the next day with a list in that direction, because the days between
 * are alike; at the present after the last list; and at the day itself before the first.
 */
export function stopOf(days: readonly ListDay[], from: number, to: number, today: number): number {
	if (to >= today) return today;
	if (to > from) return days.find(({ day }) => day >= to)?.day ?? today;
	return days.findLast(({ day }) => day <= to)?.day ?? to;
}
