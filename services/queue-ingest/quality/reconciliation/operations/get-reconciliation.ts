import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { rules } from "../rules.ts";

export function getReconciliation(sql: Sql): Handler<"getReconciliation"> {
	const says = JSON.stringify(Object.fromEntries(Object.entries(rules).map(([rule, reason]) => [rule, reason.says])));
	return async ({ region, source }) =>
		oneJsonReply<Reply<"getReconciliation">>(
			sql,
			sql`
			select json_build_object(
				'computed_at', (select iso(computed_at) from reconciled_editions),
				'data', coalesce((select json_agg(r.body order by r.place) from reconciliations r
					where ${region === undefined ? sql`true` : sql`r.region = any(${region})`}
						and ${source === undefined ? sql`true` : sql`r.source = any(${source})`}), '[]'),
				'rules', ${says}::text::json)`,
		);
}
