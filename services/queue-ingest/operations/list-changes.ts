import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { changeCounts } from "./change-counts.ts";
import { containing } from "./project-filters.ts";

export function listChanges({ sql, now }: Resources): Handler<"listChanges"> {
	return async ({ since_days, region, change_type, developer, page, per_page }) => {
		const since = new Date(now().getTime() - since_days * 86_400_000);
		const kept = sql`true
			${region === undefined ? sql`` : sql`and c.region = ${region}`}
			${change_type === undefined ? sql`` : sql`and c.change_type = ${change_type}`}`;
		const condition = sql`c.detected_at >= ${since.toISOString()}::timestamptz and ${kept}
			${
				developer === undefined
					? sql``
					: sql`and exists (select from projects p where p.id = c.project_id and (p.developer ilike ${containing(developer)} or p.developer_canonical ilike ${containing(developer)}))`
			}`;
		return oneJsonReply<Reply<"listChanges">>(
			sql,
			sql`
			select json_build_object(
				'total', ${
					developer === undefined
						? sql`(select coalesce(sum(changes), 0) from ${changeCounts(sql, since)} c where ${kept})`
						: sql`(select count(*) from changes c where ${condition})`
				},
				'page', ${page}::int, 'per_page', ${per_page}::int,
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select seq, iso(detected_at) as detected_at, project_id, queue_id, region, kind, change_type, field_name, old_value, new_value,
						project_name, developer_canonical, capacity_mw, type_std, state
					from changes c where ${condition} order by seq desc limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'))`,
		);
	};
}
