import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";

export function readCredits({ sql, now }: Resources): Handler<"readCredits"> {
	return async ({ sha256 }) => {
		const today = now().toISOString().slice(0, 10);
		const { json } = await oneJsonReply<Reply<"readCredits">>(
			sql,
			sql`select json_build_object('credits', (
				select json_build_object('credits_id', id, 'hint', hint, 'balance_micro_usd', balance_micro_usd,
					'daily_cap_micro_usd', daily_cap_micro_usd,
					'spent_today_micro_usd', case when spent_on = ${today} then spent_micro_usd else 0 end,
					'created_at', iso(created_at))
				from credits where sha256 = ${sha256}))`,
		);
		return { json, dataVersion: 0 };
	};
}
