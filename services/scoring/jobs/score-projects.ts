/** Tax credit and score of requests, computed anew from the copies; publishes those that differ from what was published last. */
import { isDeepStrictEqual } from "node:util";
import { projectScored } from "#libs/contract/events/scoring.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/outbox.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type Assessed, assess, type Basis, creditColumns } from "../domain/assess.ts";
import { enqueueDevelopers } from "../tables/recompute-queue.ts";
import { readRequests, type StoredRequest } from "../tables/requests.ts";
import { type Assessment, keepPublished, scoreRow, storeScores } from "../tables/scores.ts";

/** What is the same for all that a transaction computes. */
export interface Run {
	settings: { active_version: number; preparing_version: number | null };
	basis: Basis;
	now: Date;
}

/** Scores these requests under every version that is kept. Answers whether an answer of this service differs now. */
export async function scoreProjects(
	tx: Transaction,
	ids: readonly string[],
	{ settings, basis, now }: Run,
	log: Pick<Logger, "error">,
): Promise<boolean> {
	if (ids.length === 0) return false;
	const versions = [
		settings.active_version,
		...(settings.preparing_version === null ? [] : [settings.preparing_version]),
	];
	const assessments = (await readRequests(tx, ids)).flatMap((request): Assessment[] => {
		try {
			return [{ request, assessed: request.facts.open ? assess(request, versions, basis) : null }];
		} catch (err) {
			// It keeps the score that it has: one unforeseen request must not keep all others from theirs.
			log.error({ err, project: request.facts.project_id }, "a request could not be scored");
			return [];
		}
	});
	const closed = assessments.filter(({ assessed }) => assessed === null).map(({ request }) => request.facts.project_id);
	const dropped = await drop(tx, closed);
	const credited = await writeCredits(tx, assessments);
	const scored = await writeScores(tx, assessments, now);
	const published = await publishChanged(tx, assessments, settings.active_version, now);
	await enqueueDevelopers(tx, [...dropped, ...credited]);
	return dropped.length + credited.length + scored + published > 0;
}

/** A score and a credit come and go together. Answers the developers of requests that had them. */
async function drop(tx: Transaction, ids: readonly string[]): Promise<(number | null)[]> {
	if (ids.length === 0) return [];
	const credits = await tx<{ developer_id: number | null }[]>`
		delete from credits c using projects p where c.project_id = any(${[...ids]}::text[]) and p.project_id = c.project_id
		returning p.developer_id`;
	await tx`delete from scores where project_id = any(${[...ids]}::text[])`;
	return credits.map((row) => row.developer_id);
}

/** Answers the developers of requests whose credit differs from before. */
async function writeCredits(tx: Transaction, assessments: readonly Assessment[]): Promise<(number | null)[]> {
	const rows = assessments.flatMap(({ request, assessed }) =>
		assessed === null ? [] : [{ project_id: request.facts.project_id, ...assessed.credit }],
	);
	if (rows.length === 0) return [];
	const differing = await tx<{ developer_id: number | null }[]>`
		with written as (
			insert into credits as t (project_id, credit_type, status, base_rate, phase_factor, effective_rate, at_risk_rate, estimated_value,
				energy_community_eligible, domestic_content_eligible, domestic_content_basis, low_income_eligible, cod_year, notice, warnings,
				project_region, project_state, project_type_std, project_capacity_mw)
			select e.*, p.region, p.state, p.type_std, p.capacity_mw
			from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (project_id text, credit_type text, status text,
				base_rate float8, phase_factor float8, effective_rate float8, at_risk_rate float8, estimated_value float8,
				energy_community_eligible boolean, domestic_content_eligible boolean, domestic_content_basis text,
				low_income_eligible boolean, cod_year integer, notice text, warnings text[])
			join projects p using (project_id)
			order by project_id
			on conflict (project_id) do update set (credit_type, status, base_rate, phase_factor, effective_rate, at_risk_rate,
					estimated_value, energy_community_eligible, domestic_content_eligible, domestic_content_basis, low_income_eligible,
					cod_year, notice, warnings, project_region, project_state, project_type_std, project_capacity_mw)
				= (excluded.credit_type, excluded.status, excluded.base_rate, excluded.phase_factor, excluded.effective_rate,
					excluded.at_risk_rate, excluded.estimated_value, excluded.energy_community_eligible,
					excluded.domestic_content_eligible, excluded.domestic_content_basis,
					excluded.low_income_eligible, excluded.cod_year, excluded.notice, excluded.warnings, excluded.project_region,
					excluded.project_state, excluded.project_type_std, excluded.project_capacity_mw)
				where t.* is distinct from excluded.*
			returning project_id)
		select p.developer_id from written join projects p using (project_id)`;
	return differing.map((row) => row.developer_id);
}

