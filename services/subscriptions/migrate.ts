/** Applies this service's migrations. A separate program, which is run before the service starts. */
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";

export const schema = "subscriptions";

/** `url` connects as the role that owns the schema. @returns the names of the migrations that it applied */
export function migrate(url: string): Promise<string[]> {
	return migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
}

if (import.meta.main) await runMigrate(schema, migrate);
