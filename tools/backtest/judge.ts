/** The model on days that it had not seen: fitted on what was known on each, judged by what later lists show. Pure. */
import type { Reply } from "../../libs/contract/index.ts";
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import {
	builtShare,
	type ChanceFacts,
	type ChanceModel,
	type ChanceStage,
	chanceStages,
	combineChances,
	hasAgreement,
	longestHorizon,
	monthsFrom,
	nearestMonth,
	shareWithin,
	terms,
} from "../../services/scoring/domain/score/chance.ts";
import { firstReportDay } from "./eia-plants.ts";
import { type Event, fitHazards, isAtRisk } from "./fit-chance.ts";
import { cannotKnow, limitsOf } from "./limits.ts";
import { followedUntil, type Past } from "./past.ts";
import { auc, type Bin, calibration, mean } from "./statistics.ts";

type Published = Reply<"getScoreBacktest">;
export type FittedModel = Omit<ChanceModel, "commercial" | "energized"> & Record<Event, Record<string, number>>;

/** Later than every list. */
const afterAll = "9999-12-31";
/** ERCOT's reports begin in 2018-12: before, no outcome after two years is known. */
const firstJudged = "2021-01-01";
const horizon = 24;
/** The lists of some operators lie not quite two years apart. */
const leastHorizon = 20;
const tolerance = 1;

interface Judged extends Pick<Past, "region" | "day" | "facts" | "byEia"> {
	months: number;
	chance: number;
	came: boolean;
}

export function fitModel(past: readonly Past[], version: number): FittedModel {
	const named = (fitted: readonly number[]) => Object.fromEntries(terms.map((name, at) => [name, fitted[at] ?? 0]));
	const commercial = fitHazards(past, "commercial", afterAll);
	return {
		version,
		fitted_to: past.map(lastSeen).sort().at(-1) ?? "",
		commercial: named(commercial),
		energized: named(fitHazards(past, "energized", afterAll)),
		followed: followedIn(past),
		leads: leadsIn(past, commercial),
	};
}

function lastSeen({ day, seen }: Past): string {
	const from = Date.parse(nearestMonth(day));
	return new Date(from + Math.round((seen.at(-1) ?? 0) * (365.25 / 12)) * 86_400_000).toISOString().slice(0, 10);
}

/** Requests by operator and stage, each once, that were followed for a year. */
function followedIn(past: readonly Past[]): FittedModel["followed"] {
	const long = past.filter((each) => followedUntil(each, afterAll) >= 12 - tolerance);
	return Object.fromEntries(
		[...Map.groupBy(long, ({ region }) => region)].map(([region, own]) => {
			const stages = Map.groupBy(own, ({ facts }) => facts.stage);
			const counts = [...stages].map(([stage, some]) => [stage, new Set(some.map(({ key }) => key)).size]);
			return [region, Object.fromEntries(counts) as Record<ChanceStage, number>];
		}),
	);
}

function leadsIn(past: readonly Past[], fitted: readonly number[]): Record<string, number> {
	const chance = (facts: ChanceFacts, region: Region) => shareWithin({ ...facts, region }, fitted, 36);
	const known = [...new Set(past.map(({ region }) => region))];
	const leads = known.map((region) => {
		const own = past.filter((each) => each.region === region);
		const newest = own
			.map(({ day }) => day)
			.sort()
			.at(-1);
		const ahead = own
			.filter(({ day }) => day === newest)
			.map(({ facts }) => chance(facts, region) - mean(known.map((other) => chance(facts, other))));
		return [region, Math.round(1000 * mean(ahead)) / 1000];
	});
	return Object.fromEntries(leads);
}

