import { containing } from "#libs/contract/filters/meanings.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { eiaCoverage, technologyCondition } from "./eia-technology.ts";

export function listPlants(sql: Sql): Handler<"listPlants"> {
	return async ({ sort, order, page, per_page, cursor, ...filters }) => {
		return replyList(
			sql,
			{
				filters,
				tables: sql`${plantTables<Fragment>(sql, filters, sort === "operable_mw")},`,
				chosen: sql`listed where true`,
				sort:
					sort === "plant_id"
						? [{ column: sort, order }]
						: [{ column: sort, order, nullable: true }, { column: "plant_id" }],
				columns: sql`*`,
				rows: plantRows<Fragment>(sql),
				fields: { coverage: sql`select ${eiaCoverage(sql, sql`(select year from requested)`)}` },
			},
			{ page, per_page, cursor },
		);
	};
}

type Filters = Omit<Params<"listPlants">, "sort" | "order" | "page" | "per_page" | "cursor">;

/** Tables behind `with`: `requested`, the year, and `listed`, the plants of that year that the filters choose. `isBySum`: the rows are sorted by `operable_mw`. */
export function plantTables<F = Fragment>(sql: Tag<F>, filters: Filters, isBySum = false): F {
	const { capacity_min } = filters;
	const year = filters.year === undefined ? newestYear(sql, filters) : sql`${filters.year}::int`;
	const requestedYear = sql`(select year from requested)`;
	const found = sql`select p.* from plants p where ${plantCondition(sql, filters, requestedYear)}`;
	// Sums of all plants are computed only if they decide which plants are shown.
	const listed =
		isBySum || capacity_min !== undefined
			? sql`select p.*, u.operable_mw from (${found}) p left join sums u using (year, plant_id)
				where ${capacity_min === undefined ? sql`true` : sql`u.operable_mw >= ${capacity_min}`}`
			: found;
	return sql`requested as materialized (select ${year} as year),
		sums as (select year, plant_id, round(sum(capacity_mw) filter (where stage = 'operable')::numeric, 3)::float8 as operable_mw
			from listed_generators where year = ${requestedYear} group by year, plant_id),
		listed as (${listed})`;
}

export function plantRows<F = Fragment>(sql: Tag<F>): F {
	return sql`
		select page.plant_id, page.name, page.utility_id, page.utility_name, o.owners, page.sector, page.street, page.city, page.county, page.state, page.zip,
			page.lat, page.lon, page.nerc_region, page.balancing_authority, page.grid_owner, page.grid_voltage_kv, coalesce(u.technologies, '{}') as technologies,
			u.generators, u.operable_mw, u.proposed_mw, u.retired_mw,
			exists (select from eia_schedules s where s.year = page.year and s.schedule = 'generator') as is_complete,
			(select count(*) from project_plants l where l.plant_id = page.plant_id) as linked_requests,
			'eia860' as source, page.year, (select s.published_on from eia_schedules s where s.year = page.year and s.schedule = 'plant') as as_of
		from page
		cross join lateral (
			select coalesce(sum(t.generators), 0)::bigint as generators, ${roundedSum(sql, sql`t.operable_mw`)} as operable_mw,
				${roundedSum(sql, sql`t.proposed_mw`)} as proposed_mw, ${roundedSum(sql, sql`t.retired_mw`)} as retired_mw,
				array_agg(t.technology order by t.mw desc nulls last, t.technology) filter (where t.technology is not null) as technologies
			from (
				select g.technology, count(*) as generators, sum(g.capacity_mw) as mw,
					sum(g.capacity_mw) filter (where g.stage = 'operable') as operable_mw,
					sum(g.capacity_mw) filter (where g.stage = 'proposed') as proposed_mw,
					sum(g.capacity_mw) filter (where g.stage = 'retired') as retired_mw
				from listed_generators g where g.plant_id = page.plant_id and g.year = page.year group by g.technology) t) u
		cross join lateral (
			select coalesce(array_agg(distinct o.owner_name order by o.owner_name), '{}') as owners
			from plant_owners o where o.year = page.year and o.plant_id = page.plant_id) o`;
}

/** Rounded, because binary fractions of tenths do not add up to tenths. */
const roundedSum = <F>(sql: Tag<F>, column: F): F => sql`round(sum(${column})::numeric, 3)::float8`;

/** The newest year that lists the requested plant, or any plant of the technology; the newest year of all if none does. */
function newestYear<F>(sql: Tag<F>, { plant_id, technology }: Filters): F {
	const plant = plant_id === undefined ? sql`true` : sql`p.plant_id = ${plant_id}`;
	const kind =
		technology === undefined
			? sql`true`
			: sql`exists (select from generators n
				where n.plant_id = p.plant_id and n.year = p.year and ${technologyCondition(sql, "n", technology)})`;
	return sql`coalesce((select max(p.year) from plants p where ${plant} and ${kind}), (select max(year) from plants))`;
}

function plantCondition<F>(sql: Tag<F>, filters: Filters, year: F): F {
	const parts: F[] = [sql`p.year = ${year}`];
	const when = <T>(value: T | undefined, part: (value: T) => F) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.plant_id, (value) => sql`p.plant_id = ${value}`);
	when(filters.state, (value) => sql`p.state = ${value}`);
	when(filters.county, (value) => sql`lower(p.county) = lower(${value})`);
	when(filters.q, (value) => sql`p.name ilike ${containing(value)}`);
	when(filters.utility, (value) => sql`p.utility_name ilike ${containing(value)}`);
	when(
		filters.owner,
		(value) => sql`exists (select from plant_owners o
			where o.year = p.year and o.plant_id = p.plant_id and o.owner_name ilike ${containing(value)})`,
	);
	when(filters.balancing_authority, (value) => sql`upper(p.balancing_authority) = upper(${value})`);
	when(filters.nerc_region, (value) => sql`upper(p.nerc_region) = upper(${value})`);
	when(
		filters.technology,
		(value) => sql`exists (select from listed_generators g
			where g.plant_id = p.plant_id and g.year = p.year and ${technologyCondition(sql, "g", value)})`,
	);
	if (filters.lat !== undefined && filters.lon !== undefined)
		parts.push(
			sql`distance_km(p.lat, p.lon, ${filters.lat}::float8, ${filters.lon}::float8) <= ${filters.radius_km}::float8`,
		);
	return parts.reduce((all, part) => sql`${all} and ${part}`);
}
