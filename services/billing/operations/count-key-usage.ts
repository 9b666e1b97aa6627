import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";

/** Counted queries of one key on a day, request by request: the sums of hours are of accounts. */
export function countKeyUsage({ sql }: Resources): Handler<"countKeyUsage"> {
	return async ({ key_id, day }) =>
		oneJsonReply<Reply<"countKeyUsage">>(
			sql,
			sql`
			select json_build_object('counted', count(*)) from usage
			where account_id = (select account_id from keys where id = ${key_id}) and key_id = ${key_id} and counted
				and occurred_at >= ${day}::timestamptz and occurred_at < ${day}::timestamptz + interval '1 day'`,
		);
}
