import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { metaPart, stateCondition } from "../../history/past.ts";
import { schedules } from "../../plants/sources/schedule.ts";
import type { Resources } from "../../resources.ts";
import { notListedError, resolveProjectId } from "./get-project.ts";

/** Condition on a column of years: the year had ended by the requested day. */
const endedBy =
	(sql: Sql, asOf: AsOf) =>
	(year: string): Fragment =>
		asOf.as_of !== undefined ? sql`make_date(${sql.unsafe(year)}, 12, 31) <= ${asOf.as_of}::text::date` : sql`true`;

/** Common table expressions: `linked` (the request and its plant), `recorded` (generators with owners, by year), `units` (newest records, not retired). */
export function ownedUnits(sql: Sql, id: string, asOf: AsOf): Fragment {
	const ended = endedBy(sql, asOf);
	return sql`
			with linked as (
				select p.queue_id, p.region, l.plant_id, l.link_kind, l.method, l.confidence, l.evidence
				from projects p left join project_plants l on l.project_id = p.id where p.id = ${id}),
			recorded as (
				select g.plant_id, g.generator_id, g.year, g.body::jsonb as body from generator_ownership g join linked l using (plant_id)
				where l.link_kind <> 'part' and g.body::jsonb -> 'owners' <> '[]' and ${ended("g.year")}),
			newest as (select distinct on (generator_id) * from recorded order by generator_id, year desc),
			units as (
				select plant_id, generator_id, year, body, (
					select (r.body ->> 'capacity_mw')::float8 from recorded r
					where r.generator_id = n.generator_id and r.body ->> 'capacity_mw' is not null order by r.year desc limit 1
				) as capacity_mw from newest n
				where coalesce(body ->> 'status', '') not in ('RE', 'CN', 'IP') and not exists (
					select from generators g where g.plant_id = n.plant_id and g.generator_id = n.generator_id
						and g.year > n.year and g.stage = 'retired' and ${ended("g.year")}))`;
}

/**
 * Returns the owners of a request's plant, with their shares of its capacity (or of the number of its generators if one lacks a capacity). Counts
 * generators that are not retired and have known owners, each as last reported: the newest year alone would omit generators of schedules
 * that are not loaded yet. Stated and inferred shares are separate rows. As of a past day, only years that had ended by it count; the link
 * to the plant is the present one.
 */
export function getOwnership(resources: Resources): Handler<"getOwnership"> {
	const { sql } = resources;
	return async ({ project_id, region, ...asOf }) => {
		checkDay(resources, asOf);
		const id = await resolveProjectId(sql, project_id, region);
		if (asOf.as_of !== undefined) {
			const listed =
				await sql`select from project_history p where id = ${id} and ${stateCondition<Fragment>(sql, asOf.as_of)}`;
			if (listed.count === 0) throw await notListedError(sql, id);
		}
		const ended = endedBy(sql, asOf);
		return oneJsonReply<Reply<"getOwnership">>(
			sql,
			sql`
			${ownedUnits(sql, id, asOf)},
			weighed as (
				select *, case when count(*) over () = count(capacity_mw) over () then capacity_mw / sum(capacity_mw) over ()
					else 1.0 / count(*) over () end as weight
				from units),
			owners as (
				select o ->> 'name' as owner_name, (o ->> 'owner_id')::integer as owner_utility_id,
					least(1, round(sum(weight * (o ->> 'fraction')::float8)::numeric, 6))::float8 as fraction_owned,
					min(o ->> 'city') as owner_city, min(o ->> 'state') as owner_state, body ->> 'source' as source,
					make_date(year, 12, 31) as report_date
				from weighed cross join lateral jsonb_array_elements(body -> 'owners') o
				group by o ->> 'name', o ->> 'owner_id', body ->> 'source', year)
			select json_build_object(${metaPart(sql, asOf)} 'queue_id', queue_id, 'region', region,
				'owners', coalesce((select json_agg(row_to_json(o) order by fraction_owned desc, owner_name, source) from owners o), '[]'),
				'plant', case when plant_id is not null then json_build_object('plant_id', plant_id,
					'plant_name', (select name from plants p where p.plant_id = linked.plant_id order by year desc limit 1),
					'link_kind', link_kind, 'method', method, 'confidence', confidence, 'evidence', evidence) end,
				'coverage', (select coalesce(json_agg(json_build_object('year', year, 'loaded', loaded, 'missing', missing) order by year), '[]')
					from (select year, array_agg(schedule order by schedule) as loaded,
						array(select unnest(${schedules}::text[]) except select unnest(array_agg(schedule)) order by 1) as missing
						from eia_schedules where ${ended("year")} group by year) s),
				'years', coalesce((select json_agg(distinct year order by year) from recorded), '[]'))
			from linked`,
		);
	};
}
