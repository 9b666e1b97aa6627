import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { notACursor, readCursor, writeCursor } from "#libs/postgres/cursor.ts";
import { type DayOfScore, type ScoreChange, scoreChanges } from "../domain/score-history.ts";
import { isInSample, scoreOn } from "../domain/score-on.ts";
import { readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { readSettings, unknownThen } from "./read-score-on.ts";

/** Days that are looked at, the newest; of so many the facts are read at once. */
const mostDays = 1_000;
const atOnce = 100;

export function readScoreHistory(resources: Resources): Handler<"readScoreHistory"> {
	const { sql, now, notice_2025_42 } = resources;
	return async ({ project_id, score_version: asked, order, page: at, per_page, cursor }) => {
		const { dataVersion, active } = await readSettings(sql);
		const version = asked ?? active;
		const days = await daysOf(sql, project_id, now().toISOString().slice(0, 10));
		if (days.length === 0) throw await unknownThen(sql, project_id);
		const references = await loadReferences(sql);
		const known: DayOfScore[] = [];
		for (let from = 0; from < days.length; from += atOnce)
			for (const request of await readRequestsOn(sql, days.slice(from, from + atOnce), { ids: [project_id] }))
				known.push({ request, scored: scoreOn(request, version, { references, notice_2025_42 }) });
		const changes = scoreChanges(known);
		if (order === "desc") changes.reverse();
		const bound = ["score history", project_id, version, order];
		const position = cursor === undefined || cursor === "*" ? undefined : readCursor(bound, cursor, 1);
		const [last] = position?.values ?? [];
		if (position !== undefined && typeof last !== "string") throw notACursor();
		const isBehind = (day: string) => (order === "desc" ? day < String(last) : day > String(last));
		const rest = last === undefined ? changes : changes.filter(({ request }) => isBehind(request.day));
		const skipped = cursor === undefined ? (at - 1) * per_page : 0;
		const shown = rest.slice(skipped, skipped + per_page);
		const page = cursor === undefined ? at : (position?.pages ?? 0) + 1;
		const end = shown.at(-1);
		const hasNext = end !== undefined && rest.length > shown.length;
		const meta = {
			...{ total: changes.length, page, per_page, pages: Math.ceil(changes.length / per_page) },
			...(cursor !== undefined && {
				next_cursor: hasNext ? writeCursor(bound, { pages: page, values: [end.request.day] }) : null,
			}),
		};
		const data = shown.map((change) => rowOf(change, version));
		return { json: JSON.stringify({ data, meta } satisfies Reply<"readScoreHistory">), dataVersion };
	};
}

/** Those on which its score may be another: a list of its operator, a rating of its developer, another publication. Oldest first. */
async function daysOf(sql: Sql, id: string, today: string): Promise<string[]> {
	const rows = await sql<{ day: string }[]>`
		with own as (select valid_from, feed, developer_id from project_states where held and project_id = ${id}),
		days as (
			select valid_from as day from own
			union select day from lists where feed in (select feed from own) and not retracted
			union select published_at::date from score_versions where project_id = ${id}
			union select rated_at::date from developer_rating_versions where developer_id in (select developer_id from own))
		select day from days where day between (select min(valid_from) from own) and ${today}::text::date
		order by day desc limit ${mostDays}`;
	return rows.map((row) => row.day).reverse();
}

function rowOf(
	{ request, scored: { score, hash, basis }, ...differences }: ScoreChange,
	score_version: number,
): Reply<"readScoreHistory">["data"][number] {
	return {
		day: request.day,
		investability_score: score.score,
		grade: score.grade,
		scored: score.scored,
		investable: score.investable,
		score_version,
		inputs_hash: hash,
		basis,
		in_sample: isInSample(score_version, request.day),
		...differences,
	};
}
