/** The codes of the inputs in English, for the components' values and the explanation. */
import type { DeveloperTier, Region } from "#libs/contract/vocabulary.ts";
import { type Chance, horizonMonths, type OutcomeCell, type OutcomeDate, type OutcomeStage } from "./outcomes.ts";
import type { DeductionKind, Milestone, ScoreInputs } from "./tables.ts";

export const milestoneWords: Readonly<Record<Milestone, string>> = {
	unstated: "stage of study not published",
	not_started: "application, no study begun",
	feasibility: "feasibility or screening study",
	impact_study_pending: "system impact study pending",
	cluster_phase_1: "first phase of the cluster study",
	impact_study: "system impact study",
	full_study: "full interconnection study under way",
	impact_study_complete: "system impact study complete",
	cluster_phase_2: "second phase of the cluster study",
	facilities_study_pjm: "facilities study",
	facilities_study: "facilities study",
	full_study_complete: "full interconnection study complete",
	agreement_negotiated: "interconnection agreement being negotiated",
	agreement_unsecured: "interconnection agreement executed, no security posted",
	agreement_executed: "interconnection agreement executed",
	agreement_secured: "interconnection agreement executed and secured",
	construction: "under construction",
	suspended: "suspended by its developer",
};

const tierWords: Readonly<Record<DeveloperTier, string>> = {
	major_utility: "major utility",
	major_ipp: "major independent power producer",
	oil_major: "oil and gas major",
	mid_platform: "mid-size platform",
	pe_fund: "investment fund",
	independent: "independent developer",
	unknown: "developer tier unknown",
};

const recordWords: Readonly<Record<ScoreInputs["developer_record"], string>> = {
	above: ", building more of its requests than is usual",
	usual: "",
	below: ", building fewer of its requests than is usual",
	too_few: "",
};

export const deductionWords: Readonly<Record<DeductionKind, string>> = {
	cod_slipped: "projected date slipped 12 months or more within 24",
	cod_past: "projected date past",
	queued_over_4_years: "4 years or more in the queue without an agreement",
	queued_2_to_4_years: "2 to 4 years in the queue without an agreement",
	no_poi: "no point of interconnection",
	not_located: "no county or coordinates",
	no_cod: "no projected date",
	high_ic_cost: "interconnection cost above $250/kW",
	duplicate: "likely duplicate of another request",
	distress_high: "developer's distress high",
	distress_elevated: "developer's distress elevated",
};

export function developerWords({ developer_tier, developer_record }: ScoreInputs): string {
	return tierWords[developer_tier] + recordWords[developer_record];
}

const stageWords: Readonly<Record<OutcomeStage, string>> = {
	early: "requests before their impact study",
	study: "requests in their impact study",
	last_study: "requests in their last study",
	negotiated: "requests that negotiate their agreement",
	agreement_unsecured: "requests with an agreement and no security",
	agreement: "requests with an agreement",
	construction: "requests under construction",
	suspended: "suspended requests",
};

const dateWords: Readonly<Record<OutcomeDate, string>> = {
	past: " and a projected date that has passed",
	under_1_year: " and a projected date within a year",
	"1_to_2_years": " and a projected date one to two years ahead",
	"2_to_3_years": " and a projected date two to three years ahead",
	over_3_years: " and a projected date three years ahead or more",
	none: " without a projected date",
	any: "",
};

export const kindWords = ({ stage, date }: Pick<Chance, "stage" | "date">): string =>
	stageWords[stage] + dateWords[date];

/** "of 115 requests with ... in CAISO 76 were built or advancing after 12 months". */
export function outcomeWords(chance: Chance, region: Region): string {
	const ofOperator = chance.basis === "operator" ? chance.own : null;
	const counted = (cell: OutcomeCell, where: string) =>
		cell.requests === 0
			? `no ${kindWords(chance)} were seen in ${where}`
			: `of ${cell.requests} ${kindWords(chance)} in ${where} ${cell.built + cell.advancing} were built or advancing after ${horizonMonths} months`;
	return ofOperator === null ? counted(chance.pooled, "all regions") : counted(ofOperator, region);
}

export function postureWords({ own, lead }: Chance, region: Region): string {
	if (own === null) return `no usable record of ${region}'s requests`;
	const by = Math.round(100 * lead);
	if (by === 0) return `${region}'s requests fare as such requests do in all regions`;
	return `${region}'s requests fare ${by > 0 ? "better" : "worse"} than such requests do in all regions (by ${Math.abs(by)} of 100)`;
}

/** `counted`: the share of its worth that a conditional credit counts. */
export function creditWords(
	{ credit_rate: rate, credit_type: type, credit_conditional }: ScoreInputs,
	counted: number,
): string {
	if (rate === null) return "tax credit not determined";
	if (rate === 0) return "no tax credit";
	const credit =
		type === "PTC"
			? `production tax credit worth ${percent(rate)} as an investment credit`
			: `${percent(rate)} ${type === "ITC" ? "investment tax credit" : "tax credit"}`;
	if (!credit_conditional) return credit;
	return `${credit}, conditional${counted < 1 ? ` and counted at ${percent(counted)}` : ""}`;
}

function percent(share: number): string {
	return `${Math.round(share * 10_000) / 100} %`;
}

/** Inputs that no source published. `assumed`: in place of the operator's missing record. */
export function unknownWords(inputs: ScoreInputs, assumed: string | null): string[] {
	const unknown: string[] = [];
	if (inputs.milestone === "unstated") unknown.push("stage of study");
	if (inputs.milestone === "agreement_executed") unknown.push("whether security is posted");
	if (inputs.credit_rate === null) unknown.push("tax credit");
	if (inputs.queue_age === "unknown") unknown.push("queue date");
	if (inputs.developer_tier === "unknown") unknown.push("developer tier");
	if (inputs.distress === null) unknown.push("developer's distress");
	if (inputs.high_ic_cost === null) unknown.push("interconnection cost");
	if (inputs.capacity !== "stated") unknown.push(capacityWords[inputs.capacity]);
	if (assumed !== null) unknown.push(`${inputs.region}'s record of finishing requests (${assumed} is assumed)`);
	return unknown;
}

const capacityWords: Readonly<Record<Exclude<ScoreInputs["capacity"], "stated">, string>> = {
	missing: "capacity",
	not_positive: "capacity (filed as zero or less)",
	implausible: "capacity (filed as more than 10,000 MW)",
};
