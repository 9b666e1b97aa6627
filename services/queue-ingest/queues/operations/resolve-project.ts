import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { resolveProject as idOf } from "./get-project.ts";

export function resolveProject(sql: Sql): Handler<"resolveProject"> {
	return async ({ project_id, region }) => {
		const id = await idOf(sql, project_id, region);
		return oneJsonReply<Reply<"resolveProject">>(sql, sql`select json_build_object('id', ${id}::text)`);
	};
}
