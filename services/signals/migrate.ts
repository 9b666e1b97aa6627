/** Migrates the schema. Migrations run before a service starts, never in a request. */
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";

export const schema = "signals";

/** Returns the names of the applied migrations. `url`: database address with the role that owns the schema. */
export async function migrate(url: string): Promise<string[]> {
	return migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
}

if (import.meta.main) await runMigrate(schema, migrate);
