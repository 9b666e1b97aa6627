import type { Handler } from "#libs/contract/index.ts";
import { capKey as cap } from "../domain/keys.ts";
import type { Resources } from "../resources.ts";

export const capKey =
	({ sql, now }: Resources): Handler<"capKey"> =>
	async ({ key_id: keyId, daily_queries: dailyQueries }) => ({
		json: JSON.stringify(await sql.begin((tx) => cap(tx, { keyId, dailyQueries, at: now() }))),
		dataVersion: 0,
	});
