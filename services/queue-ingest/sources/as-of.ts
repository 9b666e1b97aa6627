/** Determines the time of a list. Pure. */
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { date } from "#libs/files/values.ts";

const months = "january february march april may june july august september october november december".split(" ");

/**
 * The day that a file's or folder's name states, `YYYY-MM-DD`, the last part of the path first: `2025-01-23`, `20240830090927`, `01052026`
 * (MMDDYYYY, as CAISO and NYISO write it), `October2025` (the month's last day, as ERCOT means it), `2024-07-approx` (the month's first),
 * `2020` (the year's last). Null without a day.
 */
export const dateInName = (path: string): string | null =>
	findFirst(path.split(/[/\\]/).reverse(), (part) => dayInPart(part) ?? monthInPart(part) ?? yearInPart(part));

/**
 * The day that the name of a list or of its folder states, as `dateInName`. A year does not count, nor does a month unless the name begins
 * with it.
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
 * The number of the correction that a file's name states: `GIS_Report_July_2020_CORRECTION2` is the second, `_revised` and `_Corrected`
 * are the first; 0 if it states none.
 */
export function correctionInName(path: string): number {
	const name = path.split(/[/\\]/).at(-1) ?? "";
	const found = /[_ -](?:revised|revision|corrected|correction)[_ -]?(\d{0,2})(?![a-z\d])/i.exec(name);
	return found === null ? 0 : Number(found[1] || 1);
}

function dayInPart(part: string): string | null {
	const dashed = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(part);
	if (dashed) return valid(dashed[1], dashed[2], dashed[3]);
	const digits = /(?<!\d)(\d{8})(\d{6})?(?!\d)/.exec(part)?.[1];
	if (digits !== undefined) {
		return (
			valid(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) ??
			valid(digits.slice(4), digits.slice(0, 2), digits.slice(2, 4))
		);
	}
	const named = new RegExp(`(${months.join("|")})[_ -]?(\\d{4})`, "i").exec(part);
	return named ? lastDay(Number(named[2]), months.indexOf((named[1] ?? "").toLowerCase()) + 1) : null;
}

function monthInPart(part: string): string | null {
	const month = /(?<!\d)(20\d{2})-(\d{2})(?!\d)/.exec(part);
	return month ? valid(month[1], month[2], "01") : null;
}

function yearInPart(part: string): string | null {
	const year = /(?<!\d)(20\d{2})(?!\d)/.exec(part);
	return year ? `${year[1]}-12-31` : null;
}

function lastDay(year: number, month: number): string {
	return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function valid(year = "", month = "", day = ""): string | null {
	const parsed = new Date(`${year}-${month}-${day}T00:00:00Z`);
	const plausible = Number(year) >= 1990 && Number(year) <= 2100;
	return plausible && !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(day)
		? `${year}-${month}-${day}`
		: null;
}

/** A snapshot time as given by hand or by a file: a day (its midnight, UTC) or an ISO time. Null when it is neither. */
export function parseTime(value: string): string | null {
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value)) return null;
	const full = value.length === 10 ? `${value}T00:00:00Z` : /(Z|[+-]\d{2}:\d{2})$/.test(value) ? value : `${value}Z`;
	const parsed = new Date(full);
	if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(value.slice(0, 8))) return null;
	return parsed.toISOString();
}

/** A downloaded list is as of the day that it states, or of its download if that is earlier or the list states none. */
export function downloadedAsOf(fetchedAt: string, stated: string | null): string {
	const day = parseTime(stated ?? "");
	return day === null || day > fetchedAt ? fetchedAt : day;
}

export const newestOf = (times: readonly string[]): string | undefined => [...times].sort().at(-1);

/** An ISO time to the second, as in responses and events. */
export const toTheSecond = (iso: string): string => iso.replace(/\.\d+Z$/, "Z");

/** The day on which a workbook was last saved, from its document properties (`YYYY-MM-DD`). Null without such a property. */
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
