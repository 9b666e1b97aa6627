/**
 * The chance that an open request operates within some months of its list's day: a discrete-time hazard model, a logistic regression on
 * periods of three months. A request that was withdrawn or vanished counts as one that does not operate in any later period, so that the
 * hazards add up to the share that is built, not to the share of those that remain. `npm run backtest -- --write` fits the coefficients
 * on past lists. Pure.
 */
import { z } from "zod";
import type { ChanceColumn } from "#libs/contract/operations/scores/score-row.ts";
import { type ChanceName, chanceNames, type chanceReasons, type Region, regions } from "#libs/contract/vocabulary.ts";
import type { Milestone } from "./milestone.ts";

/** How far a request has come, as far as its chance differs by it, in order. */
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

/** ERCOT publishes no construction, but the approval to energize. Null: suspended. */
export function chanceStageOf(milestone: Milestone, region: Region): ChanceStage | null {
	if (milestone === "suspended") return null;
	return milestone === "construction" && region === "ERCOT" ? "energized" : stages[milestone];
}

export interface ChanceFacts {
	region: Region;
	stage: ChanceStage;
	technology: string;
	mw: number | null;
	/** Months from the day of the list to the projected date, negative if it has passed; null where none is stated. */
	monthsToCod: number | null;
	/** Months since the agreement was executed; null where its day is not known. */
	agreementMonths: number | null;
}

/** The filed facts that a chance depends on. */
export interface Filed {
	region: Region;
	milestone: Milestone;
	technology: string;
	capacity_mw: number | null;
	cod: string | null;
	ia_date: string | null;
}

/** Null for a suspended request. `from`: the day that the chance counts from, as `nearestMonth` answers it. */
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

/** The first day of a month that lies nearest: a chance changes with its request, and once a month, not with each list. */
export function nearestMonth(day: string): string {
	const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
	return new Date(Date.UTC(year, day.slice(8) > "15" ? month : month - 1, 1)).toISOString().slice(0, 10);
}

export const monthsFrom = (day: string, later: string): number =>
	(Date.parse(later) - Date.parse(day)) / (86_400_000 * (365.25 / 12));

/** Months of a period. */
export const period = 3;
export const longestHorizon = 60;

const technologies = ["Solar", "Storage", "Wind", "Gas"] as const;
/** Nearly all batteries that came to operate are theirs; elsewhere few of those with an agreement did. */
const storageRegions: ReadonlySet<Region> = new Set<Region>(["ERCOT", "CAISO"]);
/** Months before and after the projected date between which the hazard changes linearly. */
const knots = [-36, -24, -12, -6, 0, 6, 12, 24] as const;
/** The intercept is of ERCOT's earliest requests; every other operator has its own level, and another from the agreement on. */
const otherRegions = regions.filter((region) => region !== "ERCOT");

