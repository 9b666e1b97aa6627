import type { Handler, Reply } from "#libs/contract/index.ts";
import { creditColumns } from "../domain/credit-columns.ts";
import { isInSample, scoreOn } from "../domain/score-on.ts";
import { readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { readSettings, refuseFuture } from "./read-score-on.ts";
import { type ScoredOn, scoredOn, scoresOn } from "./scores-on.ts";

type Page = Reply<"readScoresOn">;

/** A request that was not open on the day has no score in a list, as in those of the present. */
export function readScoresOn(resources: Resources): Handler<"readScoresOn"> {
	return async ({ as_of, id, region }) => {
		refuseFuture(as_of, resources.now());
		const { dataVersion, active } = await readSettings(resources.sql);
		const { score_version, rows } =
			id === undefined
				? await scoresOn(resources, as_of)
				: { score_version: active, rows: await scoresOfSome(resources, as_of, { ids: id, version: active }) };
		const data = [...rows]
			.filter(([, row]) => region === undefined || row.inputs.region === region)
			.map(([project_id, row]) => rowOf(project_id, row, score_version));
		const reply: Page = { as_of, score_version, in_sample: isInSample(score_version, as_of), data };
		return { json: JSON.stringify(reply), dataVersion };
	};
}

async function scoresOfSome(
	{ sql, notice_2025_42 }: Resources,
	day: string,
	{ ids, version }: { ids: readonly string[]; version: number },
): Promise<Map<string, ScoredOn>> {
	const requests = await readRequestsOn(sql, [day], { ids });
	const references = await loadReferences(sql);
	return new Map(
		requests
			.filter(({ open }) => open)
			.map((request) => [
				request.facts.project_id,
				scoredOn(request, scoreOn(request, version, { references, notice_2025_42 })),
			]),
	);
}

function rowOf(
	id: string,
	{ score, investable, credit, basis }: ScoredOn,
	score_version: number,
): Page["data"][number] {
	return {
		id,
		investability_score: score,
		investable,
		...creditColumns(credit),
		tax_credit_pct: credit.effective_rate,
		score_basis: basis,
		score_version,
	};
}
