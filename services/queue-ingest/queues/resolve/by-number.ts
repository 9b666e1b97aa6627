/** Finds requests by an id, any number that a request was ever filed under, or a cluster. */
import type { Sql } from "#libs/postgres/connect.ts";
import { distanceKm } from "../../plants/link-pair.ts";
import { possibleKeys } from "../operations/get-project.ts";
import { addCandidate, emptyResults, type ParsedQuery, queriesOfKind, type SearchResults } from "./candidate.ts";

/** Searches for each number in the spelling of every operator, with one statement for all queries. */
export async function findByNumber(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const texts = queriesOfKind(parsed, "text");
	if (texts.length === 0) return results;
	const keys = texts.flatMap(({ at, query, meaning }) =>
		possibleKeys(meaning.text, query.region).map(({ region, key }) => ({ at, region, key })),
	);
	const rows = await sql<
		{ at: number; id: string; number: string; isId: boolean; isCurrent: boolean; since: string; isUtility: boolean }[]
	>`
		with keys as (
			select * from unnest(${keys.map(({ at }) => at)}::int[], ${keys.map(({ region }) => region)}::text[],
				${keys.map(({ key }) => key)}::text[]) as k (at, region, key)),
		texts as (
			select * from unnest(${texts.map(({ at }) => at)}::int[], ${texts.map(({ meaning }) => meaning.text)}::text[]) as t (at, text))
		select t.at, p.id, p.queue_id as number, true as "isId", true as "isCurrent", iso(p.first_seen_at) as since, false as "isUtility"
		from texts t join projects p on p.id = t.text
		union all
		select distinct on (k.at, p.id) k.at, p.id, a.number, false, p.key = a.key, iso(a.first_seen_at), p.kind = 'utility'
		from keys k join project_aliases a on a.region = k.region and a.key = k.key join projects p on p.id = a.project_id
		order by 1, 4 desc, 2`;
	const exact = new Set(rows.filter(({ isId }) => isId).map(({ at }) => at));
	for (const { at, id, number, isId, isCurrent, since, isUtility } of rows) {
		if (!isId && exact.has(at)) continue;
		const day = since.slice(0, 10);
		if (isId)
			addCandidate(results, at, { id, method: "id", confidence: 1, text: `${id} is the id of the request ${number}` });
		else if (isCurrent)
			addCandidate(results, at, {
				id,
				method: "number",
				// A number without a region more likely belongs to an operator than to a utility.
				confidence: isUtility ? 0.85 : 1,
				text: `filed under the number ${number} since ${day}`,
			});
		else
			addCandidate(results, at, {
				id,
				method: "former_number",
				confidence: 0.95,
				text: `was filed under the number ${number}, first in a list of ${day}`,
			});
	}
	return results;
}

/** Matches every request of the cluster. The more requests it has, the lower the confidence. */
export async function findByCluster(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const clusters = queriesOfKind(parsed, "cluster");
	if (clusters.length === 0) return results;
	const rows = await sql<{ at: number; id: string; cluster: string }[]>`
		select c.at, p.id, p.cluster
		from unnest(${clusters.map(({ at }) => at)}::int[], ${clusters.map(({ meaning }) => meaning.cluster)}::text[]) as c (at, cluster)
		join projects p on lower(p.cluster) = lower(c.cluster) order by p.capacity_mw desc nulls last, p.id`;
	const byQuery = Map.groupBy(rows, ({ at }) => at);
	for (const [at, members] of byQuery)
		results.candidates.set(
			at,
			members.map(({ id, cluster }) => ({
				id,
				method: "cluster" as const,
				confidence: members.length === 1 ? 0.9 : Math.max(0.01, Math.round(100 / members.length) / 100),
				text: `filed in the cluster ${cluster}, one of ${members.length}`,
			})),
		);
	return results;
}

/** A request farther than this from the point does not match. */
const maxDistanceKm = 5;
/** Length of a degree of latitude, rounded down (km). */
const degreeKm = 110;

/** Ignores requests that are located only by the center of a county or state. */
export async function findByPoint(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const points = queriesOfKind(parsed, "point");
	if (points.length === 0) return results;
	const sites = await sql<{ id: string; lat: number; lon: number; confidence: number; text: string }[]>`
		select l.project_id as id, f.lat, f.lon, l.confidence, 'the EIA plant ' || l.plant_id || ' (' || coalesce(f.name, '') || ')' as text
		from project_plants l
		join lateral (select * from plants f where f.plant_id = l.plant_id order by year desc limit 1) f on f.lat is not null and f.lon is not null
		union all
		select id, lat, lon, 0.9, 'the point of interconnection ' || coalesce(poi, '') from projects
		where location_precision = 'poi' and lat is not null and lon is not null`;
	for (const { at, meaning } of points) {
		for (const { id, lat, lon, confidence, text } of sites) {
			if (Math.abs(lat - meaning.lat) * degreeKm > maxDistanceKm) continue;
			const km = distanceKm({ lat: meaning.lat, lon: meaning.lon }, { lat, lon });
			if (km > maxDistanceKm) continue;
			const pointConfidence = Math.round(confidence * (1 - km / maxDistanceKm / 2) * 100) / 100;
			addCandidate(results, at, {
				id,
				method: "point",
				confidence: pointConfidence,
				text: `${text} of the request is ${km.toFixed(1)} km away`,
			});
		}
		if (!results.candidates.has(at))
			results.reasons.set(
				at,
				`no request with a known site lies within ${maxDistanceKm} km; most lists name only a county`,
			);
	}
	return results;
}
