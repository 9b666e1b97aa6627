/** Calendars (RFC 5545) of the dates of interconnection requests, as all-day events. */
import { about } from "#libs/contract/documents/about.ts";
import { count, labelOf, power, safeText } from "#libs/contract/documents/text.ts";
import type { Reply } from "#libs/contract/index.ts";

type Row = Reply<"getWatchlist">["data"][number];

/** Date fields that operators publish. No operator publishes the deadline of an agreement, only the day of its signature. */
const dates = ["cod", "ia_date", "backfeed_date", "actual_cod"] as const;

const facts = ["id", "name", "region", "state", "type_std", "capacity_mw", "status_std", "last_changed_at"] as const;
export const calendarFields = [...facts, ...dates] as const;

export const maxRequests = 500;
const maxEvents = 1_000;

interface Calendar {
	name: string;
	rows: readonly Row[];
	/** Number of matching requests. `rows` may be only the first of them. */
	total: number;
}

export function calendarDocument({ name, rows, total }: Calendar, site: string): string {
	const events = rows.flatMap((row) => dates.flatMap((date) => (row[date] === null ? [] : [eventOf(row, date, site)])));
	const isWhole = rows.length === total && events.length <= maxEvents;
	const lines = [
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		`PRODID:-//${about.name}//${about.version}//EN`,
		`X-WR-CALNAME:${escapeText(name)}`,
		...(isWhole
			? []
			: [`X-WR-CALDESC:${escapeText(`Shows only part of ${count(total)} requests: narrow the filters`)}`]),
		...events.slice(0, maxEvents).flat(),
		"END:VCALENDAR",
	];
	return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function eventOf(row: Row, date: (typeof dates)[number], site: string): string[] {
	const { id, name, region, state, type_std, capacity_mw, status_std, last_changed_at } = row;
	const described = [
		region,
		capacity_mw !== null && power(capacity_mw),
		type_std && labelOf(type_std),
		state,
		status_std,
	];
	return [
		"BEGIN:VEVENT",
		`UID:${escapeText(`${date}/${id}`)}`,
		`DTSTAMP:${last_changed_at.replace(/\.\d+/, "").replaceAll(/[-:]/g, "")}`,
		`DTSTART;VALUE=DATE:${row[date]?.replaceAll("-", "")}`,
		`SUMMARY:${escapeText(`${labelOf(date)}: ${name ?? id}`)}`,
		`DESCRIPTION:${escapeText(described.filter(Boolean).join(" · "))}`,
		`CATEGORIES:${escapeText(labelOf(date))}`,
		`URL:${site}/projects/${encodeURIComponent(id)}`,
		"TRANSP:TRANSPARENT",
		"END:VEVENT",
	];
}

/** Escapes a text. Control characters, including line ends, are removed, so that a text cannot begin a new line. */
const escapeText = (text: string): string => safeText(text).replaceAll(/[\\;,]/g, "\\$&");

/** Folds a line after at most 75 octets, as RFC 5545 requires: a continuation line begins with a space. No character is cut. */
function foldLine(line: string): string {
	let text = "";
	let octets = 0;
	for (const character of line) {
		const length = Buffer.byteLength(character);
		if (octets + length > 75) {
			text += "\r\n ";
			octets = 1;
		}
		text += character;
		octets += length;
	}
	return text;
}
