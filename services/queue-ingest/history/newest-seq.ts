import { invalid } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";

/** Highest `seq` of the change feed; 0 while it is empty. */
export async function newestSeq(sql: Sql | Transaction): Promise<number> {
	const [row] = await sql<{ seq: number }[]>`select coalesce(max(seq), 0) as seq from changes`;
	return row?.seq ?? 0;
}

export function readNewestSeq(sql: Sql): Handler<"readNewestSeq"> {
	return () =>
		oneJsonReply<Reply<"readNewestSeq">>(sql, sql`select json_build_object('seq', coalesce(max(seq), 0)) from changes`);
}

/** Returns the newest `seq`. `params`: values of `seq` in the request, by parameter. @throws AppError 422 if one of them is higher */
export async function checkSeq(sql: Sql, params: Record<string, number | undefined>): Promise<number> {
	const seq = await newestSeq(sql);
	const errors = Object.entries(params).flatMap(([name, value = 0]) =>
		value > seq ? [{ loc: ["query", name], msg: `is higher than the newest change, ${seq}` }] : [],
	);
	if (errors.length > 0) throw invalid(errors);
	return seq;
}
