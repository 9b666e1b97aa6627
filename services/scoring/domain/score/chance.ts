/**
 * Computes the chance that an open request operates within some months of its list's day, with a discrete-time hazard model: a logistic
 * regression on periods of three months. A request that was withdrawn or vanished counts as not operating in any later period, so that the
 * hazards add up to the share of all requests that is built, not of those that remain. `npm run backtest -- --write` fits the coefficients on
 * past lists. Pure.
 */
import { z } from "zod";
import type { ChanceColumn } from "#libs/contract/operations/scores/score-row.ts";
import { type ChanceName, chanceNames, type chanceReasons, type Region, regions } from "#libs/contract/vocabulary.ts";
import type { Milestone } from "./milestone.ts";

/** The stages of a request, in order, that differ in their chances. */
export const chanceStages = [
	"early",
	"study",
	"last_study",
	"negotiated",
	"agreement_unsecured",
	"agreement",
	"agreement_secured",
	"construction",
	"energized",
] as const;
export type ChanceStage = (typeof chanceStages)[number];

const stages: Readonly<Record<Exclude<Milestone, "suspended">, ChanceStage>> = {
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
	agreement_secured: "agreement_secured",
	construction: "construction",
};

/** Null for a suspended request. ERCOT publishes the approval to energize instead of construction. */
export function chanceStageOf(milestone: Milestone, region: Region): ChanceStage | null {
	if (milestone === "suspended") return null;
	return milestone === "construction" && region === "ERCOT" ? "energized" : stages[milestone];
}

export interface ChanceFacts {
	region: Region;
	stage: ChanceStage;
	technology: string;
	mw: number | null;
	/** Months from the day of the list to the projected date; negative if it has passed; null if none is stated. */
	monthsToCod: number | null;
	/** Months since the agreement was executed; null if its day is not known. */
	agreementMonths: number | null;
}

/** The filed facts on which a chance depends. */
interface Filed {
	region: Region;
	milestone: Milestone;
	technology: string;
	capacity_mw: number | null;
	cod: string | null;
	ia_date: string | null;
}

/** Null for a suspended request. `from`: the day from which the chance counts (see `nearestMonth`). */
export function chanceFactsOf(filed: Filed, from: string): ChanceFacts | null {
	const { region, milestone, technology, capacity_mw: mw, cod, ia_date } = filed;
	const stage = chanceStageOf(milestone, region);
	if (stage === null) return null;
	const monthsToCod = cod === null ? null : monthsFrom(from, cod);
	return {
		region,
		stage,
		technology,
		mw,
		monthsToCod,
		agreementMonths: ia_date === null ? null : monthsFrom(ia_date, from),
	};
}

/** The nearest first day of a month. Chances count from it, so that they change with the request and once a month, not with each list. */
export function nearestMonth(day: string): string {
	const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
	return new Date(Date.UTC(year, day.slice(8) > "15" ? month : month - 1, 1)).toISOString().slice(0, 10);
}

export const monthsFrom = (day: string, later: string): number =>
	(Date.parse(later) - Date.parse(day)) / (86_400_000 * (365.25 / 12));

/** Length of a period (months). */
export const period = 3;
export const longestHorizon = 60;

const technologies = ["Solar", "Storage", "Wind", "Gas"] as const;
/** Operators of nearly all batteries that came into operation; elsewhere few batteries with an agreement did. */
const storageRegions: ReadonlySet<Region> = new Set<Region>(["ERCOT", "CAISO"]);
/** Months relative to the projected date. The logit of the hazard is linear between them. */
const knots = [-36, -24, -12, -6, 0, 6, 12, 24] as const;
/** Every operator except ERCOT, whose early requests define the intercept, has its own level, and another one from the agreement on. */
const otherRegions = regions.filter((region) => region !== "ERCOT");

