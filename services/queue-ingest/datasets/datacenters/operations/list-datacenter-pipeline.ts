import { containing } from "#libs/contract/filters/containing.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { datacentersToCome, regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { operators } from "../../../queues/sources/index.ts";
import { describedSources } from "./datacenter-coverage.ts";

/** The others keep their requests of loads to themselves. */
const publishers: readonly string[] = regions.filter((region) => operators[region].publishesLoads);

export function listDatacenterPipeline(sql: Sql): Handler<"listDatacenterPipeline"> {
	return async ({ sort, order, page, per_page, cursor, kind, status, ...filters }) => {
		const found = pipelineCondition(sql, filters);
		const ofKind = kind === "all" ? sql`true` : sql`p.kind = ${kind}`;
		const ofStatus = statusCondition(sql, status);
		return replyList(
			sql,
			{
				filters: { ...filters, kind, status },
				tables: sql`pipeline as materialized (select * from datacenter_pipeline),`,
				chosen: sql`pipeline p where ${found} and ${ofKind} and ${ofStatus}`,
				sort: [{ column: sort, order, nullable: true }, { column: "id" }],
				columns: sql`p.*`,
				rows: sql`select * from page`,
				fields: {
					coverage: sql`select json_build_object(
						'left_out', (select json_build_object('by_kind', count(*) filter (where not (${ofKind})),
							'by_status', count(*) filter (where ${ofKind} and not (${ofStatus}))) from pipeline p where ${found}),
						'sources', ${describedSources(sql, ["datacenter-proposals"], sql`select source, as_of, state from pipeline`)},
						'load_requests', json_build_object('published_by', ${publishers}::text[],
							'not_published_by', ${regions.filter((region) => !publishers.includes(region))}::text[]))`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

type Filters = Omit<
	Params<"listDatacenterPipeline">,
	"sort" | "order" | "page" | "per_page" | "cursor" | "kind" | "status"
>;

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
