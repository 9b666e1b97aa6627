/** Past requests: what was known of each open one on the day of a list, and what later lists say became of it. */
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import {
	type ChanceFacts,
	chanceFactsOf,
	chanceStageOf,
	monthsFrom,
	nearestMonth,
} from "../../services/scoring/domain/score/chance.ts";
import { milestoneOf } from "../../services/scoring/domain/score/milestone.ts";
import { type Queue, queuesOf } from "./dated-lists.ts";
import { eiaOutcomes } from "./eia-outcomes.ts";
import { type EiaPlant, eiaUntil, readEiaPlants } from "./eia-plants.ts";
import { type Listed, queuedUp2020, readList } from "./lists.ts";
import { inOperatorsWords } from "./queued-up.ts";

export interface Past {
	region: Region;
	key: string;
	/** Day of the list. */
	day: string;
	facts: ChanceFacts;
	commercial: Outcome | null;
	/** The EIA alone says that it operates. */
	byEia: boolean;
	/** A monthly list of the EIA had its plant under construction by the day. */
	isReported: boolean;
	energized: Outcome | null;
	/** Months from that day to each later list of the operator. */
	seen: readonly number[];
}

export interface Outcome {
	/** Months after the day of the list. */
	months: number;
	/** Months to the list that first shows it. */
	shown: number;
}

/** ERCOT's reports between these months tell nearly the same. */
const ercotOrigins: ReadonlySet<string> = new Set(["04", "10"]);

/**
 * Operators whose agreements that file copies with their list. It shows an agreement for 17 of PJM's 1,541 open requests, PJM's own list of
 * 2024 for 425 of 2,823. NYISO's and ERCOT's own lists of those weeks say more.
 */
const copied2020: ReadonlySet<Region> = new Set<Region>(["MISO", "CAISO", "SPP", "ISO-NE"]);

/** NYISO's newest list at hand is of January 2025: of its requests the EIA alone tells what became of them. */
const followedByEia: ReadonlySet<Region> = new Set<Region>(["NYISO"]);

export async function readPast(folder: string): Promise<Past[]> {
	const queuedUp = await readList(folder, queuedUp2020);
	const plants = await readEiaPlants(folder);
	const past: Past[] = [];
	for (const region of regions) {
		const queues: Dated[] = [];
		for (const queue of queuesOf()[region] ?? []) queues.push(await readQueue(folder, queue));
		const copied = queuedUp.filter(({ raw, statusStd }) => raw.region === region && statusStd === "Active");
		const of2020 = copied2020.has(region)
			? [
					dated(
						queuedUp2020.asOf,
						copied.map((request) => inOperatorsWords(request, region)),
					),
				]
			: [];
		for (const [at, origin] of [...of2020, ...queues].entries()) {
			const later = queues.slice(at - of2020.length + 1);
			const isRead = region !== "ERCOT" || ercotOrigins.has(origin.day.slice(5, 7));
			if (later.length > 0 && isRead) past.push(...followed(region, origin, later, plants));
		}
	}
	return past;
}

interface Dated {
	day: string;
	requests: ReadonlyMap<string, Listed[]>;
}

const dated = (day: string, requests: readonly Listed[]): Dated => ({
	day,
	requests: Map.groupBy(requests, ({ key }) => key),
});

async function readQueue(folder: string, { asOf, lists }: Queue): Promise<Dated> {
	const read: Listed[] = [];
	for (const each of lists) read.push(...(await readList(folder, each)));
	return dated(asOf, read);
}

