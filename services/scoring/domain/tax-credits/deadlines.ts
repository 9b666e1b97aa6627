/** Determines when construction begins, and how much of a credit remains after the end dates (signals sheet 6.6, steps 7 and 8). */

import type { CreditStatus } from "#libs/contract/vocabulary.ts";
import { continuity, notice2025_42, phaseDown, windSolarEnd } from "./law/end-dates.ts";
import type { TechnologyRule } from "./law/technologies.ts";
import type { Plant } from "./plant.ts";
import { type Citation, type CreditInput, type LawOptions, rowAt, type Warning } from "./types.ts";

export interface Construction {
	/** Whether the beginning is stated or reported, not assumed. */
	known: boolean;
	year: number;
	/** First and last possible day of the beginning, `YYYY-MM-DD`; equal if the day is known. */
	first: string;
	last: string;
	/** How the beginning was assumed, or who reports it; null if the caller states it. */
	assumption: string | null;
}

/** @throws RangeError if `constructionStart` is neither a year nor a day of the calendar */
export function determineConstruction(
	input: CreditInput,
	rule: Pick<TechnologyRule, "ending" | "leadYears">,
	law: LawOptions,
): Construction {
	if (input.constructionStart !== null) return parseStart(input.constructionStart);
	const reportedOn = input.listed?.underConstructionOn ?? null;
	if (rule.ending === "wind_solar") {
		if (reportedOn !== null && reportedOn <= windSolarEnd.lastBegun) return toReportedConstruction(reportedOn);
		if (input.codYear > windSolarEnd.lastPlacedYear) return constructionInTime;
	}
	const years = rule.leadYears;
	const usualYear = input.codYear - years;
	const today = Number(law.asOf.slice(0, 4));
	if (reportedOn !== null && usualYear > today)
		return assumeYear(today, `Construction is assumed to have begun in ${today}: the operator reports it.`);
	if (reportedOn === null && usualYear < today) return assumeLatestYear(Math.min(today, input.codYear));
	const distance = years === 1 ? "a year" : `${years} years`;
	return assumeYear(
		usualYear,
		`Construction is assumed to begin in ${usualYear}, ${distance} before the plant is placed in service.`,
	);
}

/** A report does not state when construction began, only the latest day on which it may have begun. */
function toReportedConstruction(day: string): Construction {
	const assumption = `Construction has begun by ${day}: the operator or the EIA reports it.`;
	return { known: true, year: Number(day.slice(0, 4)), first: "1900-01-01", last: day, assumption };
}

/** Used if the usual year has passed without a report. Assumes the latest possible year, because the rules become stricter every year. */
function assumeLatestYear(year: number): Construction {
	return assumeYear(year, `Construction is assumed to begin in ${year}: no earlier beginning is known.`);
}

