/** What the words of the inputs are called towards people: in the components' values and in the explanation. */
import type { DeveloperTier } from "#libs/contract/vocabulary.ts";
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

/** "40 % investment tax credit"; `counted` is the share of its worth that a conditional one is given. */
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

/** To two decimals at most. */
function percent(share: number): string {
	return `${Math.round(share * 10_000) / 100} %`;
}

/** What a reader would want to know and no source published; empty where nothing is missing. */
export function unknownWords(inputs: ScoreInputs, postureWithoutRecord: boolean): string[] {
	const unknown: string[] = [];
	if (inputs.milestone === "unstated") unknown.push("stage of study");
	if (inputs.milestone === "agreement_executed") unknown.push("whether security is posted");
	if (inputs.credit_rate === null) unknown.push("tax credit");
	if (inputs.queue_age === "unknown") unknown.push("queue date");
	if (inputs.developer_tier === "unknown") unknown.push("developer tier");
	if (inputs.distress === null) unknown.push("developer's distress");
	if (inputs.high_ic_cost === null) unknown.push("interconnection cost");
	if (inputs.capacity !== "stated") unknown.push(capacityWords[inputs.capacity]);
	if (postureWithoutRecord) unknown.push(`${inputs.region}'s record of finishing requests (the middle is assumed)`);
	return unknown;
}

const capacityWords: Readonly<Record<Exclude<ScoreInputs["capacity"], "stated">, string>> = {
	missing: "capacity",
	not_positive: "capacity (filed as zero or less)",
	implausible: "capacity (filed as more than 10,000 MW)",
};
