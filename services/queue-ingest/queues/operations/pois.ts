/** The register of points of interconnection, read from the requests that name them. */

import { notFound } from "#libs/contract/errors.ts";
import { containing } from "#libs/contract/filters/meanings.ts";
import { activeMw, waitingCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import type { Resources } from "../../resources.ts";
import { findSpellingRule } from "../poi.ts";

/** Maximum requests of a point that a response lists or whose costs are read. Totals include all requests. */
const maxRequests = 500;

/** Selects the points of requests that fulfill a condition: generation requests, including those of utilities. */
const pointsOf = (sql: Sql, condition: Fragment): Fragment => sql`
	select poi_id, mode() within group (order by p.poi) as name, substring(poi_id from '-(\\d+(?:\\.\\d+)?)kv$')::float8 as voltage_kv,
		min(p.region) as region, mode() within group (order by p.utility) as utility, mode() within group (order by p.state) as state,
		mode() within group (order by p.county) as county,
		${coordinate(sql, sql`p.lat`, 1)} as lat, ${coordinate(sql, sql`p.lon`, 2)} as lon,
		case when bool_or(p.location_precision = 'poi') then 'poi' when bool_or(p.location_precision = 'county') then 'county' end
			as location_precision,
		${sortedBy(sql)}, ${megawatts(sql, sql`p.capacity_mw`, sql`true`)} as capacity_mw,
		count(*) filter (where p.status_std = 'Operational' and ${waitingCondition<Fragment>(sql)} is not true) as operational_requests,
		count(*) filter (where p.status_std = 'Withdrawn') as withdrawn_requests
	${byPoint(sql, condition)}`;

/** Mean of the filed coordinates, or, if none are filed, the center of the county that most requests name. */
const coordinate = (sql: Sql, filed: Fragment, place: number): Fragment => sql`coalesce(
	round(avg((${filed})::numeric) filter (where p.location_precision = 'poi'), 6)::float8,
	(mode() within group (order by array[p.lat, p.lon]) filter (where p.location_precision = 'county'))[${place}::integer])`;

const byPoint = (sql: Sql, condition: Fragment): Fragment => sql`
	from projects p where p.poi_id is not null and p.kind in ('generation', 'utility') and ${condition} group by poi_id`;

/** Columns that lists of points can be sorted by. All others are computed only for the page. */
const sortedBy = (sql: Sql): Fragment => sql`
	count(*) as requests, count(*) filter (where ${waitingCondition<Fragment>(sql)}) as active_requests,
	${megawatts(sql, activeMw<Fragment>(sql), waitingCondition<Fragment>(sql))} as active_mw,
	${megawatts(sql, sql`p.capacity_mw`, sql`p.status_std = 'Withdrawn'`)} as withdrawn_mw`;

const megawatts = (sql: Sql, mw: Fragment, condition: Fragment): Fragment =>
	sql`coalesce(round(sum((${mw})::numeric) filter (where ${condition}), 3), 0)::float8`;

const inBox = (sql: Sql, [west, south, east, north]: [number, number, number, number]): Fragment =>
	sql`p.lat between ${south} and ${north} and p.lon between ${west} and ${east}`;

export function listPois(sql: Sql): Handler<"listPois"> {
	return async ({ sort, order, page, per_page, cursor, ...filters }) => {
		const { region, state, q, bbox } = filters;
		const nameFilter = sql`
			${region === undefined ? sql`` : sql`and p.region = any(${region}::text[])`}
			${state === undefined ? sql`` : sql`and p.state = any(${state}::text[])`}
			${bbox === undefined ? sql`` : sql`and p.location_precision <> 'state' and ${inBox(sql, bbox)}`}
			${q === undefined ? sql`` : sql`and p.poi ilike ${containing(q)}`}`;
		// All requests of a point count, including those that spell it differently.
		const condition = sql`p.poi_id in (select p.poi_id from projects p where p.kind in ('generation', 'utility') ${nameFilter})`;
		const list = {
			filters,
			tables: sql`points as materialized (select poi_id, ${sortedBy(sql)} ${byPoint(sql, condition)}),`,
			chosen: sql`points where true`,
			sort: sort === "poi_id" ? [{ column: sort, order }] : [{ column: sort, order }, { column: "poi_id" }],
			rows: sql`
				select shown.* from page join (${pointsOf(sql, sql`p.poi_id in (select poi_id from page)`)}) shown using (poi_id)`,
		};
		return replyList(sql, list, { page, per_page, cursor });
	};
}

type Answer = Reply<"getPoi">;

/** @throws AppError 404 if no request names the point */
export function getPoi({ sql, costs }: Resources): Handler<"getPoi"> {
	return async ({ poi_id }) => {
		const reply = await jsonReply<unknown>(sql, readPoint(sql, poi_id));
		if (reply === null) throw notFound(`no request names the point of interconnection ${poi_id}`);
		const { members, aliases, ...point } = JSON.parse(reply.json.toString()) as Omit<Answer, "upgrade_costs"> & {
			members: string[];
		};
		const answer: Answer = {
			...point,
			aliases: aliases.map((alias) => ({ ...alias, evidence: findSpellingRule(alias.name, point.name) })),
			upgrade_costs: (await costs?.(members)) ?? null,
		};
		return { ...reply, json: JSON.stringify(answer) };
	};
}

/** Values of `cluster` for requests that are studied one by one. */
const serialClusterPattern = "serial|amend|sgip|^ft$|^isp$|fast|surplus|replacement|priority|no_cycle|0mw";

function readPoint(sql: Sql, poiId: string): Fragment {
	const countBy = (column: Fragment, name: string) => sql`(
		select coalesce(json_agg(json_build_object(${name}::text, value, 'requests', requests, 'capacity_mw', mw) order by requests desc, value), '[]')
		from (select ${column} as value, count(*) as requests, ${megawatts(sql, sql`p.capacity_mw`, sql`true`)} as mw
			from members p group by 1) counted)`;
	const sumOthers = (condition: Fragment) => sql`json_build_object('requests', count(o.id) filter (where ${condition}),
		'capacity_mw', ${megawatts(sql, sql`o.mw`, condition)})`;
	return sql`
		with members as materialized (
			select * from projects where poi_id = ${poiId} and kind in ('generation', 'utility')),
		line as (
			select p.id, case when p.cluster ~* ${serialClusterPattern} then null else p.cluster end as cluster, p.queue_date, p.capacity_mw,
				${activeMw<Fragment>(sql)} as mw, p.region
			from members p where ${waitingCondition<Fragment>(sql)}),
		clusters as (
			select c.cluster, percentile_disc(0.5) within group (order by c.queue_date) as since
			from projects c where (c.region, c.cluster) in (select region, cluster from line) group by 1),
		placed as (
			select line.*, coalesce(clusters.since, line.queue_date) as since from line left join clusters using (cluster)),
		waiting as (
			select w.id, w.cluster, w.queue_date, w.capacity_mw, w.since,
				case when w.since is not null then ${sumOthers(sql`(o.cluster = w.cluster) is not true and o.since < w.since`)} end as ahead,
				case when w.cluster is not null then ${sumOthers(sql`o.cluster = w.cluster`)} end as same_cluster
			from placed w left join placed o on o.id <> w.id
			group by w.id, w.cluster, w.queue_date, w.capacity_mw, w.since)
		select (select to_jsonb(points) from (${pointsOf(sql, sql`p.poi_id = ${poiId}`)}) points) || jsonb_build_object(
			'members', (select json_agg(id) from (select id from members order by id limit ${maxRequests}) costed),
			'related', (select coalesce(json_agg(json_build_object('id', r.project_id, 'relation', r.relation, 'other_id', r.other_id,
				'method', r.method, 'confidence', r.confidence, 'evidence', r.evidence) order by r.project_id, r.other_id), '[]')
				from (select r.* from request_relations r join members on members.id = r.project_id order by 1, 2 limit ${maxRequests}) r),
			'aliases', (select json_agg(json_build_object('name', name, 'requests', requests) order by requests desc, name)
				from (select p.poi as name, count(*) as requests from members p group by 1) spelled),
			'by_status', ${countBy(sql`p.status_std`, "status")}, 'by_stage', ${countBy(sql`p.construction_stage`, "construction_stage")},
			'waiting', (select coalesce(json_agg(json_build_object('id', id, 'cluster', cluster, 'queue_date', queue_date,
				'capacity_mw', capacity_mw, 'ahead', ahead, 'same_cluster', same_cluster) order by since, queue_date, id), '[]')
				from (select * from waiting order by since, queue_date, id limit ${maxRequests}) first))`;
}
