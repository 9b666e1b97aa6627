/** Finds requests of one plant among an operator's requests, by names, points of interconnection, counties, owners and megawatts. Pure. */
import type { Project } from "#libs/contract/records/project.ts";
import type { ConstructionStage, Listing, RelationKind, RelationMethod, Status } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";

/** `name` is null if the operator lists the point of interconnection as the name. */
export type Member = Pick<
	Project,
	| ("id" | "name" | "poi" | "poi_id" | "state" | "county" | "lat" | "lon" | "developer")
	| ("capacity_mw" | "type_std" | "status_std" | "queue_date" | "withdrawn_date")
>;

export interface Relation {
	id: string;
	relation: RelationKind;
	other_id: string;
	method: RelationMethod;
	/** Share of the pairs checked by hand that were right (tools/truth/related-by-hand.csv and plants-by-hand.csv). */
	confidence: number;
	/** Facts that agree. */
	evidence: string;
}

/** Words that do not identify a plant: many names have them, or they distinguish parts and phases of a plant. */
const commonWords = new Set(
	`solar storage wind battery batteries bess energy power project projects farm park center centre plant station hybrid pv photovoltaic phase unit ess es
	repower expansion addition uprate increase increment incremental additional generation generating generator generators facility llc lp inc co company slf swt bes sts
	capacity queue position repowering and the of for new county combustion simple cnr only ct gt cc combined cycle turbine turbines gas peaker cogen nuclear hydro plus offshore see qp
	biomass geothermal coal oil diesel landfill fuel cell`.split(/\s+/),
);
const directions = new Set("north south east west northern southern eastern western".split(" "));
/** Names of studies of several plants. */
const notPlants = /\b(?:study|studies|cluster)\b/i;
const isNumber = (word: string): boolean => /^(?:\d+[a-z]?|[ivx]+|[a-h]|one|two|three|four|five)$/.test(word);
/** Words in the name of a request that enlarges a plant and so does not replace an earlier request. */
const enlargement = /\b(?:uprate|expansion|increase|increment\w*|addition\w*)\b/i;
/** A re-filed request enters the queue at most this long before its predecessor leaves it (days). */
const overlapDays = 366;
/** If the point differs and no common owner is known, a re-filed request enters at most this long after its predecessor leaves (days). */
const elsewhereMaxDays = 1_827;
/** Maximum differences between alternatives for one plant: days between their filing, distance, and share of their megawatts. */
const maxAlternativeDifference = { days: 183, km: 100, share: 0.05 };
/** If owners are not published, parts of one plant at different points are filed at most this many days apart. */
const maxSiblingDays = 1_096;

const confidences: Record<RelationMethod, number> = {
	name: 0.98,
	name_without_number: 0.95,
	name_and_place: 0.98,
};

interface Named extends Member {
	/** Distinctive words of the request's name. */
	whole: string;
	/** `whole` without numbers and directions. */
	plant: string;
}

interface Candidate extends Named {
	/** Whether the plant's name is also the name of a place. */
	isPlaceName: boolean;
	/** Distinctive words of the owner's name; null if no owner is published. */
	owner: ReadonlySet<string> | null;
}

/**
 * Pairs each later request of a plant with an earlier one: the newest withdrawn one that it replaces, else one that is studied at a different
 * point at the same time, else the plant's first. Expects the requests of one operator.
 */
export function findRelations(members: readonly Member[]): Relation[] {
	const named = members.flatMap(readName).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
	const plants = [...Map.groupBy(named, ({ plant }) => plant)].filter(([, { length }]) => length > 1);
	const places = plants.length === 0 ? "" : joinPlaceNames(members);
	return plants.flatMap(([name, requests]) => {
		const isPlaceName = places.includes(` ${name} `);
		const candidates = requests.map((request) => ({ ...request, isPlaceName, owner: ownerWords(request.developer) }));
		return candidates.flatMap((later, at) => {
			const relations = candidates.slice(0, at).flatMap((earlier) => findRelation(earlier, later) ?? []);
			const best =
				relations.findLast(({ relation }) => relation === "successor_of") ??
				relations.find(({ relation }) => relation === "alternative_of") ??
				relations[0];
			return best ?? [];
		});
	});
}

