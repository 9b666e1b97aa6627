/** Determines the time of a list. Pure. */
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { date } from "#libs/files/values.ts";

const months = "january february march april may june july august september october november december".split(" ");

/**
 * Returns the day (`YYYY-MM-DD`) in the name of a file or folder; the last part of the path takes precedence. Reads `2025-01-23`,
 * `20240830090927`, `01052026` (MMDDYYYY, as CAISO and NYISO write it), `October2025` (the last day of the month, as ERCOT means it),
 * `2024-07-approx` (the first of the month) and `2020` (the last day of the year). Returns null if no name contains a day.
 */
export const dateInName = (path: string): string | null =>
	findFirst(path.split(/[/\\]/).reverse(), (part) => dayInPart(part) ?? monthInPart(part) ?? yearInPart(part));

/**
 * Returns the day in the name of a list or of its folder, like `dateInName`, but ignores a year, and a month unless the name begins with it.
 */
export const dayInName = (path: string): string | null =>
	findFirst(
		path.split(/[/\\]/).slice(-2).reverse(),
		(part) => dayInPart(part) ?? (/^\d{4}-\d{2}/.test(part) ? monthInPart(part) : null),
	);

function findFirst(parts: readonly string[], read: (part: string) => string | null): string | null {
	for (const part of parts) {
		const found = read(part);
		if (found !== null) return found;
	}
	return null;
}

/**
 * Returns the number of the correction in the name of a file: 2 for `GIS_Report_July_2020_CORRECTION2`, 1 for `_revised` and `_Corrected`, 0 if
 * the name contains none.
 */
export function correctionInName(path: string): number {
	const name = path.split(/[/\\]/).at(-1) ?? "";
	const found = /[_ -](?:revised|revision|corrected|correction)[_ -]?(\d{0,2})(?![a-z\d])/i.exec(name);
	return found === null ? 0 : Number(found[1] || 1);
}

function dayInPart(part: string): string | null {
	const dashed = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(part);
	if (dashed) return toDay(dashed[1], dashed[2], dashed[3]);
	const digits = /(?<!\d)(\d{8})(\d{6})?(?!\d)/.exec(part)?.[1];
	if (digits !== undefined) {
		return (
			toDay(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) ??
			toDay(digits.slice(4), digits.slice(0, 2), digits.slice(2, 4))
		);
	}
	const monthAndYear = new RegExp(`(${months.join("|")})[_ -]?(\\d{4})`, "i").exec(part);
	return monthAndYear
		? lastDay(Number(monthAndYear[2]), months.indexOf((monthAndYear[1] ?? "").toLowerCase()) + 1)
		: null;
}

function monthInPart(part: string): string | null {
	const month = /(?<!\d)(20\d{2})-(\d{2})(?!\d)/.exec(part);
	return month ? toDay(month[1], month[2], "01") : null;
}

function yearInPart(part: string): string | null {
	const year = /(?<!\d)(20\d{2})(?!\d)/.exec(part);
	return year ? `${year[1]}-12-31` : null;
}

function lastDay(year: number, month: number): string {
	return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function toDay(year = "", month = "", day = ""): string | null {
	const parsed = new Date(`${year}-${month}-${day}T00:00:00Z`);
	const isPlausibleYear = Number(year) >= 1990 && Number(year) <= 2100;
	return isPlausibleYear && !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(day)
		? `${year}-${month}-${day}`
		: null;
}

/** Parses a snapshot time given by hand or in a file: a day (its midnight, UTC) or an ISO time. Returns null for anything else. */
export function parseTime(value: string): string | null {
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value)) return null;
	const full = value.length === 10 ? `${value}T00:00:00Z` : /(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`;
	const parsed = new Date(full);
	if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(value.slice(0, 8))) return null;
	return parsed.toISOString();
}

/** Returns the time of a downloaded list: the day that it states, or the time of its download if that is earlier or the list states none. */
export function downloadedAsOf(fetchedAt: string, stated: string | null): string {
	const day = parseTime(stated ?? "");
	return day === null || day > fetchedAt ? fetchedAt : day;
}

export const newestOf = (times: readonly string[]): string | undefined => [...times].sort().at(-1);

/** Truncates an ISO time to the second, as in responses and events. */
export const toTheSecond = (iso: string): string => iso.replace(/\.\d+Z$/, "Z");

/** Returns the day on which a workbook was last saved (`YYYY-MM-DD`), from its document properties; null without this property. */
export async function savedOn(bytes: Uint8Array): Promise<string | null> {
	if (!isZip(bytes)) return null;
	const limits = { maxInflatedBytes: 1 << 20, maxEntries: 2000 };
	try {
		const { entries } = await inflateArchive(bytes, (name) => name === "docProps/core.xml", limits);
		const properties = entries.get("docProps/core.xml")?.toString("utf8") ?? "";
		return date(/<dcterms:modified[^>]*>([^<]+)</.exec(properties)?.[1]);
	} catch {
		return null;
	}
}
