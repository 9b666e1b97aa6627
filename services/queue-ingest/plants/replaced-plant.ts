/**
 * Finds the plant whose rights a replacement or surplus request uses: under the operators' tariffs they belong to the plant's owner. Matches the
 * plant in the request's county that is named like the station (the point of interconnection), whatever its technology, open or closed. Pure.
 */
import { companyKey, countyKey } from "./link-pair.ts";
import { namesOf, placeWords } from "./plant-names.ts";

export interface ReplacingRequest {
	class: "replacement" | "surplus";
	/** MISO states no state for most requests. */
	state: string | null;
	counties: readonly string[];
	poi: string;
	/** Owner of the grid. */
	utility: string | null;
	mw: number | null;
}

export interface StandingPlant {
	plantId: number;
	name: string;
	state: string;
	county: string | null;
	operator: string | null;
	/** Null if no loaded list contains its generators. */
	mw: number | null;
}

interface Replaced {
	plantId: number;
	confidence: number;
	evidence: string;
}

/** Lower for surplus, which the owner can pass on to another company. */
const confidences = { replacement: 0.85, surplus: 0.75 } as const;

/** A line between two stations belongs to neither. */
const betweenStations = /\b(tap|line|to)\b|[a-z]\s[-–]\s*\d?[a-z]{2}/i;
/** An injection limit may exceed nameplate by this factor. */
const slack = 1.1;

/** Null if plants of two operators match, and neither operator owns the grid. */
export function findReplacedPlant(request: ReplacingRequest, plants: readonly StandingPlant[]): Replaced | null {
	if (betweenStations.test(request.poi)) return null;
	const counties = request.counties.map(countyKey);
	const station = namesOf(request.poi);
	const words = new Set(station.flatMap((name) => name.words));
	const numbers = station.flatMap((name) => name.numbers);
	const found = plants.filter(({ name, state, county, mw }) => {
		if (state !== (request.state ?? state) || county === null || !counties.includes(countyKey(county))) return false;
		if (mw !== null && (request.mw ?? 0) > slack * mw) return false;
		const places = placeWords(state, county);
		return namesOf(name).some((one) => {
			// Names of stations leave out initials ("J H Campbell").
			const own = one.words.filter((word) => word.length > 1);
			const isOtherPhase = numbers.length > 0 && one.numbers.some((number) => !numbers.includes(number));
			return !isOtherPhase && own.every((word) => words.has(word)) && own.some((word) => !places.has(word));
		});
	});
	const ofUtility = found.filter(({ operator }) => companyKey(operator) === companyKey(request.utility));
	const best = ofUtility.length > 0 ? ofUtility : found;
	const [first] = best;
	if (first === undefined || new Set(best.map(({ operator }) => operator)).size > 1) return null;
	const evidence = `${request.class} at ${request.poi}; ${first.name}, ${first.county} County, ${first.state}`;
	return { plantId: first.plantId, confidence: confidences[request.class], evidence };
}
