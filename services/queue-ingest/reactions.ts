/** Consumes the events of other services. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, type RunningReaction, react } from "#libs/bus/events/react.ts";
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import { scoredFields } from "#libs/contract/records/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { newestOfEach } from "#libs/postgres/events/inbox.ts";
import { lockWriters } from "./sources/locks.ts";

export const copyScores: Reaction<typeof projectScored> = {
	service: "queue-ingest",
	name: "copy-scores",
	event: projectScored,
	async handler(tx, events) {
		// Lists and the register write projects in any order, so a copy waits for the current writer, which takes seconds.
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.project_id).map((event) => ({
			...event,
			id: event.project_id,
			tax_credit_pct: event.effective_credit_rate,
			score_seen: event.version,
		}));
		const columns = [...scoredFields, "score_seen"].join(", ");
		// A request that is missing here was removed with the sample, because scoring gets requests only from here.
		const copied = await tx`
			update projects p set (${tx.unsafe(columns)}) = (${tx.unsafe(columns.replaceAll(/\w+/g, "e.$&"))})
			from jsonb_populate_recordset(null::projects, ${JSON.stringify(newest)}::text::jsonb) as e
			where p.id = e.id and e.score_seen > p.score_seen`;
		if (copied.count > 0) await raiseDataVersion(tx);
	},
};

export const copyRatings: Reaction<typeof developerRated> = {
	service: "queue-ingest",
	name: "copy-ratings",
	event: developerRated,
	async handler(tx, events) {
		// Waits for other writers, so that a request that a list is just assigning to a developer does not miss the developer's rating.
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.developer_id);
		const [copied] = await tx<{ developers: number }[]>`
			with rated as (
				update developers d set (needs_capital, tax_credit_activity, distress_level, rated_version)
					= (e.needs_capital, e.tax_credit_activity, e.distress_level, e.version)
				from jsonb_to_recordset(${JSON.stringify(newest)}::text::jsonb) as e (developer_id integer, needs_capital boolean,
					tax_credit_activity text, distress_level text, version bigint)
				where d.developer_id = e.developer_id and e.version > d.rated_version
				returning d.developer_id, d.needs_capital),
			followed as (
				update projects p set needs_capital = r.needs_capital from rated r
				where p.developer_id = r.developer_id and p.needs_capital is distinct from r.needs_capital)
			select count(*) as developers from rated`;
		if (copied !== undefined && copied.developers > 0) await raiseDataVersion(tx);
	},
};

export const startReactions = (bus: Bus, sql: Sql): Promise<RunningReaction[]> =>
	Promise.all([react(bus, sql, copyScores), react(bus, sql, copyRatings)]);