/** The names of the coefficients, in the order of the file. */
export const terms: readonly string[] = [
	"intercept",
	// A request has the terms of its stage and of all stages before it, so a stage without observed outcomes is like the one before it.
	...chanceStages.slice(1).map((stage) => `from ${stage} on`),
	"log years since the list",
	"years beyond two",
	"log years, before the agreement",
	"log years, construction",
	"no projected date",
	...knots.map((knot) => `years beyond ${knot} months of the projected date`),
	"years that the date has passed",
	"years that the date has passed, energized",
	...technologies.map((name) => `technology ${name}`),
	"technology Storage, neither ERCOT nor CAISO",
	"log MW",
	"log years of the agreement",
	"agreement without a day",
	...otherRegions.map((region) => `operator ${region}`),
	...otherRegions.map((region) => `operator ${region}, agreement`),
];
const termIndex = (name: string): number => terms.indexOf(name);
const lastingIndexes = {
	firstStage: termIndex(`from ${chanceStages[1]} on`),
	noDate: termIndex("no projected date"),
	passed: termIndex("years that the date has passed"),
	passedEnergized: termIndex("years that the date has passed, energized"),
	technology: indexTerms(technologies, (name) => `technology ${name}`),
	storageElsewhere: termIndex("technology Storage, neither ERCOT nor CAISO"),
	size: termIndex("log MW"),
	agreed: termIndex("log years of the agreement"),
	undated: termIndex("agreement without a day"),
	operator: indexTerms(regions, (region) => `operator ${region}`),
	operatorAgreed: indexTerms(regions, (region) => `operator ${region}, agreement`),
};
const passingIndexes = {
	time: termIndex("log years since the list"),
	beyondTwo: termIndex("years beyond two"),
	early: termIndex("log years, before the agreement"),
	building: termIndex("log years, construction"),
	firstKnot: termIndex(`years beyond ${knots[0]} months of the projected date`),
};

/** Index of the term of each value; -1 for the value that the intercept represents. */
function indexTerms<Value extends string>(values: readonly Value[], nameOf: (value: Value) => string) {
	return Object.fromEntries(values.map((value) => [value, termIndex(nameOf(value))])) as Record<Value, number>;
}

/** The first `count` entries are the terms that are not zero: their indexes in `terms`, and their values. */
interface Terms {
	places: Int32Array;
	values: Float64Array;
	count: number;
}
export const noTerms = (): Terms => ({
	places: new Int32Array(terms.length),
	values: new Float64Array(terms.length),
	count: 0,
});

function addTerm(into: Terms, place: number, value: number): void {
	if (place < 0 || value === 0) return;
	into.places[into.count] = place;
	into.values[into.count++] = value;
}

/** Sets the terms that are the same in all periods. */
export function setLastingTerms(facts: ChanceFacts, into: Terms): void {
	const { region, stage, technology, mw, agreementMonths } = facts;
	const monthsToCod = monthsToDue(facts);
	const isAgreed = hasAgreement(stage);
	into.count = 0;
	addTerm(into, 0, 1);
	for (let later = 0; later < chanceStages.indexOf(stage); later++) addTerm(into, lastingIndexes.firstStage + later, 1);
	const passed = monthsToCod === null ? 0 : clamp(-monthsToCod, 0, 36) / 12;
	addTerm(into, lastingIndexes.noDate, monthsToCod === null ? 1 : 0);
	addTerm(into, lastingIndexes.passed, passed);
	addTerm(into, lastingIndexes.passedEnergized, stage === "energized" ? passed : 0);
	const technologyTerm = technologyOf(technology);
	addTerm(into, technologyTerm, 1);
	const isStorageElsewhere = technologyTerm === lastingIndexes.technology.Storage && !storageRegions.has(region);
	addTerm(into, lastingIndexes.storageElsewhere, isStorageElsewhere ? 1 : 0);
	addTerm(into, lastingIndexes.size, Math.log(clamp(mw ?? 150, 1, 2000) / 150));
	addTerm(into, lastingIndexes.operator[region], 1);
	if (!isAgreed) return;
	addTerm(into, lastingIndexes.undated, agreementMonths === null ? 1 : 0);
	addTerm(into, lastingIndexes.agreed, agreementMonths === null ? 0 : Math.log1p(clamp(agreementMonths, 0, 120) / 12));
	addTerm(into, lastingIndexes.operatorAgreed[region], 1);
}

/** A hybrid counts as its first part: "Solar + Storage" is solar. */
function technologyOf(technology: string): number {
	const [first = ""] = technology.split(" + ", 1);
	return first in lastingIndexes.technology
		? lastingIndexes.technology[first as keyof typeof lastingIndexes.technology]
		: -1;
}

