/** Parses the times of news sources to ISO times in UTC, to the second; null if unreadable. Pure. */
import { monthNames } from "#libs/files/values.ts";

/** Maximum characters that are parsed, which bounds the cost of every pattern below. */
const maxTextLength = 80;

/** Parses GDELT's `20260918T031500Z` and `20260918031500`, both in UTC. */
export function parseCompactTime(stamp: string): string | null {
	const found = /^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)Z?$/.exec(stamp.slice(0, maxTextLength).trim());
	return found && formatIsoTime(found.slice(1).map(Number), 0);
}

/**
 * Parses RFC 3339 and ISO 8601 (also with a space instead of T, or only a day, read as midnight), RFC 822 and its variants (no weekday or
 * a wrong one, two-digit year, full month name, no seconds, `-04:00`, zone names), and the American `Sep 18, 2026 3:15 PM EDT` and
 * `09/18/2026 - 15:15`. Without a zone the time is UTC.
 */
export function parseFeedTime(text: string): string | null {
	const value = text.slice(0, maxTextLength).replace(/\s+/g, " ").trim();
	for (const [form, year, month, day] of forms) {
		const found = form.exec(value);
		if (found) return toIsoTime(found[year], monthOf(found[month]), found[day], found.slice(4));
	}
	return parseCompactTime(value);
}

const clock = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?`;
const zone = String.raw`(?: ?(Z|UTC|[A-Z]{2,4}|(?:UTC|GMT)?[+-]\d\d:?\d\d)(?: ?\([^)]{1,40}\))?)?`;
const isoForm = new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]${clock}${zone})?$`, "i");
const weekday = String.raw`(?:[a-z]{2,9}\.?,? )?`;
const gap = "(?:,| -| at)? ";
const dayFirst = new RegExp(
	String.raw`^${weekday}(\d{1,2})[ -]([a-z]{3,9})\.?[ -](\d{4}|\d\d)(?:${gap}${clock}${zone})?$`,
	"i",
);
const monthFirst = new RegExp(
	String.raw`^${weekday}([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:${gap}${clock}${zone})?$`,
	"i",
);
const slashed = new RegExp(String.raw`^${weekday}(\d{1,2})/(\d{1,2})/(\d{4})(?:${gap}${clock}${zone})?$`, "i");

/** The patterns, and the groups of year, month and day in each. */
const forms: readonly [form: RegExp, year: number, month: number, day: number][] = [
	[isoForm, 1, 2, 3],
	[dayFirst, 3, 2, 1],
	[monthFirst, 3, 1, 2],
	[slashed, 3, 1, 2],
];

function monthOf(name = ""): string {
	return /^\d/.test(name) ? name : String(monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

/** Hours ahead of UTC, for the zones of RFC 822 and some European zones. */
const zoneHours: ReadonlyMap<string, number> = new Map(
	Object.entries({
		z: 0,
		ut: 0,
		utc: 0,
		gmt: 0,
		wet: 0,
		bst: 1,
		cet: 1,
		cest: 2,
		et: -5,
		ct: -6,
		mt: -7,
		pt: -8,
	}).concat(
		Object.entries({ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, hst: -10 }),
	),
);

/** Returns the minutes ahead of UTC. Null for an unknown zone. */
function offsetOf(zone = ""): number | null {
	const found = /^(?:UTC|GMT)?([+-])(\d\d):?(\d\d)$/i.exec(zone);
	if (!found) {
		const hours = zone === "" ? 0 : zoneHours.get(zone.toLowerCase());
		return hours === undefined ? null : hours * 60;
	}
	const minutes = Number(found[2]) * 60 + Number(found[3]);
	if (minutes > 14 * 60) return null;
	return found[1] === "-" ? -minutes : minutes;
}

type Group = string | undefined;

/** `rest`: hour, minute, second, `a` or `p` (am, pm), and zone; each may be undefined. */
function toIsoTime(year: Group, month: Group, day: Group, rest: Group[]): string | null {
	const [hour = "0", minute = "0", second = "0", amOrPm, zoneName] = rest;
	const offset = offsetOf(zoneName);
	const hour24 = amOrPm === undefined ? Number(hour) : toHour24(Number(hour), amOrPm);
	if (offset === null || hour24 === null) return null;
	// A leap second counts as the last second of its minute.
	const seconds = Math.min(Number(second), 59);
	return formatIsoTime([expandYear(year ?? ""), Number(month), Number(day), hour24, Number(minute), seconds], offset);
}

function toHour24(hour: number, amOrPm: string): number | null {
	if (hour < 1 || hour > 12) return null;
	return (hour % 12) + (amOrPm.toLowerCase() === "p" ? 12 : 0);
}

/** RFC 2822 4.3: two digits mean 2000 to 2049 and 1950 to 1999. */
function expandYear(year: string): number {
	if (year.length !== 2) return Number(year);
	return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

/** Returns null for invalid parts (31 February, 25:00), and for years before 1990 or after 2100. */
function formatIsoTime(parts: number[], offsetMinutes: number): string | null {
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
	if (year < 1990 || year > 2100 || hour > 23 || minute > 59 || second > 59) return null;
	const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
	const utc = new Date(local.getTime() - offsetMinutes * 60_000);
	return `${utc.toISOString().slice(0, 19)}Z`;
}
