/**
 * Republishes the last payload of every request or developer with its version unchanged, through the outbox. Needed after a new consumer is
 * added, the system is rebuilt or a stream is lost.
 *
 *   republish project.scored | developer.rated
 *
 * Consumers apply only payloads with a higher `version` than theirs. Each run uses new event ids, so that consumers do not drop them as
 * duplicates.
 */
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import { type Republishers, republishBy, runRepublish } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";

const republishers: Republishers = {
	[projectScored.name](tx, suffix) {
		const current = tx`
			select project_id as key, version, jsonb_build_object('project_id', project_id) || payload as body from published_scores`;
		return publishCurrent(tx, projectScored, current, { suffix });
	},
	[developerRated.name](tx, suffix) {
		const current = tx`
			select developer_id::text as key, s.version,
				jsonb_build_object('developer_id', developer_id, 'developer_canonical', d.canonical_name) || payload as body
			from developer_ratings s join developers d using (developer_id)`;
		return publishCurrent(tx, developerRated, current, { suffix });
	},
};

export const republish = republishBy(republishers);

if (import.meta.main) await runRepublish({ schema, republishers, extracts: "scoring" });
