/** Brings this service's schema up to date. A program of its own: migrations run before a service starts, never in a request. */
import { migrate as migrateSchema } from "#libs/postgres/migrate.ts";

export const schema = "billing";

/** Applies what is missing and answers its names. `url` is of the role that owns the schema. */
export function migrate(url: string): Promise<string[]> {
	return migrateSchema(url, schema, new URL("./migrations/", import.meta.url));
}

if (import.meta.main) {
	const url = process.env.POSTGRES_URL;
	if (url === undefined) {
		console.error("POSTGRES_URL is not set: the address of the billing role's database");
		process.exit(1);
	}
	const applied = await migrate(url);
	console.log(applied.length === 0 ? "billing: nothing to migrate" : `billing: ${applied.join(", ")}`);
}
