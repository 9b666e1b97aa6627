/** Converts an operator's local days and hours to UTC. Days have 23, 24 or 25 hours. Pure. */

export interface LocalHour {
	/** Start of the hour (ms since 1970). */
	startsAt: number;
	/** Local hour, 0 to 23. When the clocks go back, two hours of a day have the same value. */
	wall: number;
}

export interface LocalClock {
	hoursOf(day: string): readonly LocalHour[];
	/** Times (ms since 1970) with this local time: one, two in a repeated hour, none in a skipped hour. */
	timesOf(stamp: LocalStamp): number[];
	dayOf(time: number): string;
}

export interface LocalStamp {
	day: string;
	hour: number;
	minute: number;
	second: number;
}

export const hourMs = 3_600_000;

/** Creates the clock of a time zone west of Greenwich with an offset of whole hours, as all US operators have. */
export function createLocalClock(zone: string): LocalClock {
	const parts = new Intl.DateTimeFormat("en-CA", {
		timeZone: zone,
		...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" },
	});
	const known = new Map<string, readonly LocalHour[]>();
	const wallOf = (time: number): { day: string; hour: number } => {
		const part = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
		return { day: `${part.year}-${part.month}-${part.day}`, hour: Number(part.hour) };
	};
	const hoursOf = (day: string): readonly LocalHour[] => {
		const found = known.get(day) ?? readHours(day, wallOf);
		known.set(day, found);
		return found;
	};
	return {
		hoursOf,
		timesOf: ({ day, hour, minute, second }) =>
			hoursOf(day)
				.filter(({ wall }) => wall === hour)
				.map(({ startsAt }) => startsAt + minute * 60_000 + second * 1_000),
		dayOf: (time) => wallOf(time).day,
	};
}

/** All hours of a day begin within 38 hours after midnight UTC, because the zones are west of Greenwich. */
function readHours(day: string, wallOf: (time: number) => { day: string; hour: number }): LocalHour[] {
	const midnight = Date.parse(`${day}T00:00:00Z`);
	const hours: LocalHour[] = [];
	for (let at = 0; at < 38; at++) {
		const startsAt = midnight + at * hourMs;
		const wall = wallOf(startsAt);
		if (wall.day === day) hours.push({ startsAt, wall: wall.hour });
	}
	return hours;
}

/** Parses `7/18/2022 0:05:00`, `6/1/24 0:00`, `6/16/2025 4:00:00 AM`, `2024/06/01 00:15:00`, `2025-06-16T04:00:00`; returns null for anything else. */
export function readStamp(value: string | null): LocalStamp | null {
	const found =
		/^(?:(\d{4})[/-](\d{1,2})[/-](\d{1,2})|(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2}))[ T](\d{1,2}):(\d\d)(?::(\d\d))?( ?[AP]M)?$/i.exec(
			value ?? "",
		);
	if (found === null) return null;
	const [, year, month, date, usMonth, usDate, usYear = "", hour = "", minute, second = "0", half] = found;
	const day = `${year ?? (usYear.length === 2 ? `20${usYear}` : usYear)}-${pad(month ?? usMonth)}-${pad(date ?? usDate)}`;
	const parsed = new Date(`${day}T00:00:00Z`);
	if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== day) return null;
	const stamp = { day, hour: to24Hour(Number(hour), half), minute: Number(minute), second: Number(second) };
	return stamp.hour > 23 || stamp.minute > 59 || stamp.second > 59 ? null : stamp;
}

const pad = (digits = ""): string => digits.padStart(2, "0");

/** 12 AM is midnight, 12 PM is noon. Returns 24, which callers reject, for an hour that a twelve-hour clock does not have. */
function to24Hour(hour: number, half: string | undefined): number {
	if (half === undefined) return hour;
	if (hour < 1 || hour > 12) return 24;
	return (hour % 12) + (half.trim().toUpperCase() === "PM" ? 12 : 0);
}
