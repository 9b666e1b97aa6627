/** Reads LBNL's values and dates. Its file combines the lists of some fifty operators and utilities, with their formats of dates. Pure. */
import type { Status, StudyPhase, utilityQueues } from "#libs/contract/vocabulary.ts";
import { type Cell, date, text } from "#libs/files/values.ts";
import type { StageEvidence } from "../../../sources/source.ts";

/** `q_status`; the 2020 edition has "completed". "unknown" and any other value are Unknown. */
export const statusMeanings: ReadonlyMap<string, Status> = new Map([
	["active", "Active"],
	["withdrawn", "Withdrawn"],
	["suspended", "Suspended"],
	["operational", "Operational"],
	["completed", "Operational"],
]);

/** Former names of utilities, with the names in editions since 2023 or in the utility's own list. */
const renamed = new Map([
	["SOCO", "Southern Company"],
	["PSCO", "PSCo"],
	["T-S", "TSGT"],
]);
export const entityOf = (entity: string): string => renamed.get(entity) ?? entity;

/** Region of a utility's request: the utility itself if it publishes a list. Null for an operator's request. */
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

/** Excel turns some numbers into dates, which a CSV shows with a time or as month/day/year. */
export function numberOf(number: string | null): string | null {
	const asDay = /^(\d{4}-\d\d-\d\d)[ T]00:00:00$/.exec(number ?? "")?.[1];
	return asDay ?? (/^\d{1,2}\/\d{1,2}\/\d{4}$/.test(number ?? "") ? (date(number) ?? number) : number);
}

/** Stored as numbers, which lose the leading zero: "1001, 48371" is "01001, 48371". */
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

/** `IA_phase_clean` of all editions, in the form of `foldCase`; some editions repeat the queue status there. */
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

/** Serials below this are not Excel days: the 2020 edition counts withdrawal dates from 1960, as its statistics program does. */
const firstExcelSerial = 25_569;
const day = 86_400_000;

/**
 * The day a cell states (`YYYY-MM-DD`). Beyond `date`: "31dec2020", "March 10, 2015", serials written as text, days since 1960, two-digit
 * years of the last century ("7/13/99"), the later of two dates, and a bare year as its 1 July. Null for anything else.
 */
export function lbnlDate(cell: Cell): string | null {
	if (typeof cell === "number") return fromNumber(cell);
	if (cell instanceof Date) return date(cell);
	const written = text(cell)?.split("&").at(-1)?.trim() ?? "";
	if (/^\d{4,5}$/.test(written)) return fromNumber(Number(written));
	const compact = /^(\d{1,2})([a-z]{3})(\d{4})$/i.exec(written);
	if (compact) return date(`${compact[1]}-${compact[2]}-${compact[3]}`);
	const american = /^([a-z]{3,9})\.? (\d{1,2}), ?(\d{4})$/i.exec(written);
	if (american) return date(`${american[2]}-${american[1]}-${american[3]}`);
	const found = date(written);
	return found !== null && /[/-]\d{2}$/.test(written) ? correctCentury(found) : found;
}

function fromNumber(value: number): string | null {
	if (value >= 1950 && value <= 2100) return `${value}-07-01`;
	if (value < 10_000) return null;
	return value < firstExcelSerial ? date(new Date(Date.UTC(1960, 0, 1) + Math.floor(value) * day)) : date(value);
}

/** Two-digit years read as 2070 or later are of the last century: "99" is 1999. */
function correctCentury(iso: string): string {
	const year = Number(iso.slice(0, 4));
	return year >= 2070 ? `${year - 100}${iso.slice(4)}` : iso;
}
