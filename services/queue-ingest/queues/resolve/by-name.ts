/** Finds requests by filed name or by the name of their plant, with a county and state in the text or as parameters. */
import { findState } from "#libs/counties/table.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readCountyName } from "../county-in-text.ts";
import {
	addCandidate,
	bareCounty,
	emptyResults,
	type ParsedQuery,
	queriesOfKind,
	type SearchResults,
} from "./candidate.ts";

/** Maximum requests that are read for one query. */
const maxPerQuery = 20;

interface Reading {
	at: number;
	name: string;
	state: string | null;
	county: string | null;
}

/** Interprets the whole text as a name, and also the part before the first comma if a state or county follows it. */
function readingsOf({ at, query, meaning }: ParsedQuery & { meaning: { text: string } }): Reading[] {
	const { state = null, county = null } = query;
	const readings: Reading[] = [{ at, name: meaning.text, state, county }];
	const [, name, rest] = /^([^,]+),(.+)$/s.exec(meaning.text) ?? [];
	if (name === undefined || rest === undefined) return readings;
	const place = readCountyName(rest) ?? { county: null, state: findState(rest.trim())?.state ?? null };
	if (place.county !== null || place.state !== null)
		readings.push({ at, name, state: state ?? place.state, county: county ?? place.county });
	return readings;
}

/** Ignores case, white space and punctuation in names. Confidence rises with the number of parts of the place that are given and agree. */
export async function findByName(sql: Sql, parsed: readonly ParsedQuery[]): Promise<SearchResults> {
	const results = emptyResults();
	const readings = queriesOfKind(parsed, "text")
		.flatMap(readingsOf)
		.map((reading) => ({ ...reading, key: spelled(reading.name) }))
		.filter(({ key }) => key.length >= 3);
	if (readings.length === 0) return results;
	const rows = await sql<(Reading & { id: string; isPlant: boolean; link: number })[]>`
		with parsed as (
			select * from unnest(${readings.map(({ at }) => at)}::int[], ${readings.map(({ key }) => key)}::text[],
				${readings.map(({ state }) => state)}::text[], ${readings.map(({ county }) => (county === null ? null : bareCounty(county)))}::text[]) as k (at, key, state, county)),
		linked as (
			select l.project_id, l.confidence, f.name from project_plants l
			join lateral (select name from plants f where f.plant_id = l.plant_id order by year desc limit 1) f on true),
		names as (
			select id, name, false as is_plant, 1 as link from projects where name is not null and kind in ('generation', 'load')
			union all select project_id, name, true, confidence from linked),
		hits as (
			select k.at, n.id, n.name, n.is_plant, n.link, k.state, k.county, p.capacity_mw from parsed k
			join names n on regexp_replace(lower(n.name), '[^a-z0-9]', '', 'g') = k.key
			join projects p on p.id = n.id
			where (k.state is null or p.state is null or p.state = k.state)
				and (k.county is null or p.counties = '{}' or exists (select from unnest(p.counties) c
					where regexp_replace(lower(c), ' (county|parish|borough)$', '') = k.county)))
		select at, id, name, is_plant as "isPlant", link, state, county from (
			select *, row_number() over (partition by at order by is_plant, capacity_mw desc nulls last, id) as nth from hits) h
		where nth <= ${maxPerQuery} order by at, is_plant, id`;
	for (const { at, id, name, isPlant, link, state, county } of rows) {
		const placeConfidence = county !== null && state !== null ? 0.9 : state !== null || county !== null ? 0.8 : 0.7;
		const place = [county, state].filter((part) => part !== null).join(", ");
		const placeNote = place === "" ? "" : `, and its place does not contradict ${place}`;
		addCandidate(results, at, {
			id,
			method: isPlant ? "plant_name" : "name",
			confidence: Math.round(placeConfidence * (isPlant ? link : 1) * 100) / 100,
			text: isPlant ? `linked to the EIA plant named ${name}${placeNote}` : `filed under the name ${name}${placeNote}`,
		});
	}
	return results;
}
