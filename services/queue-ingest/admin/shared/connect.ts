/** Connects a command to the running system's database, without a statement timeout. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databaseUrl } from "#libs/service/program.ts";
import { schema } from "../../migrate.ts";

export const connectAs = (name: string, env: NodeJS.ProcessEnv, max: number): Sql & AsyncDisposable =>
	connect(databaseUrl(env), { schema, name, max, statementTimeoutMs: 0, plansAnew: true });
