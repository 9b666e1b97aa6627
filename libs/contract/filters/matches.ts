/** The filters of interconnection requests as a predicate on a row of `/projects`, equivalent to `projectCondition`. */
import { type FilterField, filterFields, type Project } from "#libs/contract/records/project.ts";
import { activeLeftOut } from "#libs/contract/vocabulary.ts";
import { circleOf, countyName, type Filters, fieldValues, listedOf, statusesOf } from "./meanings.ts";

type Meaning<N extends keyof Filters> = (value: NonNullable<Filters[N]>, row: Project) => boolean;

/** Filters that are independent of each other; the others are combined in `matches`. */
const meanings: { [N in Exclude<keyof Filters, Combined | FilterField | "fields">]: Meaning<N> } = {
	county: (value, { counties }) => counties.some((name) => lower(name) === countyName(value)),
	fuel_type: (values, { type_std }) => isAmong(values, type_std),
	status(values, row) {
		const { standard, filed } = statusesOf(values);
		return isAmong(standard, row.status_std) || (row.status !== null && isAmong(filed, lower(row.status)));
	},
	active: (value, row) =>
		value ===
		(row.kind === "generation" &&
			row.listed === "listed" &&
			(row.status_std === "Active" || row.plant_state === "partially_operating") &&
			row.status_flag !== "void_window" &&
			!isAmong<string>(activeLeftOut, row.request_class)),
	id: (values, { id }) => isAmong(values, id),
	q: (value, row) =>
		[row.name, row.queue_id, row.poi, row.developer, row.developer_canonical].some((text) => contains(text, value)),
	developer: (value, row) => contains(row.developer, value) || contains(row.developer_canonical, value),
	developer_id: (values, { developer_id }) => isAmong(values, developer_id),
	poi: (value, { poi }) => contains(poi, value),
	capacity_min: (value, { capacity_mw }) => capacity_mw !== null && capacity_mw >= value,
	capacity_max: (value, { capacity_mw }) => capacity_mw !== null && capacity_mw <= value,
	date_from: (value, { queue_date }) => isFrom(queue_date, value),
	date_to: (value, { queue_date }) => isUntil(queue_date, value),
	cod_from: (value, { cod }) => isFrom(cod, value),
	cod_to: (value, { cod }) => isUntil(cod, value),
	ia_from: (value, { ia_date }) => isFrom(ia_date, value),
	ia_to: (value, { ia_date }) => isUntil(ia_date, value),
	withdrawn_from: (value, { withdrawn_date }) => isFrom(withdrawn_date, value),
	withdrawn_to: (value, { withdrawn_date }) => isUntil(withdrawn_date, value),
	updated_since: (value, { last_changed_at }) => last_changed_at.slice(0, value.length) >= value,
	bbox: ([west, south, east, north], { lat, lon }) =>
		lat !== null && lon !== null && lat >= south && lat <= north && lon >= west && lon <= east,
	polygon: (corners, { lat, lon }) => lat !== null && lon !== null && isInside(corners, lon, lat),
	energy_community: (value, row) => row.energy_community_eligible === value,
	low_income: (value, row) => row.low_income_eligible === value,
	has_tax_credit: (value, { tax_credit_pct }) => tax_credit_pct !== null && tax_credit_pct > 0 === value,
	study_phase: (value, row) =>
		equalsIgnoringCase(row.study_phase, value) || equalsIgnoringCase(row.study_phase_filed, value),
	ia_status: (value, row) => equalsIgnoringCase(row.ia_status, value) || equalsIgnoringCase(row.ia_status_filed, value),
	min_confidence: (value, row) => row.construction_stage_confidence >= value,
	investable: (value, { investable }) => investable === value,
	needs_capital: (value, { needs_capital }) => needs_capital === value,
	min_score: (value, row) => row.investability_score !== null && row.investability_score >= value,
};

const isFrom = (day: string | null, first: string): boolean => day !== null && day >= first;
const isUntil = (day: string | null, last: string): boolean => day !== null && day <= last;

type Combined = "population" | "listed" | "include_unlisted" | "region" | "iso" | "near" | "lat" | "lon" | "radius_km";

export function matches(filters: Filters, row: Project): boolean {
	if (filters.population !== "all" && filters.kind === undefined && row.kind !== "generation") return false;
	const listed = listedOf(filters);
	if (listed !== undefined && !isAmong(listed, row.listed)) return false;
	const regions = filters.region ?? filters.iso;
	if (regions !== undefined && !isAmong(regions, row.region)) return false;
	const isWanted = (name: FilterField) => {
		const values = fieldValues(filters, name);
		return values === undefined || isAmong<unknown>(values, row[name]);
	};
	if (!filterFields.every(isWanted)) return false;
	if (!names.every((name) => isFilterMet(name, filters[name], row))) return false;
	// Distance is checked last, because the center of a county must be looked up by its name.
	const circle = circleOf(filters);
	return circle === undefined || distanceKm(row, circle) <= circle.radius_km;
}

const names = Object.keys(meanings) as (keyof typeof meanings)[];

function isFilterMet<N extends keyof typeof meanings>(name: N, value: Filters[N], row: Project): boolean {
	return value === undefined || (meanings[name] as Meaning<N>)(value as NonNullable<Filters[N]>, row);
}

const isAmong = <T>(values: readonly T[], value: T | null): boolean => value !== null && values.includes(value);
const equalsIgnoringCase = (text: string | null, value: string): boolean =>
	text !== null && lower(text) === lower(value);
const contains = (text: string | null, part: string): boolean => text !== null && lower(text).includes(lower(part));

/**
 * Like PostgreSQL's `lower`, which maps each character to one character. JavaScript's `toLowerCase` depends on the end of a word, and may return
 * two characters for one.
 */
const lower = (text: string): string =>
	/^[\0-\x7f]*$/.test(text)
		? text.toLowerCase()
		: Array.from(text, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join("");

/** Whether the polygon with these corners (longitude and latitude in turn) contains the point; as in PostgreSQL, its edges belong to it. */
function isInside(corners: readonly number[], x: number, y: number): boolean {
	let windings = 0;
	for (let at = 0, from = corners.length - 2; at < corners.length; from = at, at += 2) {
		const [x1, y1, x2, y2] = [from, from + 1, at, at + 1].map((place) => corners[place] ?? 0) as [
			number,
			number,
			number,
			number,
		];
		const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
		const isInEdgeBox =
			x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
		if (isInEdgeBox && Math.abs(side) < 1e-6) return true;
		if (y1 > y !== y2 > y && side > 0 === y2 > y1) windings += y2 > y1 ? 1 : -1;
	}
	return windings !== 0;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance, computed as in the database function of the same name; NaN if there are no coordinates. */
function distanceKm({ lat, lon }: Pick<Project, "lat" | "lon">, from: { lat: number; lon: number }): number {
	if (lat === null || lon === null) return Number.NaN;
	const north = Math.sin(radians(from.lat - lat) / 2) ** 2;
	const east = Math.sin(radians(from.lon - lon) / 2) ** 2;
	const chord = north + Math.cos(radians(lat)) * Math.cos(radians(from.lat)) * east;
	return 12_742 * Math.asin(Math.min(1, Math.sqrt(chord)));
}
