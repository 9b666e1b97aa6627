import { notFound } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";

/** A cap below what was spent today allows nothing more today: what was spent stays spent. */
export function capCredits({ sql }: Resources): Handler<"capCredits"> {
	return async ({ sha256, daily_cap_micro_usd: cap }) => {
		const capped = await sql`
			update credits set daily_cap_micro_usd = ${cap}::bigint,
				day_limit_micro_usd = case when ${cap}::bigint is not null then greatest(${cap}::bigint, spent_micro_usd) end
			where sha256 = ${sha256}`;
		if (capped.count === 0) throw notFound("There are no such credits.");
		return { json: "{}", dataVersion: 0 };
	};
}
