/** The plants that requests can be linked to: as last reported on form EIA-860, and planned or new ones in the EIA's monthly lists. */
import { operatorTerms, type Region, regions } from "#libs/contract/vocabulary.ts";
import { allCounties } from "#libs/counties/table.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { type Coordinates, companyKey, distanceKm, type LinkPlant } from "../link-pair.ts";
import { familiesOf } from "../plant-families.ts";
import { namesOf } from "../plant-names.ts";

const regionOf = new Map<string, Region>(regions.map((region) => [operatorTerms[region].balancingAuthority, region]));

interface PlantRow extends Pick<LinkPlant, "plantId" | "state" | "county" | "gridOwner"> {
	called: string[];
	balancingAuthority: string | null;
	lat: number | null;
	lon: number | null;
	units: (Omit<LinkPlant["units"][number], "family"> & { technology: string | null })[];
	companies: (string | null)[];
}

/**
 * Each plant as last reported: its newest year, the generators and the owners of the newest year that lists any, and each unit as the newest
 * monthly list states it, if that list is newer than the form.
 */
export async function readPlants(tx: Transaction, states: string[]): Promise<LinkPlant[]> {
	const rows = await tx<PlantRow[]>`
		with newest as (
			select distinct on (plant_id) * from plants where state = any(${states}::text[]) order by plant_id, year desc),
		reported as (
			select distinct on (g.plant_id, g.generator_id) g.plant_id, g.generator_id, g.plant_name, g.state, g.county, g.technology,
				g.capacity_mw, g.operating_year as year, g.summer_mw, g.stage, make_date(g.year, 12, 31) as as_of
			from generators g join (select plant_id, max(year) as year from generators group by plant_id) y using (plant_id, year)
			order by g.plant_id, g.generator_id, schedule_place(g.schedule)),
		monthly as (
			select distinct on (plant_id, generator_id) plant_id, generator_id, plant_name, state,
				-- The list with coordinates calls all wind onshore.
				first_value(technology) over (partition by plant_id, generator_id order by source = 'eia860m-planned', as_of desc) as technology,
				coalesce(capacity_mw, summer_mw) as capacity_mw, summer_mw, year, source <> 'eia-epm-new' as is_planned, lat, lon, as_of
			from grid_units_dated where state = any(${states}::text[])
			-- The list of cancelled units has no years: a unit is shown as it was planned last.
			order by plant_id, generator_id, source = 'eia860m-cancelled', as_of desc, source),
		units as (
			select plant_id, coalesce(m.technology, r.technology) as technology, coalesce(m.capacity_mw, r.capacity_mw) as mw,
				coalesce(m.summer_mw, r.summer_mw) as summer_mw,
				coalesce(m.year, r.year) as year, coalesce(m.is_planned, r.stage = 'proposed') as is_planned
			from reported r full join (
				select m.* from monthly m left join reported n using (plant_id, generator_id) where n.as_of is null or n.as_of < m.as_of
			) m using (plant_id, generator_id)
			where m.plant_id is not null or r.stage <> 'retired'),
		listed as (
			select plant_id, json_agg(json_build_object('technology', technology, 'capacityMw', mw, 'summerMw', summer_mw, 'year', year,
				'isPlanned', is_planned)) as units
			from units group by plant_id),
		described as (
			select plant_id, array_agg(distinct name) as called, max(state) as state, max(county) as county, max(lat) as lat, max(lon) as lon
			from (
				select plant_id, name, state, county, lat, lon from newest
				union all select plant_id, plant_name, state, county, null, null from reported where state = any(${states}::text[])
				union all select plant_id, plant_name, state, null, lat, lon from monthly
				-- Former names, which a list of requests may still use.
				union all select plant_id, plant_name, state, null, null, null from grid_units where state = any(${states}::text[])) d
			group by plant_id),
		owned as (
			select plant_id, json_agg(distinct name) as companies from (
				select plant_id, b.name from (select plant_id, max(year) as year from generator_ownership group by plant_id) y
				join generator_ownership g using (plant_id, year)
				cross join lateral (select g.body::jsonb as body) j
				cross join lateral (
					select j.body -> 'operator' ->> 'name' as name union select j.body -> 'operator' ->> 'developer_canonical'
					union select o ->> 'name' from jsonb_array_elements(j.body -> 'owners') o
					union select o ->> 'developer_canonical' from jsonb_array_elements(j.body -> 'owners') o) b
				union all select plant_id, utility_name from newest
				union all select plant_id, entity_name from grid_units where entity_name is not null) n
			group by plant_id)
		select d.plant_id as "plantId", coalesce(d.called, '{}') as called, d.state, d.county,
			coalesce(n.lat, d.lat) as lat, coalesce(n.lon, d.lon) as lon, n.balancing_authority as "balancingAuthority",
			n.grid_owner as "gridOwner", l.units, coalesce(o.companies, '[]') as companies
		from described d join listed l using (plant_id) left join newest n using (plant_id) left join owned o using (plant_id)`;
	return rows.map(linkPlantOf);
}

export function linkPlantOf({ lat, lon, called, balancingAuthority, ...row }: PlantRow): LinkPlant {
	const place = lat === null || lon === null ? null : { lat, lon };
	return {
		...row,
		name: called[0] ?? null,
		names: called.flatMap(namesOf),
		region: regionOf.get(balancingAuthority ?? "") ?? null,
		...(place === null ? { around: [], beside: [] } : countiesAround(row.state, place)),
		place,
		units: row.units.flatMap(({ technology, ...unit }) =>
			familiesOf(technology).map((family) => ({ family, ...unit })),
		),
		companies: row.companies.map(companyKey).filter((key) => key !== ""),
	};
}

/** The plant's county may be any whose centre is at most this much farther away than the nearest centre. */
const reach = { times: 1.5, km: 10 };
/** Centres of counties within this distance (km) may belong to neighbouring counties. */
const besideKm = 45;

/** Only the centres of counties are known, not their borders, so the county is guessed by distance: in the East 30 km, in the West 150. */
function countiesAround(state: string, place: Coordinates): Pick<LinkPlant, "around" | "beside"> {
	const near = allCounties
		.filter((county) => county.state === state)
		.map((county) => ({ name: county.name, km: distanceKm(place, county) }))
		.sort((a, b) => a.km - b.km);
	const least = near[0]?.km ?? 0;
	const within = (most: number) => near.filter(({ km }) => km <= most).map(({ name }) => name);
	return { around: within(reach.times * least + reach.km), beside: within(besideKm) };
}
