/** By a point: plants with coordinates that requests are linked to, and requests whose point of interconnection is known. */
import type { Sql } from "#libs/postgres/connect.ts";
import { distanceKm } from "../../plants/link-pair.ts";
import { type Asked, add, type Found, nothing, ofKind } from "./candidate.ts";

/** Farther away is another site (km). */
const farthestKm = 5;
/** Of a degree of latitude, rounded down (km). */
const degreeKm = 110;

/** A centre of a county or state is no place of a request. */
export async function byPoint(sql: Sql, asked: readonly Asked[]): Promise<Found> {
	const found = nothing();
	const points = ofKind(asked, "point");
	if (points.length === 0) return found;
	const sites = await sql<{ id: string; lat: number; lon: number; confidence: number; text: string }[]>`
		select l.project_id as id, f.lat, f.lon, l.confidence, 'the EIA plant ' || l.plant_id || ' (' || coalesce(f.name, '') || ')' as text
		from project_plants l
		join lateral (select * from plants f where f.plant_id = l.plant_id order by year desc limit 1) f on f.lat is not null and f.lon is not null
		union all
		select id, lat, lon, 0.9, 'the point of interconnection ' || coalesce(poi, '') from projects
		where location_precision = 'poi' and lat is not null and lon is not null`;
	for (const { at, meaning } of points) {
		for (const { id, lat, lon, confidence, text } of sites) {
			if (Math.abs(lat - meaning.lat) * degreeKm > farthestKm) continue;
			const km = distanceKm({ lat: meaning.lat, lon: meaning.lon }, { lat, lon });
			if (km > farthestKm) continue;
			const near = Math.round(confidence * (1 - km / farthestKm / 2) * 100) / 100;
			add(found, at, {
				id,
				method: "point",
				confidence: near,
				text: `${text} of the request is ${km.toFixed(1)} km away`,
			});
		}
		if (!found.candidates.has(at))
			found.reasons.set(at, `no request with a known site lies within ${farthestKm} km; most lists name only a county`);
	}
	return found;
}