/** Requests whose number repeats in the list are left out: later lists do not say which is which. */
function followed(region: Region, origin: Dated, later: readonly Dated[], plants: readonly EiaPlant[]): Past[] {
	const from = nearestMonth(origin.day);
	const days = later.map(({ day }) => day);
	const seen = (followedByEia.has(region) ? [...days, eiaUntil] : days).map((day) => monthsFrom(from, day));
	const open = [...origin.requests].flatMap(([key, [request, repeated]]) => {
		if (request === undefined || repeated !== undefined || request.partial) return [];
		if (request.kind !== "generation" || request.statusStd !== "Active") return [];
		// ERCOT's details state the phase of each request: without one, it stands in a sheet of updates alone.
		if (region === "ERCOT" && request.studyPhase === null) return [];
		const isOperating = ({ statusStd }: Listed) => statusStd === "Operational";
		return [{ key, request, byOperator: firstOf(from, key, later, isOperating, ({ actualCod }) => actualCod) }];
	});
	const left = open.filter(({ key }) => !isWithdrawn(key, later));
	const rivals = left.map(({ request, byOperator }) => ({ ...request, came: byOperator !== null }));
	const reports = eiaOutcomes(rivals, region, plants, origin.day);
	return open.flatMap(({ key, request, byOperator }): Past[] => {
		const plant = reports.get(key);
		const facts = factsOf(request, region, from);
		if (facts === null) return [];
		// ERCOT's lists state every plant that operates.
		const began = region === "ERCOT" ? null : (plant?.began ?? null);
		const isOther = began === null || (!plant?.isNamed && isAhead(key, later, began));
		const commercial = byOperator ?? (isOther ? null : outcomeOf(from, began));
		const approved = firstOf(
			from,
			key,
			later,
			({ energizedDate }) => energizedDate !== null,
			({ energizedDate }) => energizedDate,
		);
		// A plant in operation is connected, whether or not a report said so before.
		const energized =
			[approved, commercial].filter((each) => each !== null).sort((a, b) => a.shown - b.shown)[0] ?? null;
		const reported = { byEia: byOperator === null && commercial !== null, isReported: plant?.isReported ?? false };
		return [{ region, key, day: origin.day, facts, commercial, energized, seen, ...reported }];
	});
}

const isWithdrawn = (key: string, later: readonly Dated[]): boolean =>
	later.some(({ requests }) => requests.get(key)?.every(({ statusStd }) => statusStd === "Withdrawn"));

/** Without a name, it is another plant where the operator still projects the request half a year after that began. */
const isAhead = (key: string, later: readonly Dated[], began: string): boolean =>
	later.some(
		({ day, requests }) =>
			monthsFrom(began, day) > 6 && requests.get(key)?.some(({ cod }) => cod !== null && cod > day),
	);

/** The EIA states the month, which has passed when it does. */
function outcomeOf(from: string, began: string): Outcome {
	const months = monthsFrom(from, began);
	return { months: months + 0.5, shown: months + 1 };
}

function factsOf(request: Listed, region: Region, from: string): ChanceFacts | null {
	const {
		statusStd,
		constructionStage,
		studyPhase,
		studyPhaseFiled,
		securityPosted,
		typeStd,
		capacityMw,
		cod,
		iaDate,
	} = request;
	const milestone = milestoneOf({
		...{ region, status_std: statusStd, construction_stage: constructionStage, study_phase: studyPhase },
		...{ study_phase_filed: studyPhaseFiled, security_posted: securityPosted },
	});
	if (chanceStageOf(milestone, region) === null) return null;
	return chanceFactsOf({ region, milestone, technology: typeStd, capacity_mw: capacityMw, cod, ia_date: iaDate }, from);
}

/** When it first was so: on the day that the operator states, else halfway between the two lists. */
function firstOf(
	from: string,
	key: string,
	later: readonly Dated[],
	isSo: (request: Listed) => boolean,
	dayOf: (request: Listed) => string | null,
): Outcome | null {
	let before = from;
	for (const { day, requests } of later) {
		const found = requests.get(key)?.find(isSo);
		if (found !== undefined) {
			const stated = dayOf(found);
			const isBetween = stated !== null && stated > from && stated <= day;
			const [since, shown] = [monthsFrom(from, before), monthsFrom(from, day)];
			return { months: isBetween ? monthsFrom(from, stated) : Math.max(0, (since + shown) / 2), shown };
		}
		before = day;
	}
	return null;
}

/** Months for which a request was followed by the day `until`. */
export function followedUntil({ day, seen }: Past, until: string): number {
	const months = monthsFrom(nearestMonth(day), until);
	return seen.findLast((each) => each <= months + 0.1) ?? 0;
}
