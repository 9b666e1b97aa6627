import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/reply.ts";

export const getDispute =
	(sql: Sql): Handler<"getDispute"> =>
	({ dispute_id }) =>
		showDispute(sql, dispute_id);

/** What its author wrote is not shown before a person has read it, nor after. @throws AppError 404 */
export async function showDispute(sql: Sql, id: number): Promise<Versioned<Reply<"getDispute">>> {
	const found = await jsonReply<Reply<"getDispute">>(
		sql,
		sql`select json_build_object('dispute_id', dispute_id, 'state', state, 'about', about, 'project_id', project_id, 'field', field,
				'developer_id', developer_id, 'identifier', scheme || ':' || value, 'stated', stated, 'opened_at', iso(opened_at),
				'settled_at', iso(settled_at), 'decision', decision)
			from disputes where dispute_id = ${id}`,
	);
	if (found === null) throw notFound(`no dispute ${id}`);
	return found;
}
