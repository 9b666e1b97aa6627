/** Brings this service's schema up to date. Runs as a separate program, because migrations run before a service starts, never in a request. */
import { connect } from "#libs/postgres/connect.ts";
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { runMigrate } from "#libs/service/program.ts";
import { syncRegister } from "./developers/jobs/register.ts";
import { projectBody } from "./queues/project-body.ts";

export const schema = "queue_ingest";

/** Applies the missing migrations and the register of developers, and returns the names of what was applied. `url` is for the role that owns the schema. */
export async function migrate(url: string): Promise<string[]> {
	const applied = await migrateSchema(url, schema, new URL("./migrations/", import.meta.url), {
		repeatable: [projectBody],
	});
	await using sql = connect(url, { schema, name: "queue-ingest-register", max: 1, statementTimeoutMs: 0 });
	return (await syncRegister(sql)) ? [...applied, "register of developers"] : applied;
}

if (import.meta.main) await runMigrate(schema, migrate);
