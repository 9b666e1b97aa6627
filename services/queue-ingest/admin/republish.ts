/**
 * Publishes every current aggregate again, at its version, through the outbox: for a new consumer, a consumer that starts over, or a lost stream.
 *
 *   republish project.changed | developer.changed | ownership.recorded | change.recorded
 *
 * Consumers keep the newest `version` of an aggregate. Each run uses new event ids, so that no inbox discards the events as duplicates.
 */
import {
	changeRecorded,
	developerChanged,
	ownershipRecorded,
	projectChanged,
} from "#libs/contract/events/queue-ingest.ts";
import { type Republishers, republishBy, runRepublish } from "#libs/service/program.ts";
import { publishDevelopers } from "../history/events/portfolios.ts";
import { publishChanges, publishProjects, withoutChanges } from "../history/events/publish.ts";
import { republishOwnership } from "../history/events/record-ownership.ts";
import { schema } from "../migrate.ts";

const republishers: Republishers = {
	[projectChanged.name]: (tx, idSuffix) =>
		publishProjects(tx, withoutChanges(tx, tx`select id from projects`), idSuffix),
	async [developerChanged.name](tx, idSuffix) {
		const all = await tx<{ id: number }[]>`select developer_id as id from developers where known or version > 1`;
		const ids = all.map((row) => row.id);
		return publishDevelopers(tx, ids, idSuffix);
	},
	[ownershipRecorded.name]: republishOwnership,
	[changeRecorded.name]: (tx, idSuffix) => publishChanges(tx, 0, idSuffix),
};

export const republish = republishBy(republishers);

if (import.meta.main) await runRepublish({ schema, republishers, extracts: "queue-ingest" });
