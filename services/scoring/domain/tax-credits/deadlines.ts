/** When construction begins, and how much of a credit the end dates leave (signals sheet 6.6, steps 7 and 8). */

import type { CreditStatus } from "#libs/contract/vocabulary.ts";
import { continuity, notice2025_42, phaseDown, windSolarEnd } from "./law/end-dates.ts";
import type { TechnologyRule } from "./law/technologies.ts";
import type { Plant } from "./plant.ts";
import { type Citation, type CreditInput, type LawOptions, rowAt, type Warning } from "./types.ts";

export interface Construction {
	/** Stated or reported, not assumed. */
	known: boolean;
	year: number;
	/** First and last possible day, `YYYY-MM-DD`; equal where the day is known. */
	first: string;
	last: string;
	/** How it was assumed, or who reports it; null where it is stated. */
	assumption: string | null;
}

/** @throws {RangeError} where the stated text is neither a year nor a day of the calendar. */
export function constructionOf(
	input: CreditInput,
	rule: Pick<TechnologyRule, "ending" | "leadYears">,
	law: LawOptions,
): Construction {
	if (input.constructionStart !== null) return stated(input.constructionStart);
	const reported = input.listed?.underConstructionOn ?? null;
	if (rule.ending === "wind_solar") {
		if (reported !== null && reported <= windSolarEnd.lastBegun) return begunBy(reported);
		if (input.codYear > windSolarEnd.lastPlacedYear) return inTime;
	}
	const years = rule.leadYears;
	const usual = input.codYear - years;
	const today = Number(law.asOf.slice(0, 4));
	if (reported !== null && usual > today)
		return assumed(today, `Construction is assumed to have begun in ${today}: the operator reports it.`);
	if (reported === null && usual < today) return notYet(Math.min(today, input.codYear));
	const distance = years === 1 ? "a year" : `${years} years`;
	return assumed(
		usual,
		`Construction is assumed to begin in ${usual}, ${distance} before the plant is placed in service.`,
	);
}

/** A report does not date the beginning of construction, only its latest possible day. */
function begunBy(day: string): Construction {
	const assumption = `Construction has begun by ${day}: the operator or the EIA reports it.`;
	return { known: true, year: Number(day.slice(0, 4)), first: "1900-01-01", last: day, assumption };
}

/** Without a known beginning, construction is assumed to begin now or in the year of service, because rules tighten by year. */
function notYet(year: number): Construction {
	return assumed(year, `Construction is assumed to begin in ${year}: no earlier beginning is known.`);
}

function stated(text: string): Construction {
	const year = Number(text.slice(0, 4));
	if (text.length === 4 && year >= 1900) {
		return { known: true, year, first: `${text}-01-01`, last: `${text}-12-31`, assumption: null };
	}
	const day = new Date(`${text}T00:00:00Z`);
	if (text.length !== 10 || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) {
		throw new RangeError(`constructionStart must be a year or a day such as 2026-07-04, not ${JSON.stringify(text)}`);
	}
	return { known: true, year, first: text, last: text, assumption: null };
}

function assumed(year: number, assumption: string): Construction {
	return { known: false, year, first: `${year}-01-01`, last: `${year}-12-31`, assumption };
}

/** For wind and solar after 2027: whatever credit they have depends on it. */
const inTime: Construction = {
	known: false,
	year: windSolarEnd.lastBegunYear,
	first: `${windSolarEnd.lastBegunYear}-01-01`,
	last: windSolarEnd.lastBegun,
	assumption: `Thresholds are those of construction begun by ${windSolarEnd.lastBegun}, without which no credit is left.`,
};

export interface End {
	status: Extract<CreditStatus, "eligible" | "conditional" | "terminated">;
	factor: number;
	warnings: Warning[];
	citations: Citation[];
}

const lastBegun = windSolarEnd.lastBegun;
const latePlaced = windSolarEnd.lastPlacedYear;
/** After it even construction begun on the last day is outside the safe harbour. */
const lastPresumed = windSolarEnd.lastBegunYear + continuity.years;

