import { type Database, databaseOwners, databases, queryLimits } from "#libs/contract/databases.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { functionNames } from "#libs/postgres/sandbox/functions.ts";
import type { AskOwners } from "./ask-owners.ts";

const operationOf = {
	"queue-ingest": "describeQueueViews",
	signals: "describeSignalViews",
	scoring: "describeScoringViews",
} as const;

/** In the order of the vocabulary, from whoever owns them. */
export function getQuerySchema(ask: AskOwners): Handler<"getQuerySchema"> {
	return async ({ database }) => {
		const wanted: readonly Database[] = database === undefined ? databases : [database];
		const owners = [...new Set(wanted.map((name) => databaseOwners[name]))];
		const parts = await Promise.all(owners.map((owner) => ask(operationOf[owner])));
		const described = parts.flatMap((part) => part.databases);
		const reply: Reply<"getQuerySchema"> = {
			databases: wanted.flatMap((name) => described.find((each) => each.name === name) ?? []),
			limits: {
				sql_characters: queryLimits.sqlCharacters,
				rows: queryLimits.rows,
				bytes: queryLimits.bytes,
				row_bytes: queryLimits.rowBytes,
				timeout_ms: queryLimits.timeoutMs,
				at_once: queryLimits.atOnce,
			},
			functions: [...functionNames],
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
