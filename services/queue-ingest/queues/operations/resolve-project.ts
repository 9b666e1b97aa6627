import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { resolveState } from "./get-project.ts";

/** Also of a request that only lists of the past show. */
export function resolveProject(sql: Sql): Handler<"resolveProject"> {
	return async ({ project_id, region }) => {
		const id = await resolveState(sql, project_id, region);
		return oneJsonReply<Reply<"resolveProject">>(sql, sql`select json_build_object('id', ${id}::text)`);
	};
}
