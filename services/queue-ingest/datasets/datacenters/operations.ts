import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { plannedDatacenterStatuses, projectRegions, regions, states } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { operators } from "../../queues/sources/index.ts";

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
					coverage: sql`select json_build_object('sources', ${describeSources(
						sql,
						feeds,
						sql`select source, as_of, state from datacenter_facilities`,
					)}, 'not_loaded', ${notLoaded(sql, feeds)})`,
				},
			},
			{ page, per_page, cursor },
		);
}

type FacilityFilters = Omit<Params<"listDatacenters">, "sort" | "order" | "page" | "per_page" | "cursor">;

function facilityCondition(sql: Sql, filters: FacilityFilters): Fragment {
	const parts: Fragment[] = [filters.duplicates ? sql`true` : sql`f.same_as is null`];
	const when = <T>(value: T | undefined, part: (value: T) => Fragment) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.state, (value) => sql`f.state = ${value}`);
	// The largest list states no operators, but most of its facilities' names begin with one.
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

/** Operators that publish load requests. */
const publishers = projectRegions.filter((region) => operators[region].publishesLoads);
const pipelineFeeds = [
	"datacenter-proposals",
	...publishers.flatMap((region) => operators[region].lists.map(({ feed }) => feed)),
];

export function listDatacenterPipeline(sql: Sql): Handler<"listDatacenterPipeline"> {
	return async ({ sort, order, page, per_page, cursor, kind, status, ...filters }) => {
		const condition = pipelineCondition(sql, filters);
		const matchesKind = kind === "all" ? sql`true` : sql`p.kind = ${kind}`;
		const matchesStatus = statusCondition(sql, status);
		return replyList(
			sql,
			{
				filters: { ...filters, kind, status },
				tables: sql`pipeline as materialized (select * from datacenter_pipeline),`,
				chosen: sql`pipeline p where ${condition} and ${matchesKind} and ${matchesStatus}`,
				sort: [{ column: sort, order, nullable: true }, { column: "id" }],
				columns: sql`p.*`,
				rows: sql`select * from page`,
				fields: {
					coverage: sql`select json_build_object(
						'left_out', (select json_build_object('by_kind', count(*) filter (where not (${matchesKind})),
							'by_status', count(*) filter (where ${matchesKind} and not (${matchesStatus}))) from pipeline p where ${condition}),
						'sources', ${describeSources(sql, pipelineFeeds, sql`select source, as_of, state from pipeline`)},
						'not_loaded', ${notLoaded(sql, pipelineFeeds)},
						'load_requests', json_build_object('published_by', ${publishers}::text[],
							'not_published_by', ${regions.filter((region) => !publishers.includes(region))}::text[]))`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

type ProposalFilters = Omit<
	Params<"listDatacenterPipeline">,
	"sort" | "order" | "page" | "per_page" | "cursor" | "kind" | "status"
>;

/** The condition is never null, because its negation counts the omitted rows. */
function statusCondition(sql: Sql, status: Params<"listDatacenterPipeline">["status"]): Fragment {
	if (status === "all") return sql`true`;
	return sql`coalesce(p.status_std = any(${status === "to_come" ? [...plannedDatacenterStatuses] : [status]}::text[]), false)`;
}

function pipelineCondition(sql: Sql, filters: ProposalFilters): Fragment {
	const parts: Fragment[] = [];
	const when = <T>(value: T | undefined, part: (value: T) => Fragment) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.state, (value) => sql`p.state = ${value}`);
	when(filters.record, (value) => sql`p.record = ${value}`);
	when(filters.company, (value) => sql`array_to_string(p.companies, chr(10)) ilike ${containing(value)}`);
	when(
		filters.q,
		(value) =>
			sql`concat_ws(chr(10), p.name, p.town, p.address, array_to_string(p.counties, chr(10))) ilike ${containing(value)}`,
	);
	when(filters.capacity_min, (value) => sql`p.capacity_mw >= ${value}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

const sourceNotes: Record<string, string> = {
	"datacenter-map":
		"Name, street address and coordinates; neither operator, capacity nor status. Coordinates outside the state, or far from the rest of their market, are left out.",
	"datacenter-energy":
		"Brand and county, with a low and a high estimate of the yearly use of electricity. Placed at the county's center: other lists may hold the same facilities.",
	"datacenter-guide":
		"Large sites with operator, city, status and an estimate of the capacity. Placed at the city's center.",
	"datacenter-proposals":
		"Proposals with phase, companies, site and capacity, gathered from announcements and hearings.",
};
const queueNote = "Load requests of the operator's queue whose end use, or whose name, is a data center.";

/** SQL of a JSON array of the sources that have rows, in the order of `feeds`. `rows`: a query of source, as_of and state. */
function describeSources(sql: Sql, feeds: readonly string[], rows: Fragment): Fragment {
	return sql`
		coalesce((select json_agg(json_build_object('source', c.source, 'records', c.records, 'as_of', c.as_of,
				'says', concat_ws(' ', coalesce((${JSON.stringify(sourceNotes)}::text::jsonb) ->> c.source, ${queueNote}), ${uncoveredStates(sql)}))
			order by array_position(${feeds as string[]}::text[], c.source))
			from (select source, count(*) as records, max(as_of) as as_of, array_agg(distinct state) filter (where state is not null) as states from (${rows}) r group by source) c), '[]')`;
}

/** SQL of the lists without a loaded edition: the absence of their rows means nothing. */
const notLoaded = (sql: Sql, feeds: readonly string[]): Fragment => sql`array(
	select feed from unnest(${feeds as string[]}::text[]) with ordinality as known (feed, place)
	where not exists (select from feeds f where f.feed = known.feed and f.applied_sha256 is not null) order by place)`;

/** SQL of a note on the states that a list does not cover, although they may have data centers. Operators' queues need no such note. */
const uncoveredStates = (sql: Sql): Fragment => sql`(
	select 'It has none in ' || string_agg(code, ', ' order by code) || '.' from unnest(${states as string[]}::text[]) code
	where starts_with(c.source, 'datacenter-') and code <> all (coalesce(c.states, '{}')))`;
