import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { describedSources } from "./datacenter-coverage.ts";

const feeds = ["datacenter-map", "datacenter-energy", "datacenter-guide"];

export function listDatacenters(sql: Sql): Handler<"listDatacenters"> {
	return async ({ sort, order, page, per_page, ...filters }) => {
		const condition = facilityCondition(sql, filters);
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		return oneJsonReply<Reply<"listDatacenters">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(r)) from (
					select f.id, f.same_as, f.name, f.operator, f.status, f.status_filed, f.facility_type, f.address, f.city, f.county,
						f.state, f.lat, f.lon, f.location_precision, f.capacity_mw, f.energy_low_mwh_year, f.energy_high_mwh_year,
						f.market, f.year_opened, f.address is null as may_repeat, f.source, f.as_of
					from datacenter_facilities f where ${condition}
					order by f.${sql(sort)} ${direction}, f.id limit ${per_page} offset ${(page - 1) * per_page}) r), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8)) from datacenter_facilities f where ${condition}),
				'coverage', json_build_object('sources', ${describedSources(
					sql,
					feeds,
					sql`select source, as_of, state from datacenter_facilities`,
				)}))`,
		);
	};
}

type Filters = Omit<Params<"listDatacenters">, "sort" | "order" | "page" | "per_page">;

function facilityCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [filters.duplicates ? sql`true` : sql`f.same_as is null`];
	const when = <T>(value: T | undefined, part: (value: T) => Fragment) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.state, (value) => sql`f.state = ${value}`);
	// The largest list names no operators, and most of its names begin with one.
	when(filters.operator, (value) => sql`coalesce(f.operator, f.name) ilike ${containing(value)}`);
	when(
		filters.q,
		(value) => sql`concat_ws(chr(10), f.name, f.operator, f.address, f.city, f.market) ilike ${containing(value)}`,
	);
	when(filters.status, (value) => sql`f.status = ${value}`);
	when(filters.capacity_min, (value) => sql`f.capacity_mw >= ${value}`);
	when(filters.source, (value) => sql`f.source = ${value}`);
	if (filters.lat !== undefined && filters.lon !== undefined)
		parts.push(
			sql`distance_km(f.lat, f.lon, ${filters.lat}::float8, ${filters.lon}::float8) <= ${filters.radius_km}::float8`,
		);
	return parts.reduce((all, part) => sql`${all} and ${part}`);
}
