import { notFound } from "#libs/contract/errors.ts";
import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import type { Status } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { findDeveloper } from "#libs/postgres/find-developer.ts";
import { readPage, replyList, writePage } from "#libs/postgres/replies/list.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import { coverageMeta, fewRequestsAt, metaPart } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { developersAt, refuseUnlisted, toDeveloperRows } from "../developers-at.ts";

/** Maximum project companies in a developer's profile. The largest developers have thousands of requests. */
const maxShells = 1_000;

export function getDeveloper(resources: Resources): Handler<"getDeveloper"> {
	const { sql } = resources;
	return async ({ developer_id, ...asOf }) => {
		checkDay(resources, asOf);
		const past = asOf.as_of !== undefined;
		const id = await resolveDeveloper(sql, developer_id, asOf);
		const rows = past ? toDeveloperRows(sql, developersAt(sql, asOf, sql`select ${id}::integer`)) : sql`developer_rows`;
		const found = await jsonReply<Reply<"getDeveloper">>(
			sql,
			sql`
			select json_build_object(${metaPart(sql, asOf)} 'data', row_to_json(profile)) from (
				select r.*,
					array(select alias from developer_aliases a where a.developer_id = d.developer_id order by alias) as aliases,
					${identifiersJson(sql)} as identifiers, d.headquarters_state, d.parent_company, d.certainty,
					${past ? sql`null::text as tax_credit_activity` : sql`d.tax_credit_activity`}, d.contact_published,
					json_build_object(
						'parent', ${parentJson(sql)}, 'subsidiaries', ${subsidiariesJson(sql)}, 'shells', ${shellsJson(sql, asOf)}
					) as relationships
				from developers d join ${rows} r using (developer_id) where d.developer_id = ${id}) profile`,
		);
		return found ?? refuseUnlisted(sql, id, developer_id);
	};
}

/** The parent if it is exactly one other company, with its id if it is a developer. */
const parentJson = (sql: Sql): Fragment => sql`(
	select json_build_object('name', d.parent_name, 'developer_id', (
		select min(o.developer_id) from developers o where o.developer_id <> d.developer_id
			and (o.canonical_name = d.parent_name or exists (
				select from developer_aliases a where a.developer_id = o.developer_id and a.alias = d.parent_name))))
	where d.parent_name <> d.canonical_name)`;