/** Adds the terms of the period whose middle is `month` months after the list. */
export function addPassingTerms(facts: ChanceFacts, month: number, into: Terms): void {
	const { stage } = facts;
	const monthsToCod = monthsToDue(facts);
	const years = Math.log(month / 12);
	addTerm(into, passingIndexes.time, years);
	addTerm(into, passingIndexes.beyondTwo, Math.max(0, month - 24) / 12);
	addTerm(into, passingIndexes.early, hasAgreement(stage) ? 0 : years);
	addTerm(into, passingIndexes.building, isBuilding(stage) ? years : 0);
	if (monthsToCod === null) return;
	const beyond = clamp(month - clamp(monthsToCod, -60, 96), -36, 36);
	for (const [index, knot] of knots.entries()) {
		if (beyond <= knot) break;
		addTerm(into, passingIndexes.firstKnot + index, (beyond - knot) / 12);
	}
}

/**
 * A passed date counts as due now if there is no agreement (the studies are late) or the plant is under construction (operators that publish
 * construction seldom update it then): a date that passed long ago is not worse than one that passed recently.
 */
const monthsToDue = ({ stage, monthsToCod }: ChanceFacts): number | null =>
	monthsToCod === null || (hasAgreement(stage) && stage !== "construction") ? monthsToCod : Math.max(0, monthsToCod);

const agreed: ReadonlySet<ChanceStage> = new Set(chanceStages.slice(chanceStages.indexOf("agreement_unsecured")));
export const hasAgreement = (stage: ChanceStage): boolean => agreed.has(stage);
const isBuilding = (stage: ChanceStage): boolean => stage === "construction" || stage === "energized";
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Coefficients: by name in the file, in the order of `terms` when read. */
const coefficients = z
	.record(z.string(), z.number())
	// An operator without past requests has no coefficients, and its requests have no chance.
	.refine((named) => terms.every((name) => name in named || name.startsWith("operator ")), "lacks a term")
	.transform((named) => terms.map((name) => named[name] ?? 0));
export const chanceModel = z.strictObject({
	version: z.int(),
	/** Day of the newest list on which it was fitted. */
	fitted_to: z.string(),
	commercial: coefficients,
	/** Only ERCOT publishes energization. */
	energized: coefficients,
	/** Number of past requests whose outcome was followed for at least a year, by operator and stage. */
	followed: z.record(z.string(), z.record(z.string(), z.int())),
	/** Difference of the chance of operation in 36 months of an operator's requests from that of such requests elsewhere. */
	leads: z.record(z.string(), z.number()),
});
export type ChanceModel = z.output<typeof chanceModel>;

/** Minimum past requests of an operator (in all stages, and in the stage itself) for a chance to be stated. */
const leastOutcomes = { ofOperator: 200, ofStage: 10 };

/** The shares of such requests that operate (or are energized) within each of `horizons` (ascending months, at most 60). */
function sharesWithin(facts: ChanceFacts, fitted: readonly number[], horizons: readonly number[]): number[] {
	const used = noTerms();
	setLastingTerms(facts, used);
	const lastingSum = sum(used, fitted);
	let surviving = 1;
	let begin = 0;
	const survival = (months: number): number => {
		used.count = 0;
		addPassingTerms(facts, begin + period / 2, used);
		// 1 - hazard, for the part of the period that lies within the horizon.
		return (1 + Math.exp(lastingSum + sum(used, fitted))) ** -Math.min(1, (months - begin) / period);
	};
	return horizons.map((horizon) => {
		const months = Math.min(horizon, longestHorizon);
		for (; begin + period <= months; begin += period) surviving *= survival(months);
		return 1 - surviving * (begin < months ? survival(months) : 1);
	});
}

export const shareWithin = (facts: ChanceFacts, fitted: readonly number[], months: number): number =>
	sharesWithin(facts, fitted, [months])[0] ?? 0;

function sum({ places, values, count }: Terms, fitted: readonly number[]): number {
	let total = 0;
	for (let index = 0; index < count; index++) total += (values[index] ?? 0) * (fitted[places[index] ?? 0] ?? 0);
	return total;
}

export interface Chance {
	value: number;
	/** Bounds of the 95 % interval. */
	low: number;
	high: number;
}

