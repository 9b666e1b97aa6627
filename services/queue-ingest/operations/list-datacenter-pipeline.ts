import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { datacentersToCome, regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { describedSources } from "./datacenter-coverage.ts";

/** Whose published lists have requests of loads (queues.md 8.2); the others keep theirs to themselves. */
const publishers = ["NYISO"];

export function listDatacenterPipeline(sql: Sql): Handler<"listDatacenterPipeline"> {
	return async ({ sort, order, page, per_page, kind, status, ...filters }) => {
		const found = pipelineCondition(sql, filters);
		const ofKind = kind === "all" ? sql`true` : sql`p.kind = ${kind}`;
		const ofStatus = statusCondition(sql, status);
		const condition = sql`${found} and ${ofKind} and ${ofStatus}`;
		const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
		return oneJsonReply<Reply<"listDatacenterPipeline">>(
			sql,
			sql`
			with pipeline as materialized (select * from datacenter_pipeline)
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(r)) from (
					select * from pipeline p where ${condition}
					order by p.${sql(sort)} ${direction}, p.id limit ${per_page} offset ${(page - 1) * per_page}) r), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8)) from pipeline p where ${condition}),
				'coverage', json_build_object(
					'left_out', (select json_build_object('by_kind', count(*) filter (where not (${ofKind})),
						'by_status', count(*) filter (where ${ofKind} and not (${ofStatus}))) from pipeline p where ${found}),
					'sources', ${describedSources(sql, ["datacenter-proposals"], sql`select source, as_of, state from pipeline`)},
					'load_requests', json_build_object('published_by', ${publishers}::text[],
						'not_published_by', ${regions.filter((region) => !publishers.includes(region))}::text[])))`,
		);
	};
}

type Filters = Omit<Params<"listDatacenterPipeline">, "sort" | "order" | "page" | "per_page" | "kind" | "status">;

/** Never unknown: what is counted as left out is what this is not true of. */
function statusCondition(sql: Sql, status: Params<"listDatacenterPipeline">["status"]): Fragment {
	if (status === "all") return sql`true`;
	return sql`coalesce(p.status_std = any(${status === "to_come" ? [...datacentersToCome] : [status]}::text[]), false)`;
}

function pipelineCondition(sql: Sql, filters: Filters): Fragment {
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
