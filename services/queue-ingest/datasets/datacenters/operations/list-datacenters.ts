import { containing } from "#libs/contract/filters/containing.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { describedSources } from "./datacenter-coverage.ts";

const feeds = ["datacenter-map", "datacenter-energy", "datacenter-guide"];

export function listDatacenters(sql: Sql): Handler<"listDatacenters"> {
	return async ({ sort, order, page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`datacenter_facilities f where ${facilityCondition(sql, filters)}`,
				sort: [{ column: sort, order, nullable: true }, { column: "id" }],
				rows: sql`select f.id, f.same_as, f.name, f.operator, f.status, f.status_filed, f.facility_type, f.address, f.city, f.county,
						f.state, f.lat, f.lon, f.location_precision, f.capacity_mw, f.energy_low_mwh_year, f.energy_high_mwh_year,
						f.market, f.year_opened, f.address is null as may_repeat, f.source, f.as_of
					from page join datacenter_facilities f using (id)`,
				fields: {
					coverage: sql`select json_build_object('sources', ${describedSources(
						sql,
						feeds,
						sql`select source, as_of, state from datacenter_facilities`,
					)})`,
				},
			},
			{ page, per_page, cursor },
		);
}

type Filters = Omit<Params<"listDatacenters">, "sort" | "order" | "page" | "per_page" | "cursor">;

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
