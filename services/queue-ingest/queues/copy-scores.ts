/** Keeps what scoring says of a request beside it. No change of the queue: no new version, nothing published. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { projectScored } from "#libs/contract/events/scoring.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";

export const copyScores: Reaction<typeof projectScored> = {
	service: "queue-ingest",
	name: "copy-scores",
	event: projectScored,
	async handler(tx, events) {
		// Lists and the register write projects in any order: a copy waits for the one at work, which takes seconds.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
		const newest = newestOfEach(events, (event) => event.project_id);
		// A request that is not here was removed with the sample: scoring gets requests from here alone.
		const copied = await tx`
			update projects p set (tax_credit_type, tax_credit_status, tax_credit_pct, effective_credit_rate, estimated_credit_value,
					energy_community_eligible, low_income_eligible, domestic_content_eligible, domestic_content_basis, investable,
					investability_score, score_seen)
				= (e.tax_credit_type, e.tax_credit_status, e.effective_credit_rate, e.effective_credit_rate, e.estimated_credit_value,
					e.energy_community_eligible, e.low_income_eligible, e.domestic_content_eligible, e.domestic_content_basis,
					e.investable, e.investability_score, e.version)
			from json_to_recordset(${JSON.stringify(newest)}::text::json) as e (project_id text, tax_credit_type text,
				tax_credit_status text, effective_credit_rate float8, estimated_credit_value float8, energy_community_eligible boolean,
				low_income_eligible boolean, domestic_content_eligible boolean, domestic_content_basis text,
				investable boolean, investability_score integer, version bigint)
			where p.id = e.project_id and e.version > p.score_seen`;
		if (copied.count > 0) await raiseDataVersion(tx);
	},
};