export interface Chances extends Record<ChanceName, Chance | null> {
	/** The reason for a missing chance; null if there is a chance. */
	reason: (typeof chanceReasons)[number] | null;
	/** Past requests of the operator in the same stage. */
	n: number;
}

const none = { p_cod_24: null, p_cod_36: null, p_energized_24: null, p_energized_36: null };

/**
 * In November 2024 the EIA listed 584 units of 5 MW and more as under construction, or complete and not yet commercial. A unit counts as
 * operating `months` later if it is neither in the EIA's list of planned units nor among the cancelled ones.
 */
const unitsBuilt = [
	{ months: 15, share: 0.76 },
	{ months: 21, share: 0.84 },
] as const;

/** The share of such units that operate `months` after the list. */
export const builtShare = (months: number): number => unitsBuilt.findLast((row) => row.months <= months)?.share ?? 0;

/** Combines two independent chances: the plant does not operate only if both fail. */
export const combineChances = (chance: number, built: number): number => 1 - (1 - chance) * (1 - built);

/** The number of past requests of the operator in the same stage, and the reason if no chance is stated. `facts` null: suspended. */
export function countComparable(
	facts: ChanceFacts | null,
	region: Region,
	model: ChanceModel,
): Pick<Chances, "reason" | "n"> {
	if (facts === null) return { reason: "suspended", n: 0 };
	const followed = model.followed[region] ?? {};
	const n = followed[facts.stage] ?? 0;
	const all = Object.values(followed).reduce((total, each) => total + each, 0);
	const isEnough = all >= leastOutcomes.ofOperator && n >= leastOutcomes.ofStage;
	return { reason: isEnough ? null : "too_few_outcomes", n };
}

/** `facts` null: suspended. `built`: share of the plants with the same EIA report that operate within the given months. */
export function chancesOf(
	facts: ChanceFacts | null,
	region: Region,
	model: ChanceModel,
	built: (months: number) => number = () => 0,
): Chances {
	const { reason, n } = countComparable(facts, region, model);
	if (facts === null || reason !== null) return { reason, n, ...none };
	const horizons = [24, 36];
	const within = (fitted: readonly number[]) => sharesWithin(facts, fitted, horizons);
	const operating = within(model.commercial).map((share, at) => combineChances(share, built(horizons[at] ?? 0)));
	const [p_cod_24 = null, p_cod_36 = null] = operating.map((share) => withInterval(share, n));
	// Only ERCOT publishes energization.
	const isFiled = region === "ERCOT" && facts.stage !== "energized";
	const [p_energized_24 = null, p_energized_36 = null] = isFiled
		? // An operating plant is energized, but the two models are fitted separately.
			within(model.energized).map((share, at) => withInterval(Math.max(share, operating[at] ?? 0), n))
		: [];
	return { reason: null, n, p_cod_24, p_cod_36, p_energized_24, p_energized_36 };
}

/**
 * Correlation of the outcomes of requests of one stage and year: however many there are, they are worth at most twenty independent ones. The interval is
 * Wilson's for that number.
 */
const correlation = 0.05;
const z95 = 1.96;

export function withInterval(value: number, n: number): Chance {
	const independent = n / (1 + Math.max(0, n - 1) * correlation) + 3;
	const scale = 1 / (1 + z95 ** 2 / independent);
	const middle = (value + z95 ** 2 / (2 * independent)) * scale;
	const half = z95 * scale * Math.sqrt((value * (1 - value)) / independent + z95 ** 2 / (4 * independent ** 2));
	return {
		value: roundChance(value),
		low: roundChance(Math.max(0, middle - half)),
		high: roundChance(Math.min(1, middle + half)),
	};
}

/** Rounds to six decimals, because fewer would make small chances equal. */
const roundChance = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The columns of a row for each chance and its interval. */
export function chanceColumns(chances: Chances | null) {
	const columns = chanceNames.flatMap((name) => {
		const { value = null, low = null, high = null } = chances?.[name] ?? {};
		return [
			[name, value],
			[`${name}_low`, low],
			[`${name}_high`, high],
		] as const;
	});
	return {
		...(Object.fromEntries(columns) as Record<ChanceColumn, number | null>),
		comparable_requests: chances?.n ?? null,
		p_reason: chances?.reason ?? null,
	};
}
