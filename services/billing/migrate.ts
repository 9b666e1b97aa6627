/** Migrates this service's schema. It is a separate program, because migrations run before the service starts, never in a request. */
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";

export const schema = "billing";

/** Applies pending migrations. `url` connects as the role that owns the schema. @returns the names of the applied migrations */
export function migrate(url: string): Promise<string[]> {
	return migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
}

if (import.meta.main) await runMigrate(schema, migrate);
