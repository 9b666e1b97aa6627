import type { Handler } from "#libs/contract/index.ts";
import { replyList } from "#libs/postgres/list.ts";
import type { Resources } from "../../resources.ts";
import { findingCondition } from "../integrity-findings.ts";

export function listIntegrityFindings({ sql, now }: Resources): Handler<"listIntegrityFindings"> {
	return async ({ page, per_page, cursor, ...filters }) => {
		const { finding, region } = filters;
		return replyList(
			sql,
			{
				filters,
				chosen: sql`projects where ${findingCondition(sql, finding, now())}
					${region === undefined ? sql`` : sql`and region = ${region}`}`,
				sort: [{ column: "id" }],
				rows: sql`select p.id, p.region, p.name, p.status, p.status_std, p.queue_date, p.cod, p.actual_cod, p.energized_date,
						p.withdrawn_date, p.capacity_mw, iso(p.last_changed_at) as last_changed_at
					from page join projects p using (id)`,
			},
			{ page, per_page, cursor },
		);
	};
}
