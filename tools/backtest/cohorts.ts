/** The requests under test: what was known of each on one day, and what became of it. */
import type { Region } from "../../libs/contract/vocabulary.ts";
import { createResolver } from "../../libs/names/resolve.ts";
import { readSeed } from "../../libs/names/seed.ts";
import type { ProjectFacts } from "../../services/scoring/domain/facts.ts";
import {
	judgedRegions,
	type Listed,
	lists2024,
	newestLists,
	nyiso2020,
	queuedUp2020,
	queuedUp2023,
	type Reader,
	tooShort,
} from "./lists.ts";
import { type Fate, fatesOf } from "./outcomes.ts";
import { inOperatorsWords } from "./queued-up.ts";

/**
 * The 2020 file shows an agreement for 17 of 1,541 open requests of PJM; PJM's own list of 2024 shows one for 425 of 2,823. Who had one
 * is unknown, and with it neither the milestone nor what the years in the queue mean: shown, but neither chosen nor judged on.
 */
export const agreementsHidden: ReadonlySet<Region> = new Set<Region>(["PJM"]);

export interface Case {
	facts: ProjectFacts;
	/** Day of the list: what is later than it is not known. */
	today: string;
	/** Outcomes by the newest lists. */
	fate: Fate;
	/** Outcomes by the operator's list of 2024: what a choice that is judged on that list's requests may know. */
	fateBy2024: Fate;
	/** Requests of one region and year of entry are studied together, and fall together. */
	cluster: string;
}

export interface Cohort {
	name: string;
	cases: Case[];
}

/** Open requests as 2020 ended. */
export async function cohort2020(reader: Reader): Promise<Cohort> {
	const queuedUp = await reader.requests(queuedUp2020);
	const in2023 = await reader.requests(queuedUp2023);
	const cases: Case[] = [];
	for (const region of judgedRegions) {
		const ofRegion = (requests: Listed[]) => requests.filter((request) => request.raw.region === region);
		const own = region === "NYISO" ? nyiso2020 : null;
		const filed =
			own === null
				? ofRegion(queuedUp)
						.filter(isOpen)
						.map((request) => inOperatorsWords(request, region))
				: await reader.requests(own);
		const newest = await Promise.all(newestLists[region].map((list) => reader.requests(list)));
		const in2024 = await reader.requests(lists2024[region]);
		// ERCOT's own lists drop finished requests.
		const inBetween = region === "ERCOT" ? [ofRegion(in2023), in2024] : [in2024];
		cases.push(...casesOf(region, filed, { inBetween, newest }, (own ?? queuedUp2020).asOf));
	}
	return { name: "2020", cases };
}

/** Open requests of the operators' own lists in the second half of 2024. */
export async function cohort2024(reader: Reader): Promise<Cohort> {
	const cases: Case[] = [];
	for (const region of judgedRegions.filter((name) => !tooShort.has(name))) {
		const list = lists2024[region];
		const newest = await Promise.all(newestLists[region].map((each) => reader.requests(each)));
		cases.push(...casesOf(region, await reader.requests(list), { inBetween: [], newest }, list.asOf));
	}
	return { name: "2024", cases };
}

const isOpen = ({ statusStd }: Listed): boolean => statusStd === "Active" || statusStd === "Suspended";

interface Later {
	inBetween: Listed[][];
	newest: Listed[][];
}

function casesOf(region: Region, filed: Listed[], { inBetween, newest }: Later, today: string): Case[] {
	const open = filed.filter((request) => isOpen(request) && request.kind === "generation");
	const known = region === "ERCOT" ? [...inBetween, ...newest] : newest;
	const fates = fatesOf(region, open, filed, known);
	const fatesBy2024 = inBetween.length > 0 ? fatesOf(region, open, filed, inBetween) : open.map(() => "open" as const);
	return open.map((request, at) => ({
		facts: factsOf(request, region),
		today,
		fate: fates[at] ?? "unknown",
		fateBy2024: fatesBy2024[at] ?? "unknown",
		cluster: `${region} ${request.queueDate?.slice(0, 4)}`,
	}));
}

const seed = readSeed();
const resolver = createResolver(seed.map((developer, id) => ({ id, ...developer })));
/** The same names stand in each month's list. */
const resolved = new Map<string, ReturnType<typeof resolver.resolve>>();

function resolve(name: string): ReturnType<typeof resolver.resolve> {
	const found = resolved.get(name) ?? resolver.resolve(name);
	resolved.set(name, found);
	return found;
}

/** Copies a request as the product does. Its developer is known if the list names one: in ERCOT and NYISO. */
export function factsOf(request: Listed, region: Region): ProjectFacts {
	const found = request.developer === null ? null : resolve(request.developer);
	const developer = found?.kind === "matched" ? seed[found.developerId] : undefined;
	return {
		project_id: `${region}-${request.number}`,
		// Each case is scored on the day of its list.
		facts_as_of: null,
		region,
		name: request.name,
		kind: request.kind,
		state: request.state,
		fips: request.fips,
		counties: request.counties,
		developer_id: found?.kind === "matched" ? found.developerId : null,
		developer_tier: developer?.tier ?? "unknown",
		type_std: request.typeStd,
		status_std: request.statusStd,
		capacity_mw: request.capacityMw,
		queue_date: request.queueDate,
		cod: request.cod,
		ia_date: request.iaDate,
		security_posted: request.securityPosted,
		construction_stage: request.constructionStage,
		// The table of version 3 counts requests that are excluded since.
		...{ plant_state: "none", status_flag: null, request_class: "new", added_type_std: null, incremental_mw: null },
		study_phase: request.studyPhase,
		study_phase_filed: request.studyPhaseFiled,
		ia_status: request.iaStatus,
		poi: request.poi,
		located: request.lat !== null,
		// No list is old enough to say how a projected date moved in the two years before.
		cod_changes: [],
	};
}
