/** When construction began or begins, as far as it is known. */
import { windSolarEnd } from "./law/end-dates.ts";
import type { TechnologyRule } from "./law/technologies.ts";
import type { CreditInput, LawOptions } from "./types.ts";

export interface Construction {
	/** Stated, not assumed. */
	known: boolean;
	year: number;
	/** First and last day that it may be, `YYYY-MM-DD`: the same where the day is known. */
	first: string;
	last: string;
	/** How it was assumed; null where it is known. */
	assumption: string | null;
}

/** @throws {RangeError} where the stated text is neither a year nor a day of the calendar. */
export function constructionOf(
	input: CreditInput,
	rule: Pick<TechnologyRule, "ending" | "leadYears">,
	law: LawOptions,
): Construction {
	if (input.constructionStart !== null) return stated(input.constructionStart);
	if (rule.ending === "wind_solar" && input.codYear > windSolarEnd.lastPlacedYear) return inTime;
	const years = rule.leadYears;
	const usual = input.codYear - years;
	const today = Number(law.asOf.slice(0, 4));
	if (input.underConstruction && usual > today)
		return assumed(today, `Construction is assumed to have begun in ${today}: the operator reports it.`);
	if (!input.underConstruction && usual < today) return notYet(Math.min(today, input.codYear));
	const distance = years === 1 ? "a year" : `${years} years`;
	return assumed(
		usual,
		`Construction is assumed to begin in ${usual}, ${distance} before the plant is placed in service.`,
	);
}

/** What is not known to have begun is taken to begin now, or in the year of service: the stricter side of rules that tighten by year. */
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

/** Of wind and solar after 2027: whatever credit they have supposes it. */
const inTime: Construction = {
	known: false,
	year: windSolarEnd.lastBegunYear,
	first: `${windSolarEnd.lastBegunYear}-01-01`,
	last: windSolarEnd.lastBegun,
	assumption: `Thresholds are those of construction begun by ${windSolarEnd.lastBegun}, without which no credit is left.`,
};