/** A request with the facts that decide which one represents a plant. */
export interface Request extends Member {
	listed: Listing;
	/** Whether `active_projects` of /stats counts it. */
	is_active: boolean;
	construction_stage: ConstructionStage;
}

export const stageOrder: readonly ConstructionStage[] = ["early", "mid", "late", "construction", "operational"];
export const statusOrder: readonly Status[] = ["Withdrawn", "Unknown", "Suspended", "Operational", "Active"];

interface Represented {
	id: string;
	represented_by: string;
	/** Whether its megawatts repeat those of a request that replaces it or that it is an alternative to. */
	is_repeat: boolean;
}

/** Requests that another request of the same plant represents. The representative is chosen by: listed, active, most advanced, newest. */
export function findRepresentedRequests(requests: readonly Request[], relations: readonly Relation[]): Represented[] {
	const byId = new Map(requests.map((request) => [request.id, request]));
	const plants = new Map<string, Set<string>>();
	// The earlier request of a relation is already in its plant's set, or is the first request of the plant.
	for (const { id, other_id } of relations) {
		const plant = plants.get(other_id) ?? new Set([other_id]);
		plants.set(other_id, plant).set(id, plant.add(id));
	}
	const repeats = new Set(
		relations.flatMap(({ id, other_id, relation }) => {
			if (relation === "successor_of") return other_id;
			const [one, other] = [byId.get(id), byId.get(other_id)];
			return relation === "alternative_of" && one && other ? ([one, other].sort(compareProgress)[1]?.id ?? []) : [];
		}),
	);
	return [...new Set(plants.values())].flatMap((plant) => {
		const [first, ...others] = [...plant].flatMap((id) => byId.get(id) ?? []).sort(compareProgress);
		return others.map(({ id }) => ({ id, represented_by: first?.id ?? id, is_repeat: repeats.has(id) }));
	});
}

function compareProgress(one: Request, other: Request): number {
	const progress = (request: Request) => [
		Number(request.listed === "listed"),
		Number(request.is_active),
		statusOrder.indexOf(request.status_std),
		stageOrder.indexOf(request.construction_stage),
	];
	const [first, second] = [progress(one), progress(other)];
	const at = first.findIndex((value, index) => value !== second[index]);
	if (at >= 0) return (second[at] ?? 0) - (first[at] ?? 0);
	return sortKey(one) < sortKey(other) ? 1 : -1;
}

/** Adds the distinctive words of the name. Returns an empty list if the name identifies no plant, or is the name of the point of interconnection. */
function readName(member: Member): Named | [] {
	const words = wordsOf(member.name).filter((word) => !commonWords.has(word));
	const plant = words.filter((word) => !isNumber(word) && !directions.has(word)).join(" ");
	if (plant.length < 4 || notPlants.test(member.name ?? "")) return [];
	if (` ${wordsOf(member.poi).join(" ")} `.includes(` ${plant} `)) return [];
	return { ...member, whole: words.join(" "), plant };
}

/** Names of counties and of points (stations are often named after towns) in one text, with a space around each word. */
const joinPlaceNames = (members: readonly Member[]): string => {
	const texts = new Set(members.flatMap(({ poi, county }) => [poi, county]));
	return [...texts].map((text) => ` ${wordsOf(text).join(" ")} `).join("|");
};

function findRelation(earlier: Candidate, later: Candidate): Relation | null {
	const hasSameName = earlier.whole === later.whole;
	const isAtSamePoint = later.poi_id !== null && earlier.poi_id === later.poi_id;
	const owner = haveSameOwner(earlier, later);
	if (later.isPlaceName && !(owner ?? isEqual(earlier.capacity_mw, later.capacity_mw))) return null;
	const relation = findRelationKind(earlier, later, { hasSameName, isAtSamePoint, owner });
	if (relation === null) return null;
	const method = isAtSamePoint ? (hasSameName ? "name" : "name_without_number") : "name_and_place";
	const agreeing = {
		[`name (${hasSameName ? later.whole : later.plant})`]: true,
		"point of interconnection": isAtSamePoint,
		county: isEqual(earlier.state, later.state) && isEqual(earlier.county, later.county),
		owner: owner === true,
		technology: earlier.type_std === later.type_std,
		capacity: isEqual(earlier.capacity_mw, later.capacity_mw),
	};
	const evidence = Object.keys(agreeing)
		.filter((fact) => agreeing[fact])
		.join(", ");
	return { id: later.id, relation, other_id: earlier.id, method, confidence: confidences[method], evidence };
}

