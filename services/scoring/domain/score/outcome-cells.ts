/** The kinds of requests whose outcomes are counted together: how far one has come, and how far ahead its projected date lies. Pure. */
import type { Milestone, ScoreInputs } from "./tables.ts";

/** How far a request has come, least first, as far as outcomes tell apart; suspended ones stand outside this order. */
export const outcomeStages = [
	"early",
	"study",
	"last_study",
	"negotiated",
	"agreement_unsecured",
	"agreement",
	"construction",
	"suspended",
] as const;
export type OutcomeStage = (typeof outcomeStages)[number];

/** Where the projected date lies as seen from the day of the list; `any` is all of them together. */
export const outcomeDates = [
	"past",
	"under_1_year",
	"1_to_2_years",
	"2_to_3_years",
	"over_3_years",
	"none",
	"any",
] as const;
export type OutcomeDate = (typeof outcomeDates)[number];

/** What can have become of an open request by a later list. */
export const outcomeKinds = ["built", "advancing", "waiting", "lost"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Months from the day of a list to the day for which a chance is stated. */
export const horizonMonths = 12;

export const outcomeDefinition =
	"The chance that 12 months after the day of the list the request is built (in operation) or still in the queue and advancing: under construction, or with an executed agreement and a projected date that has not passed by then, and not suspended. Counted in the first list 10 to 18 months later";

const stages: Readonly<Record<Milestone, OutcomeStage>> = {
	unstated: "early",
	not_started: "early",
	feasibility: "early",
	impact_study_pending: "early",
	cluster_phase_1: "early",
	impact_study: "study",
	full_study: "study",
	impact_study_complete: "study",
	cluster_phase_2: "study",
	facilities_study_pjm: "last_study",
	facilities_study: "last_study",
	full_study_complete: "last_study",
	agreement_negotiated: "negotiated",
	agreement_unsecured: "agreement_unsecured",
	agreement_executed: "agreement",
	agreement_secured: "agreement",
	construction: "construction",
	suspended: "suspended",
};

export const outcomeStageOf = (milestone: Milestone): OutcomeStage => stages[milestone];

/** Inputs stored before the distance was one of them say only whether the date lies ahead. */
export function outcomeDateOf({
	cod_distance,
	cod_position,
}: Pick<ScoreInputs, "cod_distance" | "cod_position">): OutcomeDate {
	if (cod_distance !== undefined && cod_distance !== "not_judged") return cod_distance;
	return cod_position === "past" || cod_position === "none" ? cod_position : "any";
}

/** What a later list says of a request; `milestone` is null where it no longer shows it. */
export function outcomeOf(
	later: { status: ScoreInputs["status"]; milestone: Milestone; cod: string | null } | null,
	day: string,
): OutcomeKind {
	if (later === null || later.status === "Withdrawn") return "lost";
	if (later.status === "Operational") return "built";
	const stage = outcomeStageOf(later.milestone);
	if (stage === "construction") return "advancing";
	const isAgreed = stage === "agreement" || stage === "agreement_unsecured";
	return isAgreed && (later.cod === null || later.cod >= day) ? "advancing" : "waiting";
}
