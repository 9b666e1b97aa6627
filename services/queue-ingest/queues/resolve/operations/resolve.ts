import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { resolveQueries } from "../resolve-queries.ts";

export function resolve(sql: Sql): Handler<"resolve"> {
	return async (query) => {
		const dataVersion = await readDataVersion(sql);
		const [answer] = await resolveQueries(sql, [query]);
		return { json: JSON.stringify(answer), dataVersion };
	};
}

export function resolveMany(sql: Sql): Handler<"resolveMany"> {
	return async ({ queries }) => {
		const dataVersion = await readDataVersion(sql);
		return { json: JSON.stringify({ data: await resolveQueries(sql, queries) }), dataVersion };
	};
}
