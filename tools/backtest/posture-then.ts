/**
 * The operators' records as they were known then. The table of version 1 was computed on requests up to 2020 as they stood at the end of
 * 2025: it includes the outcomes of the requests under test. Pure.
 */
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import { middlePosture, type ScoreTables } from "../../services/scoring/domain/score/tables.ts";
import type { Case } from "./cohorts.ts";
import type { Listed } from "./lists.ts";

export type Posture = ScoreTables["posture"];

/** Rates of finished requests; null where too few are known. */
interface TrackRecord {
	builtPercent: number;
	/** Median from request to operation; null where the dates are not known. */
	months: number | null;
}

/** Points a percentage point of requests built, and a month from request to operation, as in version 1. */
const perPercent = 1.5;
const perMonth = -0.3;
const bounds = { least: 20, most: 90 };
/** Fewer finished requests tell nothing. */
const leastFinished = 50;

/** Records at the end of 2020. Berkeley Lab's lists of 2020 have no finished request of ERCOT or SPP: these have the middle posture. */
export function postureOf2020(queuedUp: readonly Listed[]): Posture {
	return postureBy((region) => {
		const own = queuedUp.filter(({ raw }) => raw.region === region);
		const built = own.filter(({ statusStd }) => statusStd === "Operational");
		const lost = own.filter(({ statusStd }) => statusStd === "Withdrawn");
		const waits = built.flatMap(({ queueDate, actualCod }) =>
			queueDate === null || actualCod === null ? [] : monthsBetween(queueDate, actualCod),
		);
		waits.sort((a, b) => a - b);
		return recordOf(built.length, lost.length, waits[waits.length >> 1] ?? null);
	});
}

/** Outcomes by 2024 of the open requests of 2020. */
export function postureOf2024(cases: readonly Case[]): Posture {
	return postureBy((region) => {
		const fates = cases.filter(({ facts }) => facts.region === region).map(({ fateBy2024 }) => fateBy2024);
		const count = (wanted: string) => fates.filter((fate) => fate === wanted).length;
		return recordOf(count("built"), count("lost"), null);
	});
}

function recordOf(built: number, lost: number, months: number | null): TrackRecord | null {
	const finished = built + lost;
	return finished < leastFinished ? null : { builtPercent: (100 * built) / finished, months };
}

/** The formula of version 1, centred on the regions' own mean, because a share of the finished is higher than one of all. */
function postureBy(recordIn: (region: Region) => TrackRecord | null): Posture {
	const records = regions.map((region) => ({ region, record: recordIn(region) }));
	const known = records.flatMap(({ record }) => record ?? []);
	const usualPercent = mean(known.map(({ builtPercent }) => builtPercent));
	const usualMonths = mean(known.flatMap(({ months }) => months ?? []));
	const points = (record: TrackRecord | null): number => {
		if (record === null) return middlePosture;
		const slower = (record.months ?? usualMonths) - usualMonths;
		const raw = middlePosture + perPercent * (record.builtPercent - usualPercent) + perMonth * slower;
		return Math.round(Math.min(bounds.most, Math.max(bounds.least, raw)));
	};
	return Object.fromEntries(records.map(({ region, record }) => [region, points(record)]));
}

const monthsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / (86_400_000 * 30.44);

const mean = (values: readonly number[]): number =>
	values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
