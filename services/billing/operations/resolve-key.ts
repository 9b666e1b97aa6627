/** The gateway checks the expiry at each request: a key may expire while the reply is cached. */
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
