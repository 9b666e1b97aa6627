/** The rule for investable requests, shared by the field `investable`, its filter and the list. Pure. */
import { type Tag, textOf } from "#libs/contract/filters/project-condition.ts";
import { type InvestableCriteria, investableCriteria, type Region } from "#libs/contract/vocabulary.ts";

/** Facts of a scored request that the rule reads. The table `scores` has columns with these names. */
export interface Candidate {
	/** Active, with an executed agreement, not energized or operating, and a projected date that has not passed, or a plant under construction by a later list of the EIA. */
	eligible: boolean;
	p_cod_36: number | null;
	/** Months from the first of the month nearest to the day of the list to the projected date. */
	cod_months: number | null;
	incremental_mw: number | null;
}

export const neverInvestable: Candidate = { eligible: false, p_cod_36: null, cod_months: null, incremental_mw: null };

export const investableRule =
	"Active, agreement executed, neither energized nor operating, its filed cod not past (or overdue and the plant under construction by a later EIA list) and at most max_months from the month nearest to the day of its list, incremental_mw of at least min_mw, p_cod_36 of at least min_p";

/** How each operator's list states an executed agreement. */
export const executedAgreements: Readonly<Record<Region, string>> = {
	PJM: "status Engineering and Procurement, Under Construction or Partially in Service, or an agreement whose document is posted or that is executed (interconnection, wholesale market participation)",
	MISO: "application status Done, or post-agreement status Under Construction",
	ERCOT: "study phase that ends with IA; without a phase, a day in IA Signed",
	CAISO: "interconnection agreement status Executed, or filed unexecuted",
	NYISO: "status 11 (IA Completed) or later, in a class-year or a cluster queue",
	SPP: "status IA Fully Executed/On Schedule",
	"ISO-NE": "agreement Executed, or filed unexecuted; project status Under Construction",
};

interface Bound {
	of: "p_cod_36" | "cod_months" | "incremental_mw";
	by: keyof InvestableCriteria;
	/** The value is at least the criterion, or at most. */
	is: "least" | "most";
	missed: string;
}

const bounds: readonly Bound[] = [
	{ of: "p_cod_36", by: "min_p", is: "least", missed: "its chance of operating within 36 months is too low" },
	{ of: "cod_months", by: "max_months", is: "most", missed: "its projected date lies too far ahead" },
	{ of: "incremental_mw", by: "min_mw", is: "least", missed: "it adds too little capacity" },
];

/** The bounds that a candidate misses, as clauses. */
export const listMissed = (candidate: Candidate, criteria: InvestableCriteria = investableCriteria): string[] =>
	bounds.filter((bound) => !isWithin(candidate[bound.of], bound.is, criteria[bound.by])).map((bound) => bound.missed);

const isWithin = (value: number | null, is: Bound["is"], limit: number): boolean =>
	value !== null && (is === "least" ? value >= limit : value <= limit);

export const isInvestable = (candidate: Candidate, criteria: InvestableCriteria = investableCriteria): boolean =>
	candidate.eligible && listMissed(candidate, criteria).length === 0;

/** The same rule as an SQL condition on columns with these names. */
export const investableCondition = <F>(sql: Tag<F>, criteria: InvestableCriteria): F =>
	bounds.reduce(
		(all, { of, by, is }) => sql`${all} and ${textOf(sql, `${of} ${is === "least" ? ">=" : "<="}`)} ${criteria[by]}`,
		sql`eligible`,
	);

/**
 * The first of `missedCriteria` that a scored request misses, in SQL; null if it is investable. Reads `scored_requests p` and `scores s`.
 * An active request with an agreement that is not eligible has no usable date.
 */
export const missedCriterion = <F>(sql: Tag<F>, { min_p, max_months, min_mw }: InvestableCriteria): F => sql`
	case
		when s.inputs ->> 'status' <> 'Active' then 'suspended'
		when not (s.inputs ->> 'has_ia')::boolean then 'no_agreement'
		when not p.eligible then case s.inputs ->> 'cod_position'
			when 'none' then 'no_date' when 'past' then 'date_passed' else 'date_passed_since' end
		when p.cod_months > ${max_months} then 'date_too_far'
		when p.incremental_mw is null or p.incremental_mw < ${min_mw} then 'too_small'
		when p.p_cod_36 is null then 'no_chance'
		when p.p_cod_36 < ${min_p} then 'chance_too_low' end`;
