/**
 * Says every current project again, at its version, through the outbox: for a new consumer, a rebuild from zero or a lost stream.
 *
 *   republish project.changed
 *
 * Consumers keep what is newer by `version`; each run uses fresh event ids, so that an inbox does not swallow it.
 */

import { subjectOf } from "#libs/contract/event.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { connect } from "#libs/postgres/connect.ts";
import { wakeRelay } from "#libs/postgres/outbox.ts";
import { schema } from "./migrate.ts";

async function republishProjects(url: string): Promise<number> {
	await using sql = connect(url, { schema, name: "republish", max: 1, statementTimeoutMs: 0 });
	return sql.begin(async (tx) => {
		const run = Date.now();
		const inserted = await tx`
			insert into outbox (event_id, subject, payload)
			select event.id, ${subjectOf(projectChanged)},
				'{"id":' || to_json(event.id) || ',"occurred_at":"' || iso(now()) || '","version":' || p.version || ',"as_of":"'
				|| iso(p.last_changed_at) || '","project":' || p.body || ',"changes":[]}'
			from projects p cross join lateral (select 'project.changed:' || p.id || ':' || p.version || ':again:' || ${run}::text as id) event
			order by p.id`;
		await wakeRelay(tx);
		return inserted.count;
	});
}

const [name] = process.argv.slice(2);
if (name !== projectChanged.name) {
	console.error(`usage: republish ${projectChanged.name}`);
	process.exitCode = 1;
} else if (process.env.POSTGRES_URL === undefined) {
	console.error("POSTGRES_URL is not set: is the system running (npm run up)?");
	process.exitCode = 1;
} else {
	console.log(`${await republishProjects(process.env.POSTGRES_URL)} events are on their way`);
}