export function judge(past: readonly Past[], version: number): Published {
	const commercial = rolling(past, "commercial");
	const energized = rolling(past, "energized");
	const late = energized.filter(({ facts }) => hasAgreement(facts.stage));
	const days = Map.groupBy(past, ({ region }) => region);
	const operators = [...Map.groupBy(commercial, ({ region }) => region)].map(([region, own]) => ({
		region,
		...groupOf(own),
		by_operator: own.filter(({ came, byEia }) => came && !byEia).length,
		by_eia: own.filter(({ came, byEia }) => came && byEia).length,
	}));
	return {
		score_version: version,
		fitted: [...days].map(([region, own]) => ({
			region,
			from: own.map(({ day }) => day).sort()[0] ?? "",
			to: own.map(lastSeen).sort().at(-1) ?? "",
			requests: new Set(own.map(({ key }) => key)).size,
		})),
		reference: referenceOf(past),
		origins: [...originsOf(past, commercial, "commercial"), ...originsOf(past, energized, "energized")],
		operators,
		overall: groupOf(commercial),
		by_chance: byChance(commercial),
		late_energized: groupOf(late),
		left_out: regions
			.filter((region) => region !== "ERCOT" && days.has(region))
			.flatMap((region) => leftOut(past, region)),
		reported: [...days].flatMap(([region, own]) => reportedIn(past, region, own)),
		cannot_know: cannotKnow,
		limits: limitsOf(operators),
	};
}

/** By tenths of the chance, not of the requests: a reader looks up the chance of a request. */
const byChance = (all: readonly Judged[]): Published["by_chance"] =>
	Array.from({ length: 10 }, (_, tenth) => {
		const own = all.filter(({ chance }) => Math.min(9, Math.floor(10 * chance)) === tenth);
		return {
			...{ from: tenth / 10, to: (tenth + 1) / 10, requests: own.length },
			came: own.filter(({ came }) => came).length,
		};
	});

/** Every request of a day that a later list judges after about two years. */
function rolling(past: readonly Past[], event: Event): Judged[] {
	const fits = new Map<string, number[]>();
	return past.flatMap((each): Judged[] => {
		const months = each.seen.findLast((seen) => seen <= horizon + tolerance) ?? 0;
		if (each.day < firstJudged || months < leastHorizon || !isAtRisk(each, event)) return [];
		const fitted = fits.get(each.day) ?? fitHazards(past, event, each.day);
		fits.set(each.day, fitted);
		return [judged(each, event, fitted, months)];
	});
}

function judged(
	{ facts, region, day, byEia, ...outcomes }: Past,
	event: Event,
	fitted: readonly number[],
	months: number,
): Judged {
	const chance = shareWithin(facts, fitted, months);
	return {
		facts,
		region,
		day,
		byEia,
		months,
		chance,
		came: (outcomes[event]?.shown ?? Number.POSITIVE_INFINITY) <= months + 0.1,
	};
}

function leftOut(past: readonly Past[], region: Region): Published["left_out"] {
	const fitted = fitHazards(
		past.filter((each) => each.region !== region),
		"commercial",
		afterAll,
	);
	const own = past.filter((each) => each.region === region);
	return [...Map.groupBy(own, ({ day }) => day)].flatMap(([day, requests]) => {
		const months = requests[0]?.seen.findLast((seen) => seen <= longestHorizon + tolerance) ?? 0;
		if (months < leastHorizon) return [];
		const { monotone, groups, ...held } = groupOf(requests.map((each) => judged(each, "commercial", fitted, months)));
		return [{ region, from: day, months: tenths(months), ...held }];
	});
}

