/** The bundled sample, loaded once a run: worlds with the sample have a copy of that database, which takes a fraction of what loading takes. */
import { execute } from "../../deploy/engines/postgres-roles.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { loadSample } from "../../services/queue-ingest/admin/sample/load.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { schema as scoringSchema } from "../../services/scoring/migrate.ts";
import { loadSample as loadScoringSample } from "../../services/scoring/references/load-folder.ts";
import { loadSample as loadSignalsSample } from "../../services/signals/ingest/sample.ts";
import { schema as signalsSchema } from "../../services/signals/migrate.ts";
import { createDatabase, place, type TestDatabase } from "./database.ts";

/** A migrated database of one's own in which the sample was loaded today; nothing of it has been published yet. */
export async function createSampleDatabase(service: string, now: Date): Promise<TestDatabase> {
	const { server, template } = place();
	// The sample's days go by the clock, and a run may last beyond midnight.
	const name = `${template}_${now.toISOString().slice(0, 10)}`;
	await using administrator = connect(server, { schema: "public", name: "tests", max: 1, statementTimeoutMs: 0 });
	// One of the processes that need it at once makes it. The lock ends with the connection.
	await administrator`select pg_advisory_lock(hashtext(${name}))`;
	const [known] = await administrator`select from pg_database where datname = ${name}`;
	if (known === undefined) {
		await using made = await createDatabase(service);
		await loadSamples(made.urlOf, now);
		const { pathname } = new URL(made.adminUrl);
		await execute(administrator, "alter database %I rename to %I", pathname.slice(1), name);
	}
	await administrator`select pg_advisory_unlock(hashtext(${name}))`;
	return await createDatabase(service, name);
}

/** Loads the bundled sample of every service into a migrated database. */
export async function loadSamples(urlOf: (service: string) => string, now: Date): Promise<void> {
	const options = { now: () => now, report: () => {} };
	await using scoring = connect(urlOf("scoring"), { schema: scoringSchema, name: "sample", max: 2 });
	await loadScoringSample(scoring, options);
	await using queues = connect(urlOf("queue-ingest"), { schema, name: "sample", max: 2 });
	await loadSample(queues, options);
	await using signals = connect(urlOf("signals"), { schema: signalsSchema, name: "sample", max: 2 });
	await loadSignalsSample(signals, options);
}
