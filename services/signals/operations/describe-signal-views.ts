import { databasesOf } from "#libs/contract/databases.ts";
import type { Handler } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { describeViews } from "#libs/postgres/sandbox/describe-views.ts";

export function describeSignalViews(sql: Sql): Handler<"describeSignalViews"> {
	return () => describeViews(sql, databasesOf("signals"));
}
