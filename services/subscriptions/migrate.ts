/** Applies this service's migrations. It is a separate program, which runs before the service starts. */
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";

export const schema = "subscriptions";

/** `url` connects as the role that owns the schema. @returns the names of the applied migrations */
export function migrate(url: string): Promise<string[]> {
	return migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
}

if (import.meta.main) await runMigrate(schema, migrate);