/** Judges requests whose plant a monthly list of the EIA had under construction, on the operator's first day with such requests. */
function reportedIn(past: readonly Past[], region: Region, own: readonly Past[]): Published["reported"] {
	const reported = own.filter(({ isReported, facts }) => isReported && facts.stage !== "energized");
	const [from] = reported.map(({ day }) => day).sort();
	if (from === undefined) return [];
	const fitted = fitHazards(past, "commercial", from);
	return [true, false].flatMap((agreed) => {
		const some = reported.filter(({ day, facts }) => day === from && hasAgreement(facts.stage) === agreed);
		const months = some[0]?.seen.findLast((seen) => seen <= horizon + tolerance) ?? 0;
		if (months === 0) return [];
		const built = builtShare(Math.round(monthsFrom(firstReportDay, nearestMonth(from)) + months));
		const stated = some.map((each) => judged(each, "commercial", fitted, months));
		return [
			{
				...{ region, from, months: tenths(months), agreed, requests: some.length },
				predicted: rounded(mean(stated.map(({ chance }) => chance))) ?? 0,
				predicted_reported: rounded(mean(stated.map(({ chance }) => combineChances(chance, built)))) ?? 0,
				came: stated.filter(({ came }) => came).length,
			},
		];
	});
}

const originsOf = (past: readonly Past[], all: readonly Judged[], outcome: Event): Published["origins"] =>
	[...Map.groupBy(all, ({ region, day }) => `${region} ${day}`).values()].map((own) => {
		const { region = "ERCOT", day = "", months = 0 } = own[0] ?? {};
		const isOwn = past.some((each) => each.region === region && followedUntil(each, day) > 0);
		const { monotone, groups, ...held } = groupOf(own);
		const { predicted: top_predicted = null, observed: top_observed = null } = groups.at(-1) ?? {};
		const about = { region, outcome, from: day, months: tenths(months), basis: isOwn ? "operator" : "others" } as const;
		return { ...about, ...held, top_predicted, top_observed };
	});

function groupOf(own: readonly Judged[]): Published["overall"] {
	const [chances, came] = [own.map(({ chance }) => chance), own.map((each) => each.came)];
	const groups = calibration(chances, came);
	const distance = groups.reduce((sum, { n, predicted, observed }) => sum + n * Math.abs(predicted - observed), 0);
	const area = (orderOf: (facts: ChanceFacts) => number) =>
		rounded(
			auc(
				own.map(({ facts }) => orderOf(facts)),
				came,
			),
		);
	return {
		requests: own.length,
		predicted: rounded(own.length === 0 ? null : mean(chances)),
		observed: rounded(own.length === 0 ? null : mean(came.map(Number))),
		calibration_error: rounded(own.length === 0 ? null : distance / own.length),
		area: rounded(auc(chances, came)),
		area_by_date: area(({ monthsToCod }) => -(monthsToCod ?? 600)),
		area_by_milestone: area(({ stage }) => chanceStages.indexOf(stage)),
		monotone: groups.every((group, at) => !hasFallen(groups[at - 1] ?? group, group)),
		groups: groups.map(({ n, predicted, observed }) => ({
			n,
			predicted: rounded(predicted) ?? 0,
			observed: rounded(observed) ?? 0,
		})),
	};
}

/** By more than chance explains: two standard errors of the difference of both shares. */
function hasFallen(before: Bin, { n, observed }: Bin): boolean {
	const variance = (before.observed * (1 - before.observed)) / before.n + (observed * (1 - observed)) / n;
	return before.observed - observed > 2 * Math.sqrt(variance);
}

function referenceOf(past: readonly Past[]): Published["reference"] {
	const ercot = past.filter(({ region }) => region === "ERCOT");
	return chanceStages.flatMap((stage) =>
		[12, 24, 36].flatMap((months) => {
			const own = ercot.filter(({ facts, seen }) => facts.stage === stage && (seen.at(-1) ?? 0) >= months - 0.1);
			const share = (event: Event) =>
				rounded(
					mean(
						own.map((each) =>
							(each[event]?.shown ?? 999) <= months + 0.1 || (event === "energized" && stage === "energized") ? 1 : 0,
						),
					),
				) ?? 0;
			return own.length === 0
				? []
				: [{ stage, months, requests: own.length, energized: share("energized"), commercial: share("commercial") }];
		}),
	);
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(1000 * value) / 1000);
const tenths = (value: number): number => Math.round(10 * value) / 10;
