/** Converts single values of EDGAR's files. Implausible values become null. Pure. */
import { date, text } from "#libs/files/values.ts";

export function clip(value: string, max: number): string {
	return value.length > max ? value.slice(0, max) : value;
}

/** Returns the text with single spaces, at most `max` characters. Null if blank. */
export function shortText(value: string | null | undefined, max = 300): string | null {
	return value === null || value === undefined ? null : text(clip(value, max));
}

/** Formats 18 digits, with or without dashes, as `0001234567-24-000001`. Null for anything else. */
export function parseAccessionNumber(value: string | null | undefined): string | null {
	const found = /^(\d{10})-?(\d{2})-?(\d{6})$/.exec(shortText(value) ?? "");
	return found ? `${found[1]}-${found[2]}-${found[3]}` : null;
}

/** Finds the accession number at the beginning of a file name, or of a folder in its path. */
export function findAccessionNumber(name: string): string | null {
	const found = /(?:^|[/\\])(\d{10}-?\d{2}-?\d{6})(?!\d)/.exec(clip(name, 1000));
	return parseAccessionNumber(found?.[1]);
}

/** Returns the company number without leading zeros. Null for anything else. */
export function parseCik(value: string | null | undefined): string | null {
	const found = /^0*([1-9]\d{0,9})$/.exec(shortText(value) ?? "");
	return found?.[1] ?? null;
}

/** Formats `YYYYMMDD`, `YYYY-MM-DD` or `DD-MON-YYYY` as `YYYY-MM-DD`. Null for anything else. */
export function parseDay(value: string | null | undefined): string | null {
	const short = shortText(value, 40);
	return date(short?.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"));
}

/** True from 1990 until a year from now. Filers mistype years: 0023, 2203. */
export function isPlausibleDay(iso: string, now: Date): boolean {
	const limit = new Date(now);
	limit.setUTCFullYear(limit.getUTCFullYear() + 1);
	return iso >= "1990-01-01" && iso <= limit.toISOString().slice(0, 10);
}

const maxAmount = 1e11;

/** Returns whole USD. Null if the amount is unreadable or implausibly large (above 1e11). */
export function parseAmount(value: string): number | null {
	if (!/^\d{1,15}(\.\d{1,4})?$/.test(value)) return null;
	const dollars = Math.round(Number(value));
	return dollars <= maxAmount ? dollars : null;
}

export function parseFlag(value: string | null | undefined): boolean {
	return /^(true|1|yes|y)$/i.test(shortText(value, 10) ?? "");
}
