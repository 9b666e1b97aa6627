/** English texts for the codes of the inputs, used in the values of components and in the explanation. */
import type { DeveloperTier, Region } from "#libs/contract/vocabulary.ts";
import type { Chances } from "./chance.ts";
import type { Milestone } from "./milestone.ts";
import type { DeductionKind, ScoreInputs } from "./tables.ts";

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
	high_ic_cost: "interconnection cost above $250/kW",
	duplicate: "likely duplicate of another request",
	distress_high: "developer's distress high",
	distress_elevated: "developer's distress elevated",
};

export function describeDeveloper({ developer_tier, developer_record }: ScoreInputs): string {
	return tierWords[developer_tier] + recordWords[developer_record];
}

/** "operates within 36 months with a chance of 0.62 (0.45 to 0.77), based on 412 ERCOT requests at the same stage". */
export function describeChance(
	{ p_cod_36, n, reason }: Chances,
	{ region, construction_reported: reported }: Pick<ScoreInputs, "region" | "construction_reported">,
): string {
	if (reason === "suspended") return "no chance is stated of a suspended request";
	if (p_cod_36 === null) return `too few past requests of ${region} were followed to state a chance`;
	const [value, low, high] = [p_cod_36.value, p_cod_36.low, p_cod_36.high].map((share) => share.toFixed(2));
	const building =
		reported === undefined ? "" : `, and on plants under construction, as the EIA lists it (${reported.slice(0, 7)})`;
	return `operates within 36 months with a chance of ${value} (${low} to ${high}), based on ${n} ${region} ${n === 1 ? "request" : "requests"} at the same stage${building}`;
}

export function describePosture(lead: number | undefined, region: Region): string {
	if (lead === undefined) return `no usable record of ${region}'s requests`;
	const by = Math.round(100 * lead);
	if (by === 0) return `${region} requests do as well as similar requests elsewhere`;
	const difference = `${Math.abs(by)} percentage ${Math.abs(by) === 1 ? "point" : "points"}`;
	return `${region} requests do ${difference} ${by > 0 ? "better" : "worse"} than similar requests elsewhere`;
}

/** `counted`: the share at which a conditional credit counts. */
export function describeCredit(
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

/** The inputs that are unknown, because no source publishes them. */
export function listUnknown(inputs: ScoreInputs): string[] {
	const unknown: string[] = [];
	if (inputs.milestone === "unstated") unknown.push("stage of study");
	if (inputs.milestone === "agreement_executed") unknown.push("whether security is posted");
	if (inputs.credit_rate === null) unknown.push("tax credit");
	if (inputs.developer_tier === "unknown") unknown.push("developer tier");
	if (inputs.distress === null) unknown.push("developer's distress");
	if (inputs.high_ic_cost === null) unknown.push("interconnection cost");
	if (inputs.capacity !== "stated") unknown.push(capacityWords[inputs.capacity]);
	return unknown;
}

const capacityWords: Readonly<Record<Exclude<ScoreInputs["capacity"], "stated">, string>> = {
	missing: "capacity",
	not_positive: "capacity (filed as zero or less)",
	implausible: "capacity (filed as more than 10,000 MW)",
};