function parseStart(text: string): Construction {
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

function assumeYear(year: number, assumption: string): Construction {
	return { known: false, year, first: `${year}-01-01`, last: `${year}-12-31`, assumption };
}

/** Assumed for wind and solar placed in service after 2027, which have no credit otherwise. */
const constructionInTime: Construction = {
	known: false,
	year: windSolarEnd.lastBegunYear,
	first: `${windSolarEnd.lastBegunYear}-01-01`,
	last: windSolarEnd.lastBegun,
	assumption: `Thresholds are those for construction that began by ${windSolarEnd.lastBegun}; otherwise there is no credit.`,
};

export interface End {
	status: Extract<CreditStatus, "eligible" | "conditional" | "terminated">;
	factor: number;
	warnings: Warning[];
	citations: Citation[];
}

const lastBegun = windSolarEnd.lastBegun;
const lastPlacedYear = windSolarEnd.lastPlacedYear;
/** Last year of service in which the safe harbor covers construction that began on the last day. */
const lastPresumedYear = windSolarEnd.lastBegunYear + continuity.years;

const terminated: Warning = {
	code: "TERMINATED",
	message: `Wind and solar whose construction begins after ${lastBegun} and that are placed in service after ${lastPlacedYear} get no credit.`,
};
const terminatedUnknown: Warning = {
	code: "TERMINATED",
	message: `Wind and solar placed in service after ${lastPresumedYear} get a credit only if construction began by ${lastBegun} and work was continuous. Continuous work need not be proved where a period longer than the usual four years applies (offshore, federal land). Neither is known, so no credit is counted.`,
};
const conditional: Warning = {
	code: "CONDITIONAL",
	message: `The rate applies only if construction began by ${lastBegun}, which is not known; otherwise there is no credit.`,
};
const conditionalReported: Warning = {
	code: "CONDITIONAL",
	message: `Construction is reported, but not the day on which it began. The rate applies only if it began by ${lastBegun}; otherwise there is no credit.`,
};
const conditionalDate: Warning = {
	code: "CONDITIONAL",
	message: `The rate applies only if construction began by ${lastBegun} or the plant is in service by the end of ${lastPlacedYear}; otherwise there is no credit. Its projected date is not evidence of either.`,
};
const yearOnly: Warning = {
	code: "BOC_YEAR_ONLY",
	message: `Only the year in which construction began is given; the credit depends on whether it began by ${lastBegun}.`,
};
const notPresumed: Warning = {
	code: "CONTINUITY",
	message: `The plant is placed in service more than ${continuity.years} years after the year in which construction began. Beyond the period in which continuous work is presumed (usually four years, longer offshore and on federal land), it must be proved by facts and circumstances.`,
};
const noticeVacated: Warning = {
	code: "NOTICE_2025_42",
	message:
		"Notice 2025-42, which withdrew the 5 % safe harbor for the beginning of construction, was vacated on 2026-06-06, so the safe harbor applies again; an appeal could reinstate the notice.",
};
const noticeInForce: Warning = {
	code: "NOTICE_2025_42",
	message:
		"Under Notice 2025-42, paying 5 % of the cost after 2025-09-01 does not begin construction: physical work is needed, and longer continuity periods no longer apply.",
};

export function findEnd(
	plant: Plant,
	input: CreditInput,
	capacity: number | null,
	construction: Construction,
	law: LawOptions,
): End {
	if (plant.rule.ending === "phase_down") return findPhaseDownEnd(construction, input.codYear);
	const isProjectedOnly = input.listed !== null && input.listed.underConstructionOn === null;
	if (input.codYear <= lastPlacedYear && !isProjectedOnly) return createEnd("eligible", []);
	const end = findWindSolarEnd(input, construction);
	const isSmallSolar = plant.rule.technology === "Solar" && capacity !== null && capacity <= notice2025_42.solarAboveMw;
	if (end.factor > 0 && !isSmallSolar && construction.last >= notice2025_42.begunFrom) {
		end.warnings.push(law.notice_2025_42 === "vacated" ? noticeVacated : noticeInForce);
		end.citations.push(notice2025_42.law);
	}
	return end;
}

/**
 * Returns the last day of service on which wind or solar still gets a credit if its construction did not begin in time. Null for other
 * technologies, and if construction is known to have begun in time.
 */
export const findLastServiceDay = ({ rule }: Plant, { known, last }: Construction): string | null =>
	rule.ending === "wind_solar" && !(known && last <= lastBegun) ? `${lastPlacedYear}-12-31` : null;

function findWindSolarEnd(input: CreditInput, construction: Construction): End {
	if (!construction.known) {
		if (input.codYear > lastPresumedYear) return createEnd("terminated", [terminatedUnknown]);
		const isReported = (input.listed?.underConstructionOn ?? null) !== null;
		const unreportedWarning = input.codYear <= lastPlacedYear ? conditionalDate : conditional;
		return createEnd("conditional", [isReported ? conditionalReported : unreportedWarning]);
	}
	if (construction.first > lastBegun) return createEnd("terminated", [terminated]);
	const isServiceLate = isLate(construction, input.codYear);
	const end =
		construction.last <= lastBegun
			? createEnd("eligible", isServiceLate ? [notPresumed] : [])
			: createEnd("conditional", isServiceLate ? [conditional, yearOnly, notPresumed] : [conditional, yearOnly]);
	end.citations.push(continuity.law);
	return end;
}

/** Whether service begins after the years in which the safe harbor presumes continuous work. */
function isLate(construction: Construction, codYear: number): boolean {
	return construction.known && codYear > construction.year + continuity.years;
}

function createEnd(status: End["status"], warnings: Warning[]): End {
	return { status, factor: status === "terminated" ? 0 : 1, warnings, citations: [windSolarEnd.law] };
}

function findPhaseDownEnd(construction: Construction, codYear: number): End {
	const row = rowAt(phaseDown, construction.last);
	if (row === undefined)
		throw new RangeError(`the phase-down table has no row for construction that began by ${construction.last}`);
	const warnings = row.warning === null ? [] : [row.warning];
	const citations = [row.law];
	if (row.factor > 0 && isLate(construction, codYear)) {
		warnings.push(notPresumed);
		citations.push(continuity.law);
	}
	return { status: row.factor > 0 ? "eligible" : "terminated", factor: row.factor, warnings, citations };
}
