/** Brings this service's schema up to date. A program of its own: migrations run before a service starts, never in a request. */
import { connect } from "#libs/postgres/connect.ts";
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";
import { syncRegister } from "./jobs/register.ts";

export const schema = "queue_ingest";

/** Applies what is missing, the register of developers too, and answers its names. `url` is of the role that owns the schema. */
export async function migrate(url: string): Promise<string[]> {
	const applied = await migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
	await using sql = connect(url, { schema, name: "queue-ingest-register", max: 1, statementTimeoutMs: 0 });
	return (await syncRegister(sql)) ? [...applied, "register of developers"] : applied;
}

if (import.meta.main) {
	const url = process.env.POSTGRES_URL;
	if (url === undefined) {
		console.error("POSTGRES_URL is not set: the address of the queue_ingest role's database");
		process.exit(1);
	}
	const applied = await migrate(url);
	console.log(applied.length === 0 ? "queue_ingest: nothing to migrate" : `queue_ingest: ${applied.join(", ")}`);
}
