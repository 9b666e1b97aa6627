/** Moments as news sources write them, as ISO in UTC to the second. Null for what cannot be read. Pure. */

/** Longer text is no date. Keeps every expression below cheap. */
const maxLength = 80;

/** GDELT's `20260918T031500Z` and `20260918031500`, both UTC. */
export function compactMoment(stamp: string): string | null {
	const found = /^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)Z?$/.exec(stamp.slice(0, maxLength).trim());
	if (!found) return null;
	const [, year, month, day, hour, minute, second] = found.map(Number);
	return moment({ year, month, day, hour, minute, second }, 0);
}

/**
 * The moment of a feed: RFC 3339 and ISO 8601 (also with a blank for the T, or the day alone: midnight), RFC 822 and
 * what is made of it (no weekday or a wrong one, two-digit year, month in full, no seconds, `-04:00`, zone names), and
 * the American `Sep 18, 2026 3:15 PM EDT` and `09/18/2026 - 15:15`. Without a zone it is taken for UTC.
 */
export function feedMoment(written: string): string | null {
	const value = written.slice(0, maxLength).replace(/\s+/g, " ").trim();
	return isoMoment(value) ?? wordedMoment(value) ?? slashedMoment(value) ?? compactMoment(value);
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

function isoMoment(value: string): string | null {
	const found = isoForm.exec(value);
	return found ? clocked(found[1], found[2], found[3], found.slice(4)) : null;
}

function wordedMoment(value: string): string | null {
	const first = dayFirst.exec(value);
	if (first) return clocked(first[3], monthOf(first[2]), first[1], first.slice(4));
	const second = monthFirst.exec(value);
	return second ? clocked(second[3], monthOf(second[1]), second[2], second.slice(4)) : null;
}

function slashedMoment(value: string): string | null {
	const found = slashed.exec(value);
	return found ? clocked(found[3], found[1], found[2], found.slice(4)) : null;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function monthOf(name = ""): string {
	return String(monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

/** Hours that a named zone is ahead of UTC: those of RFC 822, and Europe's. */
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

/** Minutes ahead of UTC; null for an unknown zone. */
function offsetOf(written = ""): number | null {
	const found = /^(?:UTC|GMT)?([+-])(\d\d):?(\d\d)$/i.exec(written);
	if (!found) {
		const hours = written === "" ? 0 : zoneHours.get(written.toLowerCase());
		return hours === undefined ? null : hours * 60;
	}
	const minutes = Number(found[2]) * 60 + Number(found[3]);
	if (minutes > 14 * 60) return null;
	return found[1] === "-" ? -minutes : minutes;
}

type Part = string | undefined;

/** `rest`: hour, minute, second, `a` or `p`, zone, each undefined where the source leaves it out. */
function clocked(year: Part, month: Part, day: Part, rest: Part[]): string | null {
	const [hour = "0", minute = "0", second = "0", half, zoneName] = rest;
	const offset = offsetOf(zoneName);
	const hour24 = half === undefined ? Number(hour) : hourOf(Number(hour), half);
	if (offset === null || hour24 === null) return null;
	// A leap second is the last one of its minute.
	const parts = { day: Number(day), hour: hour24, minute: Number(minute), second: Math.min(Number(second), 59) };
	return moment({ ...parts, year: century(year ?? ""), month: Number(month) }, offset);
}

function hourOf(hour: number, half: string): number | null {
	if (hour < 1 || hour > 12) return null;
	return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

/** RFC 2822 4.3: two digits are 2000 to 2049 and 1950 to 1999. */
function century(year: string): number {
	if (year.length !== 2) return Number(year);
	return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

interface Parts {
	year: number | undefined;
	month: number | undefined;
	day: number | undefined;
	hour: number | undefined;
	minute: number | undefined;
	second: number | undefined;
}

/** Null for 31 February, 25:00, and years in which there were no news on the web or will be none of ours. */
function moment(parts: Parts, offsetMinutes: number): string | null {
	const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
	if (year < 1990 || year > 2100 || hour > 23 || minute > 59 || second > 59) return null;
	const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
	const utc = new Date(local.getTime() - offsetMinutes * 60_000);
	return `${utc.toISOString().slice(0, 19)}Z`;
}
