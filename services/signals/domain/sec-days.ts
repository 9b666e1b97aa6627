/** Days as SEC counts them: in New York, where an index of a day is finished in its evening. Pure. */

const newYork = new Intl.DateTimeFormat("en-US", {
	timeZone: "America/New_York",
	year: "numeric",
	month: "2-digit",
	day: "2-digit",
});

/** `YYYY-MM-DD`. */
export function secDay(moment: Date): string {
	const parts = new Map(newYork.formatToParts(moment).map(({ type, value }) => [type, value]));
	return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

/** `days` may be negative. */
export function addDays(day: string, days: number): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Monday to Friday, from `first` up to, not including, `end`. At most `most`. */
export function workingDays(first: string, end: string, most: number): string[] {
	const days: string[] = [];
	for (let day = first; day < end && days.length < most; day = addDays(day, 1)) {
		const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
		if (weekday !== 0 && weekday !== 6) days.push(day);
	}
	return days;
}
