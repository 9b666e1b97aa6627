/** Reads the values and dates of LBNL's file, which combines the lists of some fifty operators and utilities with their date formats. Pure. */
import type { Status, StudyPhase, utilityQueues } from "#libs/contract/vocabulary.ts";
import { type Cell, date, text } from "#libs/files/values.ts";
import type { StageEvidence } from "../../../sources/source.ts";

/** Meanings of `q_status`. Only the 2020 edition has "completed". Any other value, such as "unknown", means Unknown. */
export const statusMeanings: ReadonlyMap<string, Status> = new Map([
	["active", "Active"],
	["withdrawn", "Withdrawn"],
	["suspended", "Suspended"],
	["operational", "Operational"],
	["completed", "Operational"],
]);

/** Maps former names of utilities to those in editions since 2023 or in the utility's own list. */
const currentNames = new Map([
	["SOCO", "Southern Company"],
	["PSCO", "PSCo"],
	["T-S", "TSGT"],
]);
export const entityOf = (entity: string): string => currentNames.get(entity) ?? entity;

/** Returns the region of a utility's request: the utility itself if it publishes a list. Returns null for an operator's request. */
export function utilityRegionOf(
	entity: string | null,
	region: string | undefined,
): (typeof utilityQueues)[number] | null {
	if (region !== "West" && region !== "Southeast") return null;
	if (/^(duke|dec|dep|def)$/i.test(entity ?? "")) return "DUKE";
	if (/^soco$/i.test(entity ?? "")) return "SOCO";
	if (/^tva$/i.test(entity ?? "")) return "TVA";
	return region === "West" ? "WEST" : "SOUTHEAST";
}

/** Excel turns some request numbers into dates. A CSV shows them with a time or as month/day/year, so both become `YYYY-MM-DD`. */
export function numberOf(number: string | null): string | null {
	const asDay = /^(\d{4}-\d\d-\d\d)[ T]00:00:00$/.exec(number ?? "")?.[1];
	return asDay ?? (/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(number ?? "") ? (date(number) ?? number) : number);
}

/** Restores the leading zeros that codes lose when they are stored as numbers: "1001, 48371" becomes "01001, 48371". */
export function fipsCodes(cell: Cell): string | null {
	const codes = text(cell)?.match(/\d{4,5}/g);
	return codes ? codes.map((code) => code.padStart(5, "0")).join(", ") : null;
}

interface PhaseMeaning {
	phase: StudyPhase | null;
	stage: StageEvidence["stage"];
}

const unstated: PhaseMeaning = { phase: null, stage: "early" };
const studied: PhaseMeaning = { phase: "SIS", stage: "early" };
const facilities: PhaseMeaning = { phase: "Facilities", stage: "mid" };
const negotiated: PhaseMeaning = { phase: "GIA", stage: "late" };
const executed: PhaseMeaning = { phase: "IA Executed", stage: "late" };

/** Meanings of `IA_phase_clean` in all editions, by its `foldCase` form. Some editions repeat the queue status in this column. */
export const phaseMeanings: ReadonlyMap<string, PhaseMeaning> = new Map([
	...[
		"",
		"active",
		"operational",
		"withdrawn",
		"in progress",
		"in progress (unknown study)",
		"combined",
		"terminated",
	].map((word) => [word, unstated] as const),
	["not started", { phase: "Not Started", stage: "early" }],
	["feasibility study", { phase: "Feasibility", stage: "early" }],
	["feasability study", { phase: "Feasibility", stage: "early" }],
	["system impact study", studied],
	["cluster study", studied],
	["facility study", facilities],
	["facilities study", facilities],
	["phase 4 study", facilities],
	["ia pending", negotiated],
	["ia in progress", negotiated],
	["ia draft", negotiated],
	["ia executed", executed],
	["executed", executed],
	["suspended", executed],
	["construction", { phase: "IA Executed", stage: "construction" }],
]);

/** Serial numbers below this are not Excel days: the 2020 edition counts withdrawal dates from 1960, as its statistics program does. */
const firstExcelSerial = 25_569;
const dayMs = 86_400_000;

/**
 * Reads the day in a cell (`YYYY-MM-DD`). In addition to what `date` accepts: "31dec2020", "March 10, 2015", serial numbers written as text,
 * days since 1960, two-digit years of the last century ("7/13/99"), the last of several dates joined by "&", and a year alone, which is read
 * as its July 1. Returns null for anything else.
 */
export function lbnlDate(cell: Cell): string | null {
	if (typeof cell === "number") return fromNumber(cell);
	if (cell instanceof Date) return date(cell);
	const dateText = text(cell)?.split("&").at(-1)?.trim() ?? "";
	if (/^\d{4,5}$/.test(dateText)) return fromNumber(Number(dateText));
	const compact = /^(\d{1,2})([a-z]{3})(\d{4})$/i.exec(dateText);
	if (compact) return date(`${compact[1]}-${compact[2]}-${compact[3]}`);
	const monthFirst = /^([a-z]{3,9})\.? (\d{1,2}), ?(\d{4})$/i.exec(dateText);
	if (monthFirst) return date(`${monthFirst[2]}-${monthFirst[1]}-${monthFirst[3]}`);
	const standardDay = date(dateText);
	return standardDay !== null && /[/-]\d{2}$/.test(dateText) ? correctCentury(standardDay) : standardDay;
}

function fromNumber(value: number): string | null {
	if (value >= 1950 && value <= 2100) return `${value}-07-01`;
	if (value < 10_000) return null;
	return value < firstExcelSerial ? date(new Date(Date.UTC(1960, 0, 1) + Math.floor(value) * dayMs)) : date(value);
}

/** `date` reads the two-digit year "99" as 2099. Years from 2070 on are corrected to the last century. */
function correctCentury(iso: string): string {
	const year = Number(iso.slice(0, 4));
	return year >= 2070 ? `${year - 100}${iso.slice(4)}` : iso;
}
