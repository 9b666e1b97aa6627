/** Calendar months (UTC), for which quotas are counted. */
import { isDay } from "#libs/contract/params.ts";

/** `YYYY-MM`. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Whether the text is a calendar month, `YYYY-MM`. */
export const isMonth = (text: string): boolean => isDay(firstDayOf(text));

export const firstDayOf = (month: string): string => `${month}-01`;

export function daysOf(month: string): string[] {
	const first = new Date(`${firstDayOf(month)}T00:00:00Z`);
	const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
	return Array.from({ length: count }, (_, place) => `${month}-${String(place + 1).padStart(2, "0")}`);
}
