import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { resolveProject as idOf } from "./get-project.ts";
import { readChangeLog } from "./read-change-log.ts";

export function listProjectChanges(sql: Sql): Handler<"listProjectChanges"> {
	return async ({ project_id, region, after, per_page, ...filters }) => {
		const id = await idOf(sql, project_id, region);
		return readChangeLog(sql, { ...filters, project_id: id }, { after, limit: per_page });
	};
}