const identifiersJson = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(json_build_object('scheme', i.scheme, 'value', i.value, 'method', i.method, 'confidence', i.confidence,
		'evidence', i.evidence, 'source', i.source) order by i.scheme, i.confidence desc, i.value), '[]')
	from developer_identifiers i where i.developer_id = d.developer_id)`;

const subsidiariesJson = (sql: Sql): Fragment => sql`(
	select coalesce(json_agg(json_build_object('developer_id', s.developer_id, 'canonical_name', s.canonical_name, 'tier', s.tier)
		order by s.canonical_name), '[]')
	from developers s where s.developer_id <> d.developer_id and (s.parent_name = d.canonical_name or exists (
		select from developer_aliases a where a.developer_id = d.developer_id and a.alias = s.parent_name)))`;

const shellsJson = (sql: Sql, asOf: AsOf): Fragment => sql`(
	select coalesce(json_agg(json_build_object('name', raw_name, 'method', method, 'confidence', confidence,
		'project_count', projects) order by projects desc, raw_name), '[]')
	from (
		select l.raw_name, l.method, l.confidence, count(*) as projects
		from developer_links l join (select * from ${fewRequestsAt(sql, asOf)} true) p on p.developer_id = l.developer_id and p.developer = l.raw_name
		where l.developer_id = d.developer_id and l.is_shell group by 1, 2, 3
		order by projects desc, l.raw_name limit ${maxShells}) t)`;

/**
 * Finds a developer by its id, its canonical name or a name that no other developer has. For a past day, also finds developers without a
 * currently listed request. @throws AppError 404
 */
export async function resolveDeveloper(sql: Sql, wanted: string, asOf: AsOf = {}): Promise<number> {
	const developers = asOf.as_of !== undefined ? sql`developers` : sql`listed_developers`;
	const found = await findDeveloper(sql, wanted, { developers, aliases: sql`developer_aliases` });
	if (found === undefined) throw notFound(`no developer ${wanted}`);
	return found;
}

/** Columns by sort key of the contract, where `_std` marks a standardized value. */
const sortColumns = { capacity_mw: "capacity_mw", queue_date_std: "queue_date", status_std: "status_std" } as const;

export function listDeveloperProjects(resources: Resources): Handler<"listDeveloperProjects"> {
	const { sql } = resources;
	return async ({ developer_id, sort, order, page, per_page, cursor, fields, as_of, ...filters }) => {
		const asOf = { as_of };
		const past = asOf.as_of !== undefined;
		checkDay(resources, asOf);
		const id = await resolveDeveloper(sql, developer_id, asOf);
		const condition = sql`p.developer_id = ${id} and ${projectCondition(sql, filters)}`;
		const whole = sql`${fewRequestsAt(sql, asOf)} p.developer_id = ${id} and ${projectCondition(sql, {})}`;
		const isWhole = Object.entries(filters).every(([name, value]) => value === undefined || name === "population");
		const found = await readPage(
			sql,
			{
				filters: { id, ...filters, ...asOf },
				// The index projects_by_developer returns rows in the order of capacity.
				chosen: sql`${fewRequestsAt(sql, asOf)} ${condition}`,
				sort: [{ column: sortColumns[sort], order, nullable: true }, { column: "id" }],
				...(past && { columns: sql`${sql(sortColumns[sort])}, id, entry` }),
				rows: sql`select p.id, p.name, p.state, p.capacity_mw, p.construction_stage as stage
					from page join ${past ? sql`project_history p using (entry)` : sql`projects p using (id)`}`,
				meta: coverageMeta(sql, { ...filters, ...asOf }),
				...(isWhole &&
					!past &&
					filters.population === "transmission" && {
						total: sql`select total_projects from developers where developer_id = ${id}`,
					}),
				fields: {
					developer_id: sql`select ${id}::int`,
					developer: sql`select to_json(canonical_name) from developers where developer_id = ${id}`,
					total_projects: past
						? sql`select count(*) from ${whole}`
						: sql`select to_json(total_projects) from developers where developer_id = ${id}`,
					total_capacity_mw: past
						? sql`select mw(sum(capacity_mw)) from ${whole}`
						: sql`select portfolio -> 'total_capacity_mw' from developers where developer_id = ${id}`,
					by_stage: sql`select coalesce(json_object_agg(construction_stage, projects), '{}') from (
						select construction_stage, count(*) as projects from ${fewRequestsAt(sql, asOf)} ${condition} group by construction_stage) s`,
				},
			},
			{ page, per_page, cursor, fields },
		);
		return writePage(found, "projects");
	};
}

/** Adds each state of a request on the day on which it begins and subtracts it on the day on which it ends. */
export function getDeveloperHistory(sql: Sql): Handler<"getDeveloperHistory"> {
	return async ({ developer_id, order, page, per_page, cursor }) => {
		const id = await resolveDeveloper(sql, developer_id);
		return replyList(
			sql,
			{
				filters: { id },
				tables: sql`
					states as (
						select * from project_history where developer_id = ${id} and kind = 'generation' and listed = 'listed'),
					moves as (
						select (valid_from at time zone 'UTC')::date as day, 1 as sign, status_std, capacity_mw::numeric as mw from states
						union all
						select (valid_to at time zone 'UTC')::date, -1, status_std, capacity_mw::numeric from states where valid_to is not null),
					days as (
						select day, sum(sign) as total, coalesce(sum(sign * mw), 0) as total_mw,
							${sum(sql, "Active")} as active, ${sumMw(sql, "Active")} as active_mw,
							${sum(sql, "Operational")} as operational, ${sumMw(sql, "Operational")} as operating_mw,
							${sum(sql, "Withdrawn")} as withdrawn
						from moves group by day),
					portfolio as (
						select day, (sum(total) over so_far)::bigint as total_projects,
							round(sum(total_mw) over so_far, 3)::float8 as total_capacity_mw,
							(sum(active) over so_far)::bigint as active_projects,
							round(sum(active_mw) over so_far, 3)::float8 as active_capacity_mw,
							(sum(operational) over so_far)::bigint as operational_projects,
							round(sum(operating_mw) over so_far, 3)::float8 as operating_capacity_mw,
							(sum(withdrawn) over so_far)::bigint as withdrawn_projects
						from days
						-- Omits days on which states were replaced without changing a total.
						where (total, total_mw, active, active_mw, operational, operating_mw, withdrawn) <> (0, 0, 0, 0, 0, 0, 0)
						window so_far as (order by day)),`,
				chosen: sql`portfolio where true`,
				sort: [{ column: "day", order }],
				rows: sql`select portfolio.* from page join portfolio using (day)`,
				fields: {
					developer_id: sql`select ${id}::int`,
					developer: sql`select to_json(canonical_name) from developers where developer_id = ${id}`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

const sum = (sql: Sql, status: Status): Fragment => sql`coalesce(sum(sign) filter (where status_std = ${status}), 0)`;
const sumMw = (sql: Sql, status: Status): Fragment =>
	sql`coalesce(sum(sign * mw) filter (where status_std = ${status}), 0)`;
