/** Whether a key is still good is for the gateway to say, at each request: the clock goes on while it keeps the answer. */
import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { grantOf, keysInFull } from "../domain/keys.ts";
import type { Resources } from "../resources.ts";

export const resolveKey =
	({ sql }: Resources): Handler<"resolveKey"> =>
	async ({ sha256 }) =>
		oneJsonReply<Reply<"resolveKey">>(
			sql,
			sql`
			select json_build_object('grant', (select ${grantOf(sql)} from ${keysInFull(sql)} where k.sha256 = ${sha256}))`,
		);
