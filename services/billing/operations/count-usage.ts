import { invalid } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { firstDayOf, isMonth } from "../domain/usage.ts";
import type { Resources } from "../resources.ts";

/** Counted queries of an account in a month; 0 for an unknown account. */
export function countUsage({ sql }: Resources): Handler<"countUsage"> {
	return async ({ account_id, month }) => {
		if (!isMonth(month)) throw invalid([{ loc: ["query", "month"], msg: "is no month of the calendar" }]);
		const from = firstDayOf(month);
		return oneJsonReply<Reply<"countUsage">>(
			sql,
			sql`
			select json_build_object('counted', coalesce(sum(counted), 0)) from usage_hours
			where account_id = ${account_id} and hour >= ${from}::timestamptz and hour < ${from}::timestamptz + interval '1 month'`,
		);
	};
}
