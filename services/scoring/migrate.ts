/** Migrates this service's schema. It is a separate program, because migrations run before the service starts, never in a request. */
import { connect } from "#libs/postgres/connect.ts";
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";
import { currentVersion } from "./domain/score/version.ts";

export const schema = "scoring";

/** Applies pending migrations. `url` connects as the role that owns the schema. @returns the names of the migrations applied */
export async function migrate(url: string): Promise<string[]> {
	const applied = await migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
	await using sql = connect(url, { schema, name: "migrate", max: 1 });
	// An existing system switches to this version when the service starts (`serveCurrentVersion`).
	await sql`insert into settings (active_version) values (${currentVersion}) on conflict do nothing`;
	return applied;
}

if (import.meta.main) await runMigrate(schema, migrate);
