export interface CalendarDay {
	day: string;
	/** 0: Monday. */
	weekday: number;
	changes: number;
	/** Whether an operator's list of that day is loaded. Without a list, the number of changes is unknown, not zero. */
	hasList: boolean;
}

/** An operator and the days of its lists, oldest first. */
export interface ListDays {
	region: string;
	list_days: readonly string[];
}

const dayMs = 86_400_000;
/** Number of weeks shown before this one; a screen of 360 pixels has room for them. */
const fullWeeks = 12;
/** A gap between two lists of up to this many days is normal and not mentioned: some operators publish only monthly. */
const normalGapDays = 31;

const dayNumber = (day: string): number => Math.floor(Date.parse(day) / dayMs);

/** Returns the days (UTC) from a Monday to the day of `now`, each with its number of changes. */
export function calendarDays(
	rows: readonly { day: string; count: number }[],
	lists: readonly ListDays[],
	now: Date,
): CalendarDay[] {
	const today = Math.floor(now.getTime() / dayMs);
	const weekdayOf = (day: number) => (day + 3) % 7;
	const first = today - weekdayOf(today) - fullWeeks * 7;
	const changes = new Map<string, number>();
	for (const { day, count } of rows) changes.set(day, (changes.get(day) ?? 0) + count);
	const listDays = new Set(lists.flatMap(({ list_days }) => list_days));
	return Array.from({ length: today - first + 1 }, (_, at) => {
		const day = new Date((first + at) * dayMs).toISOString().slice(0, 10);
		const hasList = changes.has(day) || listDays.has(day);
		return { day, weekday: weekdayOf(first + at), changes: changes.get(day) ?? 0, hasList };
	});
}

/** Returns sentences about days without lists. Operators with the same gap share a sentence. */
export function gapsOf(lists: readonly ListDays[], first: string, last: string): string[] {
	const gaps = lists.flatMap(({ region, list_days }) => {
		const gap = longestGap(list_days, first, last);
		return gap === undefined ? [] : [{ region, gap }];
	});
	return [...Map.groupBy(gaps, ({ gap }) => gap)].map(
		([gap, operators]) => `${operators.map(({ region }) => region).join(", ")}: no list ${gap}.`,
	);
}

function longestGap(days: readonly string[], first: string, last: string): string | undefined {
	const known = days.filter((day) => day <= last);
	const next = days.find((day) => day > last);
	const [earliest] = known;
	if (earliest === undefined) return next === undefined ? `until ${last}` : `before ${next}`;
	if (earliest > first) return `before ${earliest}`;
	const gaps = known.map((from, at) => {
		const to = known[at + 1] ?? next;
		return { from, to, length: dayNumber(to ?? last) - dayNumber(from) };
	});
	const [longest] = gaps.filter(({ to = last }) => to > first).sort((one, other) => other.length - one.length);
	if (longest === undefined || longest.length <= normalGapDays) return undefined;
	const { from, to } = longest;
	return to === undefined ? `since ${from}` : `between ${from} and ${to}`;
}

/** Whether any operator has a list from the `days` days (UTC) that end on `last` (undefined: today). */
export function hasListIn(lists: readonly ListDays[], days: number, last: string | undefined): boolean {
	const end = dayNumber(last ?? new Date().toISOString());
	return lists.some(({ list_days }) => list_days.some((day) => dayNumber(day) > end - days && dayNumber(day) <= end));
}

/**
 * The color level of a day: 0 if there are no changes, otherwise 1 to 4. The scale is logarithmic, because a first list has thousands of changes
 * and a normal day has tens.
 */
export const levelOf = (changes: number, maxChanges: number): number =>
	changes === 0 ? 0 : Math.max(1, Math.ceil((4 * Math.log1p(changes)) / Math.log1p(maxChanges)));
