import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { creditColumns } from "../domain/credit-columns.ts";
import { isInSample, type RequestOn, scoreOn } from "../domain/score-on.ts";
import { readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { readSettings } from "./read-score-on.ts";
import { type ScoredOn, scoredOn, scoresOn } from "./scores-on.ts";

type Page = Reply<"readScoresOn">;

/** For answers of others. A request that was not open then has no score in a list, as in those of the present. */
export function readScoresOn(resources: Resources): Handler<"readScoresOn"> {
	const { sql } = resources;
	return async ({ as_of, id, region }) => {
		checkDay(resources, as_of);
		const { dataVersion, active } = await readSettings(sql);
		const requests = id === undefined ? null : await readRequestsOn(sql, [as_of], { ids: id });
		const { score_version, rows } =
			requests === null
				? await scoresOn(resources, as_of)
				: { score_version: active, rows: await scoresOfSome(resources, requests, active) };
		const data = [...rows]
			.filter(([, row]) => region === undefined || row.inputs.region === region)
			.map(([project_id, row]) => rowOf(project_id, row, score_version));
		const developers = requests === null ? await ratedOn(sql, as_of) : ratedOf(requests);
		const reply: Page = { as_of, score_version, in_sample: isInSample(score_version, as_of), developers, data };
		return { json: JSON.stringify(reply), dataVersion };
	};
}

async function scoresOfSome(
	{ sql, notice_2025_42 }: Resources,
	requests: readonly RequestOn[],
	version: number,
): Promise<Map<string, ScoredOn>> {
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

/** Of every developer whose rating is known of the end of the day. */
const ratedOn = (sql: Sql, day: string) =>
	sql<Page["developers"]>`
		select developer_id, needs_capital from developer_rating_versions
		where rated_at < (${day}::text::date + 1)::timestamptz and rated_until >= (${day}::text::date + 1)::timestamptz
		order by developer_id`;

function ratedOf(requests: readonly RequestOn[]): Page["developers"] {
	const rated = requests.flatMap(({ facts: { developer_id }, needs_capital }) =>
		developer_id === null || needs_capital === null ? [] : [[developer_id, needs_capital] as const],
	);
	return [...new Map(rated)].map(([developer_id, needs_capital]) => ({ developer_id, needs_capital }));
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
