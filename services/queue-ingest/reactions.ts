/** Every event that this service consumes. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reacting, type Reaction, react } from "#libs/bus/events/react.ts";
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { newestOfEach } from "#libs/postgres/events/inbox.ts";

export const copyScores: Reaction<typeof projectScored> = {
	service: "queue-ingest",
	name: "copy-scores",
	event: projectScored,
	async handler(tx, events) {
		// Lists and the register write projects in any order: a copy waits for the current writer, which takes seconds.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
		const newest = newestOfEach(events, (event) => event.project_id);
		// A request that is missing here was removed with the sample, because scoring gets requests only from here.
		const copied = await tx`
			update projects p set (tax_credit_type, tax_credit_status, tax_credit_pct, effective_credit_rate, estimated_credit_value,
					energy_community_eligible, low_income_eligible, domestic_content_eligible, domestic_content_basis, investable,
					p_cod_36, investability_score, score_seen)
				= (e.tax_credit_type, e.tax_credit_status, e.effective_credit_rate, e.effective_credit_rate, e.estimated_credit_value,
					e.energy_community_eligible, e.low_income_eligible, e.domestic_content_eligible, e.domestic_content_basis,
					e.investable, e.p_cod_36, e.investability_score, e.version)
			from json_to_recordset(${JSON.stringify(newest)}::text::json) as e (project_id text, tax_credit_type text,
				tax_credit_status text, effective_credit_rate float8, estimated_credit_value float8, energy_community_eligible boolean,
				low_income_eligible boolean, domestic_content_eligible boolean, domestic_content_basis text,
				investable boolean, p_cod_36 float8, investability_score integer, version bigint)
			where p.id = e.project_id and e.version > p.score_seen`;
		if (copied.count > 0) await raiseDataVersion(tx);
	},
};

export const copyRatings: Reaction<typeof developerRated> = {
	service: "queue-ingest",
	name: "copy-ratings",
	event: developerRated,
	async handler(tx, events) {
		// The same lock as for copies of scores. A request that a list is assigning to a developer must not miss the developer's rating.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
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

export const startReactions = (bus: Bus, sql: Sql): Promise<Reacting[]> =>
	Promise.all([react(bus, sql, copyScores), react(bus, sql, copyRatings)]);
