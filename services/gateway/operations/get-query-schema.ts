import type { Bus } from "#libs/bus/connect.ts";
import { requestJson } from "#libs/bus/request.ts";
import { type Database, databases, queryLimits } from "#libs/contract/databases.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";

/** In the order of the vocabulary. */
export function getQuerySchema(bus: Bus, timeoutMs: number): Handler<"getQuerySchema"> {
	return async ({ database }) => {
		const wanted: readonly Database[] = database === undefined ? databases : [database];
		const described = await requestJson(bus, "describeViews", {}, { timeoutMs });
		const reply: Reply<"getQuerySchema"> = {
			databases: wanted.flatMap((name) => described.databases.find((each) => each.name === name) ?? []),
			limits: {
				sql_characters: queryLimits.sqlCharacters,
				rows: queryLimits.rows,
				bytes: queryLimits.bytes,
				row_bytes: queryLimits.rowBytes,
				timeout_ms: queryLimits.timeoutMs,
				at_once: queryLimits.atOnce,
			},
			functions: described.functions,
			macros: described.macros.filter(({ database: of }) => wanted.includes(of)),
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