/** Equal inputs under one version are an equal score: nothing is written for them. Answers how many were. */
async function writeScores(tx: Transaction, assessments: readonly Assessment[], now: Date): Promise<number> {
	const rows = assessments.flatMap(({ request, assessed }) =>
		assessed === null
			? []
			: assessed.scores
					.filter(({ version }) => request.hashes?.[version] !== assessed.hash)
					.map(({ version, score }) =>
						scoreRow(request.facts.project_id, version, score, assessed.inputs, assessed.hash),
					),
	);
	return storeScores(tx, rows, now);
}

/** Of a closed request it is said once that nothing counts any more; of one that was never open nothing is said. */
async function publishChanged(
	tx: Transaction,
	assessments: readonly Assessment[],
	active: number,
	now: Date,
): Promise<number> {
	const differing = assessments
		.map(({ request, assessed }) => ({ request, payload: payloadOf(assessed, active) }))
		.filter(({ request, payload }) =>
			// Published before these tables were made anew, as the request itself shows.
			request.payload === null
				? payload !== nothing || request.facts.shown
				: !isDeepStrictEqual(request.payload, payload),
		)
		.map(({ request, payload }) => {
			const isNews =
				request.payload === null || !isDeepStrictEqual(withoutBasis(request.payload), withoutBasis(payload));
			const version = isNews ? Math.max(now.getTime(), (request.payload_version ?? 0) + 1) : request.payload_version;
			return { project_id: request.facts.project_id, version: version ?? now.getTime(), payload, isNews };
		});
	if (differing.length === 0) return 0;
	const news = differing.filter(({ isNews }) => isNews);
	const ids = new Set(differing.map(({ project_id }) => project_id));
	await tx`
		insert into published_scores as t (project_id, version, payload)
		select * from json_to_recordset(${JSON.stringify(differing)}::text::json) as e (project_id text, version bigint, payload jsonb) order by project_id
		on conflict (project_id) do update set (version, payload) = (excluded.version, excluded.payload)`;
	await keepPublished(
		tx,
		active,
		assessments.filter(({ request }) => ids.has(request.facts.project_id)),
		now,
	);
	await publishAll(
		tx,
		projectScored,
		news.map(({ project_id, version, payload }) => ({
			id: `${projectScored.name}:${project_id}:${version}`,
			occurred_at: now.toISOString(),
			version,
			project_id,
			...payload,
		})),
	);
	return news.length;
}

const nothing = {
	score_version: 0,
	inputs_hash: null,
	investability_score: null,
	grade: null,
	investable: null,
	tax_credit_type: null,
	tax_credit_status: null,
	effective_credit_rate: null,
	estimated_credit_value: null,
	energy_community_eligible: null,
	low_income_eligible: null,
	domestic_content_eligible: null,
	domestic_content_basis: null,
};

function payloadOf(assessed: Assessed | null, active: number): StoredRequest["payload"] & object {
	const current = assessed?.scores.find(({ version }) => version === active);
	if (assessed === null || current === undefined) return nothing;
	const { credit, hash } = assessed;
	return {
		score_version: active,
		inputs_hash: hash,
		investability_score: current.score.score,
		grade: current.score.grade,
		investable: current.score.investable,
		...creditColumns(credit),
	};
}

/** Another reason for the same result is stored for the next event; none is published for its sake. */
const withoutBasis = ({ score_version, inputs_hash, ...result }: StoredRequest["payload"] & object) => result;