function findRelationKind(
	earlier: Named,
	later: Named,
	{ hasSameName, isAtSamePoint, owner }: { hasSameName: boolean; isAtSamePoint: boolean; owner: boolean | null },
): RelationKind | null {
	const isInCounty = isEqual(earlier.state, later.state) && isEqual(earlier.county, later.county);
	if (hasSameName && isAtSamePoint && isRefiled(earlier, later)) return "successor_of";
	if (hasSameName && isInCounty && isRefiled(earlier, later, owner === true ? undefined : elsewhereMaxDays))
		return "successor_of";
	if (isAtSamePoint) return "sibling";
	if (!hasSameName) return null;
	if (isAlternative(earlier, later) && owner !== false) return "alternative_of";
	const days = daysBetween(earlier.queue_date, later.queue_date);
	return isInCounty && (owner ?? (days !== null && days <= maxSiblingDays)) ? "sibling" : null;
}

const isEqual = <T>(one: T | null, other: T | null): boolean => one !== null && one === other;
/** Sorts by queue date; requests without a date come last. */
const sortKey = ({ queue_date, id }: Member): string => `${queue_date ?? "9999"} ${id}`;
const wordsOf = (text: string | null): string[] =>
	(text ?? "")
		.toLowerCase()
		.replace(/['’]/g, "")
		.match(/[a-z]+|\d+[a-z]?/g) ?? [];

const daysBetween = (from: string | null, to: string | null): number | null =>
	from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 86_400_000;

function isRefiled(earlier: Named, later: Named, withinDays = Number.POSITIVE_INFINITY): boolean {
	if (earlier.status_std !== "Withdrawn" || enlargement.test(later.name ?? "")) return false;
	// A plant is often filed again with storage.
	if (later.type_std !== earlier.type_std && later.type_std !== `${earlier.type_std} + Storage`) return false;
	const days = daysBetween(earlier.withdrawn_date, later.queue_date);
	return days !== null && days > -overlapDays && days <= withinDays;
}

/** Whether one plant is studied at two points at the same time, of which at most one is built. */
function isAlternative(earlier: Named, later: Named): boolean {
	if (earlier.poi_id === null || later.poi_id === null || earlier.type_std !== later.type_std) return false;
	if ([earlier, later].every(({ status_std }) => status_std === "Operational") || enlargement.test(later.name ?? ""))
		return false;
	const [one, other] = [earlier.capacity_mw, later.capacity_mw];
	const days = daysBetween(earlier.queue_date, later.queue_date);
	if (!one || !other || days === null || days > maxAlternativeDifference.days || earlier.state !== later.state)
		return false;
	return (
		Math.abs(one - other) <= maxAlternativeDifference.share * Math.max(one, other) &&
		distanceKm(earlier, later) <= maxAlternativeDifference.km
	);
}

/** Exact enough for neighboring counties; NaN if coordinates are missing. */
function distanceKm(one: Member, other: Member): number {
	const kmPerDegree = 111.2;
	const [north, east] = [
		Number(one.lat ?? "?") - Number(other.lat ?? "?"),
		Number(one.lon ?? "?") - Number(other.lon ?? "?"),
	];
	return kmPerDegree * Math.hypot(north, east * Math.cos((Number(one.lat) * Math.PI) / 180));
}

/** Null if an owner is not published. */
function haveSameOwner({ owner: one }: Candidate, { owner: other }: Candidate): boolean | null {
	if (one === null || other === null) return null;
	return one.size > 0 && one.size === other.size && [...one].every((word) => other.has(word));
}

function ownerWords(developer: string | null): ReadonlySet<string> | null {
	if (developer === null) return null;
	const { distinctKey, fullKey } = normaliseName(developer);
	return new Set((distinctKey || fullKey).split(" ").filter((word) => !isNumber(word)));
}