/** The names of the coefficients, in the order of the file. */
export const terms: readonly string[] = [
	"intercept",
	// A request has those of its stage and of all before: a stage that was never seen to its end is like the one before it.
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
const lasting = {
	firstStage: termIndex(`from ${chanceStages[1]} on`),
	noDate: termIndex("no projected date"),
	passed: termIndex("years that the date has passed"),
	passedEnergized: termIndex("years that the date has passed, energized"),
	technology: named(technologies, (name) => `technology ${name}`),
	storageElsewhere: termIndex("technology Storage, neither ERCOT nor CAISO"),
	size: termIndex("log MW"),
	agreed: termIndex("log years of the agreement"),
	undated: termIndex("agreement without a day"),
	operator: named(regions, (region) => `operator ${region}`),
	operatorAgreed: named(regions, (region) => `operator ${region}, agreement`),
};
const passing = {
	time: termIndex("log years since the list"),
	beyondTwo: termIndex("years beyond two"),
	early: termIndex("log years, before the agreement"),
	building: termIndex("log years, construction"),
	firstKnot: termIndex(`years beyond ${knots[0]} months of the projected date`),
};

/** Index by value; -1 for the value of the intercept. */
function named<Value extends string>(values: readonly Value[], nameOf: (value: Value) => string) {
	return Object.fromEntries(values.map((value) => [value, termIndex(nameOf(value))])) as Record<Value, number>;
}

/** Terms that are not zero, as pairs of place and value: `count` of them. */
export interface Terms {
	places: Int32Array;
	values: Float64Array;
	count: number;
}
export const noTerms = (): Terms => ({
	places: new Int32Array(terms.length),
	values: new Float64Array(terms.length),
	count: 0,
});

function add(into: Terms, place: number, value: number): void {
	if (place < 0 || value === 0) return;
	into.places[into.count] = place;
	into.values[into.count++] = value;
}

/** Terms that stay the same over all periods. */
export function lastingTerms(facts: ChanceFacts, into: Terms): void {
	const { region, stage, technology, mw, agreementMonths } = facts;
	const monthsToCod = monthsToDue(facts);
	const isAgreed = hasAgreement(stage);
	into.count = 0;
	add(into, 0, 1);
	for (let later = 0; later < chanceStages.indexOf(stage); later++) add(into, lasting.firstStage + later, 1);
	const passed = monthsToCod === null ? 0 : clamp(-monthsToCod, 0, 36) / 12;
	add(into, lasting.noDate, monthsToCod === null ? 1 : 0);
	add(into, lasting.passed, passed);
	add(into, lasting.passedEnergized, stage === "energized" ? passed : 0);
	const technologyTerm = technologyOf(technology);
	add(into, technologyTerm, 1);
	const isStorageElsewhere = technologyTerm === lasting.technology.Storage && !storageRegions.has(region);
	add(into, lasting.storageElsewhere, isStorageElsewhere ? 1 : 0);
	add(into, lasting.size, Math.log(clamp(mw ?? 150, 1, 2000) / 150));
	add(into, lasting.operator[region], 1);
	if (!isAgreed) return;
	add(into, lasting.undated, agreementMonths === null ? 1 : 0);
	add(into, lasting.agreed, agreementMonths === null ? 0 : Math.log1p(clamp(agreementMonths, 0, 120) / 12));
	add(into, lasting.operatorAgreed[region], 1);
}

/** A hybrid counts as its first part: "Solar + Storage" is solar. */
function technologyOf(technology: string): number {
	const [first = ""] = technology.split(" + ", 1);
	return first in lasting.technology ? lasting.technology[first as keyof typeof lasting.technology] : -1;
}

/** Adds the terms of the period whose middle lies `month` months after the list. */
export function passingTerms(facts: ChanceFacts, month: number, into: Terms): void {
	const { stage } = facts;
	const monthsToCod = monthsToDue(facts);
	const years = Math.log(month / 12);
	add(into, passing.time, years);
	add(into, passing.beyondTwo, Math.max(0, month - 24) / 12);
	add(into, passing.early, hasAgreement(stage) ? 0 : years);
	add(into, passing.building, isBuilding(stage) ? years : 0);
	if (monthsToCod === null) return;
	const beyond = clamp(month - clamp(monthsToCod, -60, 96), -36, 36);
	for (const [index, knot] of knots.entries()) {
		if (beyond <= knot) break;
		add(into, passing.firstKnot + index, (beyond - knot) / 12);
	}
}

/**
 * Before the agreement a date passes because the studies are late, and operators that publish construction seldom move it then: it is due
 * now, and a long time past is no worse.
 */
const monthsToDue = ({ stage, monthsToCod }: ChanceFacts): number | null =>
	monthsToCod === null || (hasAgreement(stage) && stage !== "construction") ? monthsToCod : Math.max(0, monthsToCod);

const agreed: ReadonlySet<ChanceStage> = new Set(chanceStages.slice(chanceStages.indexOf("agreement_unsecured")));
export const hasAgreement = (stage: ChanceStage): boolean => agreed.has(stage);
const isBuilding = (stage: ChanceStage): boolean => stage === "construction" || stage === "energized";
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** By name in the file, in the order of `terms` here. */
const coefficients = z
	.record(z.string(), z.number())
	// An operator without past requests has no coefficients, and its requests no chance.
	.refine((named) => terms.every((name) => name in named || name.startsWith("operator ")), "lacks a term")
	.transform((named) => terms.map((name) => named[name] ?? 0));
export const chanceModel = z.strictObject({
	version: z.int(),
	/** Newest list that it was fitted on. */
	fitted_to: z.string(),
	commercial: coefficients,
	/** ERCOT alone files energization. */
	energized: coefficients,
	/** Past requests by operator and stage, each once, whose outcome was followed for a year or longer. */
	followed: z.record(z.string(), z.record(z.string(), z.int())),
	/** By how much the chance of operation in 36 months of an operator's requests differs from that of such requests elsewhere. */
	leads: z.record(z.string(), z.number()),
});
export type ChanceModel = z.output<typeof chanceModel>;

/** Least past requests of an operator, in all stages and in the stage itself, from which its chances are stated. */
const leastOutcomes = { ofOperator: 200, ofStage: 10 };

/** The share of such requests that operates (or is energized) within each of these months, rising and at most 60. */
export function sharesWithin(facts: ChanceFacts, fitted: readonly number[], horizons: readonly number[]): number[] {
	const used = noTerms();
	lastingTerms(facts, used);
	const lastingSum = sum(used, fitted);
	let waiting = 1;
	let begin = 0;
	const left = (months: number): number => {
		used.count = 0;
		passingTerms(facts, begin + period / 2, used);
		// 1 - hazard, for the part of the period that lies within the horizon.
		return (1 + Math.exp(lastingSum + sum(used, fitted))) ** -Math.min(1, (months - begin) / period);
	};
	return horizons.map((horizon) => {
		const months = Math.min(horizon, longestHorizon);
		for (; begin + period <= months; begin += period) waiting *= left(months);
		return 1 - waiting * (begin < months ? left(months) : 1);
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
	/** Past requests of the operator that had come as far. */
	n: number;
}

const none = { p_cod_24: null, p_cod_36: null, p_energized_24: null, p_energized_36: null };

/**
 * The EIA listed 584 units of 5 MW and more as under construction, or complete and not yet commercial, in November 2024. The share that operates
 * so many months later has left its list of planned units, and is not among the cancelled.
 */
const unitsBuilt = [
	{ months: 15, share: 0.76 },
	{ months: 21, share: 0.84 },
] as const;

/** The share of such units that operates so many months after that list. */
export const builtShare = (months: number): number => unitsBuilt.findLast((row) => row.months <= months)?.share ?? 0;

/** The chance for two independent reasons: the plant fails to operate only if both fail. */
export const withReport = (chance: number, built: number): number => 1 - (1 - chance) * (1 - built);

/** How many past requests of the operator had come as far, and why that states no chance. `facts` null: suspended. */
export function comparableTo(
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

/** `facts` null: suspended. `built`: of the plants with the same report by the EIA, the share that operates within so many months. */
export function chancesOf(
	facts: ChanceFacts | null,
	region: Region,
	model: ChanceModel,
	built: (months: number) => number = () => 0,
): Chances {
	const { reason, n } = comparableTo(facts, region, model);
	if (facts === null || reason !== null) return { reason, n, ...none };
	const horizons = [24, 36];
	const within = (fitted: readonly number[]) => sharesWithin(facts, fitted, horizons);
	const operating = within(model.commercial).map((share, at) => withReport(share, built(horizons[at] ?? 0)));
	const [p_cod_24 = null, p_cod_36 = null] = operating.map((share) => withInterval(share, n));
	// ERCOT alone files energization.
	const isFiled = region === "ERCOT" && facts.stage !== "energized";
	const [p_energized_24 = null, p_energized_36 = null] = isFiled
		? // What operates is energized; the two models are fitted apart.
			within(model.energized).map((share, at) => withInterval(Math.max(share, operating[at] ?? 0), n))
		: [];
	return { reason: null, n, p_cod_24, p_cod_36, p_energized_24, p_energized_36 };
}

/**
 * Requests of one stage and year fall together: however many there are, they bound the chance like at most twenty that do not. Wilson's
 * interval of that many.
 */
const together = 0.05;
const z95 = 1.96;

export function withInterval(value: number, n: number): Chance {
	const independent = n / (1 + Math.max(0, n - 1) * together) + 3;
	const scale = 1 / (1 + z95 ** 2 / independent);
	const middle = (value + z95 ** 2 / (2 * independent)) * scale;
	const half = z95 * scale * Math.sqrt((value * (1 - value)) / independent + z95 ** 2 / (4 * independent ** 2));
	return { value: rounded(value), low: rounded(Math.max(0, middle - half)), high: rounded(Math.min(1, middle + half)) };
}

/** Six decimals: fewer would make ties of small chances. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The columns of a row, each chance with its interval. */
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