const terminated: Warning = {
	code: "TERMINATED",
	message: `Wind and solar whose construction begins after ${lastBegun} and that are placed in service after ${latePlaced} get no credit.`,
};
const terminatedUnknown: Warning = {
	code: "TERMINATED",
	message: `Placed in service after ${lastPresumed} wind and solar would need construction begun by ${lastBegun} and, where no longer period than the usual four years holds (offshore, federal land), proof of continuous work; neither is known, so no credit is counted.`,
};
const conditional: Warning = {
	code: "CONDITIONAL",
	message: `The rate holds only if construction began by ${lastBegun}, which is not known; otherwise nothing is left.`,
};
const conditionalReported: Warning = {
	code: "CONDITIONAL",
	message: `Construction is reported, but not since when; the rate holds only if it began by ${lastBegun}, otherwise nothing is left.`,
};
const conditionalDate: Warning = {
	code: "CONDITIONAL",
	message: `The rate holds only if construction began by ${lastBegun} or the plant is in service by the end of ${latePlaced}; its projected date is no evidence of either, and otherwise nothing is left.`,
};
const yearOnly: Warning = {
	code: "BOC_YEAR_ONLY",
	message: `Only the year of the beginning of construction is given; the credit depends on whether it lies before or after ${lastBegun}.`,
};
const notPresumed: Warning = {
	code: "CONTINUITY",
	message: `Placed in service more than ${continuity.years} years after the year in which construction began: beyond the period in which continuous work is presumed (usually four years, longer offshore and on federal land) it must be proved by facts and circumstances.`,
};
const noticeVacated: Warning = {
	code: "NOTICE_2025_42",
	message:
		"Notice 2025-42, which withdrew the 5 % test of beginning construction, was vacated on 2026-06-06; an appeal could bring it back.",
};
const noticeInForce: Warning = {
	code: "NOTICE_2025_42",
	message:
		"Under Notice 2025-42 paying 5 % of the cost does not begin construction after 2025-09-01: physical work is needed, and longer continuity periods are gone.",
};

export function endOf(
	plant: Plant,
	input: CreditInput,
	capacity: number | null,
	construction: Construction,
	law: LawOptions,
): End {
	if (plant.rule.ending === "phase_down") return phasedDown(construction, input.codYear);
	const isProjectedOnly = input.listed !== null && input.listed.underConstructionOn === null;
	if (input.codYear <= latePlaced && !isProjectedOnly) return cited("eligible", []);
	const end = windOrSolar(input, construction);
	const small = plant.rule.technology === "Solar" && capacity !== null && capacity <= notice2025_42.solarAboveMw;
	if (end.factor > 0 && !small && construction.last >= notice2025_42.begunFrom) {
		end.warnings.push(law.notice_2025_42 === "vacated" ? noticeVacated : noticeInForce);
		end.citations.push(notice2025_42.law);
	}
	return end;
}

/** Last day of service that leaves a credit of wind and solar whose construction is not known to have begun in time. */
export const lastServiceDay = ({ rule }: Plant, { known, last }: Construction): string | null =>
	rule.ending === "wind_solar" && !(known && last <= lastBegun) ? `${latePlaced}-12-31` : null;

function windOrSolar(input: CreditInput, construction: Construction): End {
	if (!construction.known) {
		if (input.codYear > lastPresumed) return cited("terminated", [terminatedUnknown]);
		const isReported = (input.listed?.underConstructionOn ?? null) !== null;
		const byDate = input.codYear <= latePlaced ? conditionalDate : conditional;
		return cited("conditional", [isReported ? conditionalReported : byDate]);
	}
	if (construction.first > lastBegun) return cited("terminated", [terminated]);
	const late = isLate(construction, input.codYear);
	const end =
		construction.last <= lastBegun
			? cited("eligible", late ? [notPresumed] : [])
			: cited("conditional", late ? [conditional, yearOnly, notPresumed] : [conditional, yearOnly]);
	end.citations.push(continuity.law);
	return end;
}

/** More years have passed than the safe harbour presumes to be continuous. */
function isLate(construction: Construction, codYear: number): boolean {
	return construction.known && codYear > construction.year + continuity.years;
}

function cited(status: End["status"], warnings: Warning[]): End {
	return { status, factor: status === "terminated" ? 0 : 1, warnings, citations: [windSolarEnd.law] };
}

function phasedDown(construction: Construction, codYear: number): End {
	const row = rowAt(phaseDown, construction.last);
	if (row === undefined) throw new RangeError(`no row of the phase-down holds on ${construction.last}`);
	const warnings = row.warning === null ? [] : [row.warning];
	const citations = [row.law];
	if (row.factor > 0 && isLate(construction, codYear)) {
		warnings.push(notPresumed);
		citations.push(continuity.law);
	}
	return { status: row.factor > 0 ? "eligible" : "terminated", factor: row.factor, warnings, citations };
}
