/** Reads the interconnection cost of a request from its own study, or else the range of its neighbors' costs. */
import type { Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

type InterconnectionCost = Reply<"readScore">["interconnection_cost"];

type StudiedCost = Omit<NonNullable<InterconnectionCost>, "basis" | "neighbours">;
type NeighborCosts = NonNullable<NonNullable<InterconnectionCost>["neighbours"]>;

const withoutStudy: StudiedCost = {
	ic_cost_usd_per_kw: null,
	poi_usd_per_kw: null,
	network_usd_per_kw: null,
	study: null,
	studied_on: null,
	dollars_year: null,
	source: null,
};

/**
 * Reads the cost from the request's own study; with `day`, only if the study is of that day or earlier. A past day has no range of the
 * neighbors' costs, because these are not stored by day.
 */
export async function readOwnCost(sql: Sql, projectId: string, day?: string): Promise<InterconnectionCost> {
	const [studied] = await sql<StudiedCost[]>`
		select cost_usd_per_kw as ic_cost_usd_per_kw, poi_usd_per_kw, network_usd_per_kw, study, as_of as studied_on, dollars_year, source
		from interconnection_costs
		where project_id = ${projectId} ${day === undefined ? sql`` : sql`and as_of <= ${day}::text::date`}`;
	return studied === undefined ? null : { basis: "own", ...studied, neighbours: null };
}

/** Returns null if neither the request's own cost nor its neighbors' costs are known. */
export async function readInterconnectionCost(sql: Sql, projectId: string): Promise<InterconnectionCost> {
	const ownCost = await readOwnCost(sql, projectId);
	if (ownCost !== null) return ownCost;
	const range = await findNearestRange(sql, projectId);
	return range === null ? null : { basis: "neighbours", ...withoutStudy, neighbours: range };
}

/**
 * Finds the range of the nearest neighborhood with enough known costs: first the point of interconnection, then the transmission owner, then
 * the operator.
 */
async function findNearestRange(sql: Sql, projectId: string): Promise<NeighborCosts | null> {
	const [request] = await sql<{ version: number; places: string[] }[]>`
		select v.version, array_remove(array[
			'poi|' || region || '|' || place_key(poi) || '|',
			'transmission_owner|' || region || '|' || place_key(utility) || '|' || type_std,
			'region|' || region || '||' || type_std], null) as places
		from projects cross join data_version v
		where project_id = ${projectId} and kind = 'generation'`;
	if (request === undefined) return null;
	const ranges = await readCachedRanges(sql, request.version);
	return request.places.map((place) => ranges.get(place)).find((range) => range !== undefined) ?? null;
}

/** The few hundred ranges of each database, cached until the data version changes, because computing them takes longer than a score. */
const rangeCache = new WeakMap<Sql, { version: number; ranges: Promise<Map<string, NeighborCosts>> }>();

function readCachedRanges(sql: Sql, version: number): Promise<Map<string, NeighborCosts>> {
	const entry = rangeCache.get(sql);
	if (entry?.version === version) return entry.ranges;
	const ranges = readRanges(sql);
	rangeCache.set(sql, { version, ranges });
	ranges.catch(() => {
		if (rangeCache.get(sql)?.ranges === ranges) rangeCache.delete(sql);
	});
	return ranges;
}

async function readRanges(sql: Sql): Promise<Map<string, NeighborCosts>> {
	const rows = await sql<{ place: string; range: NeighborCosts }[]>`
		select rule || '|' || region || '|' || place_key || '|' || coalesce(type_std, '') as place, json_build_object(
			'chosen_by', rule, 'place', place, 'type_std', type_std, 'n', n, 'p25_usd_per_kw', round(p25::numeric, 2)::float8,
			'median_usd_per_kw', round(median::numeric, 2)::float8, 'p75_usd_per_kw', round(p75::numeric, 2)::float8,
			'studied_from', studied_from, 'studied_to', studied_to, 'dollars_year', dollars_year) as range
		from interconnection_cost_ranges`;
	return new Map(rows.map(({ place, range }) => [place, range]));
}
