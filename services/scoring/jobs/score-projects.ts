/** Computes the tax credits and scores of requests from the copies, and publishes those that have changed since they were last published. */
import { isDeepStrictEqual } from "node:util";
import { projectScored } from "#libs/contract/events/scoring.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/events/outbox.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type AssessedRequest, assess, type Basis, creditColumns } from "../domain/assess.ts";
import { isOpen } from "../domain/score/inputs.ts";
import { currentVersion } from "../domain/score/version.ts";
import { enqueueDevelopers } from "../tables/recompute-queue.ts";
import { type PublishedPayload, readRequests } from "../tables/requests.ts";
import { type Assessment, storeCredits, storePublished, storeScores, toScoreRow } from "../tables/scores.ts";

export interface Run {
	basis: Basis;
	now: Date;
}

/** @returns whether any reply of this service changed */
export async function scoreProjects(
	tx: Transaction,
	ids: readonly string[],
	{ basis, now }: Run,
	log: Pick<Logger, "error">,
): Promise<boolean> {
	if (ids.length === 0) return false;
	const assessments = (await readRequests(tx, ids)).flatMap((request): Assessment[] => {
		try {
			return [{ request, assessed: request.facts.open && isOpen(request.facts) ? assess(request, basis) : null }];
		} catch (err) {
			// The request retains its last score, so that one unexpected request does not stop the others.
			log.error({ err, project: request.facts.project_id }, "a request could not be scored");
			return [];
		}
	});
	const open = assessments.flatMap(({ request, assessed }) => (assessed === null ? [] : [{ request, assessed }]));
	const closed = assessments.filter(({ assessed }) => assessed === null).map(({ request }) => request.facts.project_id);
	const developersOfClosed = await deleteClosed(tx, closed);
	const credits = open.map(({ request, assessed }) => ({ project_id: request.facts.project_id, ...assessed.credit }));
	const developersOfCredits = await storeCredits(tx, credits);
	// Within a version, equal inputs give an equal score, so the row need not be written again.
	const scores = open
		.filter(({ request, assessed }) => request.inputs_hash !== assessed.hash)
		.map(({ request, assessed: { inputs, hash, score } }) =>
			toScoreRow(request.facts.project_id, currentVersion, score, inputs, hash),
		);
	const scoredCount = await storeScores(tx, scores, now);
	const publishedCount = await publishChanged(tx, assessments, now);
	await enqueueDevelopers(tx, [...developersOfClosed, ...developersOfCredits]);
	return developersOfClosed.length + developersOfCredits.length + scoredCount + publishedCount > 0;
}

async function deleteClosed(tx: Transaction, ids: readonly string[]): Promise<(number | null)[]> {
	if (ids.length === 0) return [];
	const credits = await tx<{ developer_id: number | null }[]>`
		delete from credits c using projects p where c.project_id = any(${[...ids]}::text[]) and p.project_id = c.project_id
		returning p.developer_id`;
	await tx`delete from scores where project_id = any(${[...ids]}::text[])`;
	return credits.map((row) => row.developer_id);
}

/** Publishes changed results. A request that closes is published once more, without a score. @returns the number of published events */
async function publishChanged(tx: Transaction, assessments: readonly Assessment[], now: Date): Promise<number> {
	const changes = assessments.flatMap(({ request, assessed }) => {
		const { facts, payload: publishedPayload, payload_version } = request;
		const payload = toPayload(assessed);
		// If these tables were rebuilt, a request without a row here may have been published before. Its copy then has a score (`shown`).
		if (publishedPayload === null ? payload === unscored && !facts.shown : isDeepStrictEqual(publishedPayload, payload))
			return [];
		const hasNewResult = publishedPayload === null || !isDeepStrictEqual(resultOf(publishedPayload), resultOf(payload));
		const version = hasNewResult ? Math.max(now.getTime(), (payload_version ?? 0) + 1) : payload_version;
		return [
			{ request, assessed, project_id: facts.project_id, version: version ?? now.getTime(), payload, hasNewResult },
		];
	});
	if (changes.length === 0) return 0;
	const rows = changes.map(({ project_id, version, payload }) => ({ project_id, version, payload }));
	await tx`
		insert into published_scores as t (project_id, version, payload)
		select * from json_populate_recordset(null::published_scores, ${JSON.stringify(rows)}::text::json) order by project_id
		on conflict (project_id) do update set (version, payload) = (excluded.version, excluded.payload)`;
	await storePublished(tx, changes, now);
	const events = changes
		.filter(({ hasNewResult }) => hasNewResult)
		.map(({ project_id, version, payload }) => ({
			id: `${projectScored.name}:${project_id}:${version}`,
			occurred_at: now.toISOString(),
			version,
			project_id,
			...payload,
		}));
	await publishAll(tx, projectScored, events);
	return events.length;
}

const unscored = {
	score_version: 0,
	inputs_hash: null,
	investability_score: null,
	grade: null,
	investable: null,
	p_cod_36: null,
	tax_credit_type: null,
	tax_credit_status: null,
	effective_credit_rate: null,
	estimated_credit_value: null,
	energy_community_eligible: null,
	low_income_eligible: null,
	domestic_content_eligible: null,
	domestic_content_basis: null,
};

function toPayload(assessed: AssessedRequest | null): PublishedPayload {
	if (assessed === null) return unscored;
	const { score, grade, investable, candidate } = assessed.score;
	return {
		score_version: currentVersion,
		inputs_hash: assessed.hash,
		investability_score: score,
		grade,
		investable,
		p_cod_36: candidate.p_cod_36,
		...creditColumns(assessed.credit),
	};
}

/** The published result without its version and inputs hash: a change of these alone is stored, but does not cause an event. */
const resultOf = ({ score_version, inputs_hash, ...result }: PublishedPayload) => result;
