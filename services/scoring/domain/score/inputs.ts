/** Derives the inputs of a score from the facts of a request on a day. Pure. */
import { hash } from "node:crypto";
import { type CreditType, existingRights, type RatedDistressLevel } from "#libs/contract/vocabulary.ts";
import { highCostPerKw, largestPlantMw, type ProjectFacts } from "../facts.ts";
import { nearestMonth } from "./chance.ts";
import { hasAgreement, milestoneOf } from "./milestone.ts";
import { toFourDecimals } from "./score.ts";
import type { Exclusion, ScoreInputs } from "./tables.ts";

export interface About {
	credit: { effectiveRate: number; conditional: boolean; type: CreditType | null } | null;
	/** Null if the developer is unknown. `operational` and `withdrawn`: its finished requests in all regions. */
	developer: { distress: RatedDistressLevel | null; operational: number; withdrawn: number } | null;
	/** Interconnection cost (USD per kW); null if none is known. */
	costPerKw: number | null;
	duplicate: boolean;
}

/**
 * In LBNL's data of 2000-2019, 19 % of the requests were built and 77 to 78 % were withdrawn, so one of five finished requests is usually built.
 * This is the prior, which limits the effect of few requests. `above` is twice the usual share, `below` a third of it (none of ten). All regions
 * have the same baseline, because a developer's requests are in several regions.
 */
const completion = { leastFinished: 5, priorBuilt: 1, priorFinished: 5, above: 0.4, below: 0.07 };

export function isScored({ kind, status, exclusion }: Pick<ScoreInputs, "kind" | "status" | "exclusion">): boolean {
	return kind === "generation" && (status === "Active" || status === "Suspended") && exclusion === undefined;
}

export const isOpen = (facts: ProjectFacts): boolean =>
	isScored({ kind: facts.kind, status: facts.status_std }) && exclusionOf(facts) === null;

const built: ReadonlySet<string> = new Set(["operating", "partially_operating", "retired"]);
const existing: ReadonlySet<string> = new Set(existingRights);

/** An excluded request has no score, no chance and no credit. */
function exclusionOf({ plant_state, status_flag, request_class }: ProjectFacts): Exclusion | null {
	if (plant_state === "energized") return "energized";
	if (built.has(plant_state)) return "operating";
	if (status_flag === "void_window") return "void_window";
	return existing.has(request_class) ? "existing_rights" : null;
}

/**
 * Chances count from the day of the list that states the dates (`judgedOn`). `today`: `YYYY-MM-DD`. The names are in order for `hashInputs`.
 * @throws RangeError if `today` is not a day, or the rate is not a fraction
 */
export function inputsOf(facts: ProjectFacts, about: About, today: string): ScoreInputs {
	const { kind, status_std: status } = facts;
	if (today.length !== 10 || Number.isNaN(Date.parse(today)))
		throw new RangeError(`\`today\` must be a date (YYYY-MM-DD), not "${today}"`);
	const day = judgedOn(facts, today);
	// Comparing the dates of an unscored request would only cause it to be recomputed every month.
	const isJudged = isOpen(facts);
	const exclusion = exclusionOf(facts);
	return {
		...(exclusion !== null && { exclusion }),
		capacity: capacityOf(facts.capacity_mw),
		capacity_mw: facts.capacity_mw,
		cod: facts.cod,
		cod_position: isJudged ? positionOf(facts, day, today) : "not_judged",
		...(isJudged && hasAgreement(facts) && constructionReported(facts)),
		credit_conditional: about.credit?.conditional ?? false,
		credit_rate: about.credit === null ? null : fraction(about.credit.effectiveRate, facts.project_id),
		credit_type: about.credit?.type ?? null,
		developer_record: recordOf(about.developer),
		developer_tier: facts.developer_tier,
		distress: about.developer?.distress ?? null,
		duplicate: about.duplicate,
		has_ia: hasAgreement(facts),
		high_ic_cost: isHighCost(about.costPerKw),
		ia_date: facts.ia_date,
		incremental_mw: facts.incremental_mw,
		judged_from: isJudged ? nearestMonth(day) : null,
		kind,
		milestone: milestoneOf(facts),
		region: facts.region,
		stage: facts.construction_stage,
		status,
		technology: facts.type_std,
	};
}

/** SHA-256, in hex, of the inputs as canonical JSON: sorted names, no white space. */
export function hashInputs(inputs: ScoreInputs): string {
	const names = Object.keys(inputs);
	const isSorted = names.every((name, at) => at === 0 || (names[at - 1] ?? "") < name);
	// Sorting the names each time would take a third of the time of a score.
	return hash("sha256", JSON.stringify(inputs, isSorted ? null : names.sort()), "hex");
}

/** Reads only the EIA's monthly lists: a plant that they list as planned may be under construction in the operator's list. */
function constructionReported({ plant_state, plant_state_basis, plant_report, plant_reported_on: on }: ProjectFacts) {
	const isReported = plant_state === "under_construction" && plant_report === "under_construction";
	return (
		isReported && plant_state_basis === "eia_860m" && on !== null && { construction_reported: `${on.slice(0, 7)}-01` }
	);
}

function positionOf(
	{ cod, plant_report, plant_reported_on: reportedOn }: ProjectFacts,
	listDay: string,
	today: string,
): ScoreInputs["cod_position"] {
	if (cod === null) return "none";
	if (cod < listDay) return "past";
	if (cod >= today) return "ahead";
	const isBeingBuilt = plant_report === "under_construction" && reportedOn !== null && reportedOn >= cod;
	return isBeingBuilt ? "overdue" : "passed_since";
}

/** The day from which chances and credits judge dates: that of the list, or today if earlier. `positionOf` compares with today as well. */
export function judgedOn({ facts_as_of: listDay }: Pick<ProjectFacts, "facts_as_of">, today: string): string {
	return listDay !== null && listDay < today ? listDay : today;
}

function isHighCost(perKw: number | null): boolean | null {
	return perKw === null || !(perKw >= 0) ? null : perKw > highCostPerKw;
}

export function recordOf(
	developer: Pick<NonNullable<About["developer"]>, "operational" | "withdrawn"> | null,
): ScoreInputs["developer_record"] {
	if (developer === null) return "too_few";
	const finished = developer.operational + developer.withdrawn;
	// NaN also counts as too few.
	if (!(finished >= completion.leastFinished)) return "too_few";
	const rate = (developer.operational + completion.priorBuilt) / (finished + completion.priorFinished);
	if (rate >= completion.above) return "above";
	return rate <= completion.below ? "below" : "usual";
}

function fraction(rate: number, projectId: string): number {
	if (!(rate >= 0 && rate <= 1))
		throw new RangeError(`${projectId}: the effective credit rate must be from 0 to 1, not ${rate}`);
	return toFourDecimals(rate);
}

function capacityOf(megawatts: number | null): ScoreInputs["capacity"] {
	if (megawatts === null || Number.isNaN(megawatts)) return "missing";
	if (megawatts <= 0) return "not_positive";
	return megawatts > largestPlantMw ? "implausible" : "stated";
}
