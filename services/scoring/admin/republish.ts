/**
 * Republishes the last payload of every request or developer with its version unchanged, through the outbox: for a new consumer, a rebuild
 * from nothing or a lost stream.
 *
 *   republish project.scored | developer.rated
 *
 * Consumers apply only payloads with a higher `version` than theirs. Each run uses new event ids, so that no inbox drops them as duplicates.
 */
import type { EventShape } from "#libs/contract/events/event.ts";
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishCurrent, republishOptions } from "#libs/postgres/events/outbox.ts";
import { runRepublish } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";

interface Republisher {
	event: EventShape;
	/** Query for `key`, `version` and `body` (the payload without the fields that every event has). */
	current(tx: Transaction): Fragment;
}

const republishers: readonly Republisher[] = [
	{
		event: projectScored,
		current: (tx) => tx`
			select project_id as key, version, jsonb_build_object('project_id', project_id) || payload as body from published_scores`,
	},
	{
		event: developerRated,
		current: (tx) => tx`
			select developer_id::text as key, s.version,
				jsonb_build_object('developer_id', developer_id, 'developer_canonical', d.canonical_name) || payload as body
			from developer_ratings s join developers d using (developer_id)`,
	},
];

/** @returns how many events were put in the outbox; undefined if this service cannot republish the event */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	const republisher = republishers.find(({ event }) => event.name === name);
	if (republisher === undefined) return undefined;
	return sql.begin((tx) => publishCurrent(tx, republisher.event, republisher.current(tx), republishOptions()));
}

if (import.meta.main)
	await runRepublish({ schema, names: republishers.map(({ event }) => event.name), extracts: "scoring", republish });
