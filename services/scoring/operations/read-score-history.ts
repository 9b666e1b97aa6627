import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { notACursor, readCursor, writeCursor } from "#libs/postgres/replies/cursor.ts";
import { compareScores, isInSample, type PublishedScore, type ScoreChange } from "../domain/score-history.ts";
import type { Resources } from "../resources.ts";

/** Maximum published scores in the history of a request; older ones are omitted. */
const maxScores = 1_000;

export function readScoreHistory({ sql }: Resources): Handler<"readScoreHistory"> {
	return async ({ project_id, order, page: requestedPage, per_page, cursor }) => {
		const dataVersion = await readDataVersion(sql);
		const changes = compareScores(await readPublished(sql, project_id));
		if (changes.length === 0) await refuseUnknown(sql, project_id);
		if (order === "desc") changes.reverse();
		const bound = ["score history", project_id, order];
		const position = cursor === undefined || cursor === "*" ? undefined : readCursor(bound, cursor, 1);
		const [last] = position?.values ?? [];
		if (position !== undefined && typeof last !== "string") throw notACursor();
		const isAfterLast = (day: string) => (order === "desc" ? day < String(last) : day > String(last));
		const rest = last === undefined ? changes : changes.filter(({ day }) => isAfterLast(day));
		const skipped = cursor === undefined ? (requestedPage - 1) * per_page : 0;
		const shown = rest.slice(skipped, skipped + per_page);
		const page = cursor === undefined ? requestedPage : (position?.pages ?? 0) + 1;
		const end = shown.at(-1);
		const hasNext = end !== undefined && rest.length > shown.length;
		const meta = {
			total: changes.length,
			page,
			per_page,
			pages: Math.ceil(changes.length / per_page),
			...(cursor !== undefined && {
				next_cursor: hasNext ? writeCursor(bound, { pages: page, values: [end.day] }) : null,
			}),
		};
		const reply: Reply<"readScoreHistory"> = { data: shown.map(rowOf), meta };
		return { json: JSON.stringify(reply), dataVersion };
	};
}

/** Reads the published scores that were current at the end of a day (at most one per day), oldest first. */
async function readPublished(sql: Sql, id: string): Promise<PublishedScore[]> {
	const rows = await sql<PublishedScore[]>`
		select published_at::date as day, case when published_until < 'infinity' then published_until::date end as until,
			score_version, score, grade, investable, inputs, inputs_hash
		from score_versions where project_id = ${id} and published_until >= (published_at::date + 1)::timestamptz
		order by published_at desc limit ${maxScores}`;
	return [...rows].reverse();
}

/** @throws AppError 404 if the request is unknown. The history of a known request that was never scored is empty. */
async function refuseUnknown(sql: Sql, id: string): Promise<void> {
	const known = await sql`select from projects where project_id = ${id}`;
	if (known.count === 0) throw notFound(`no score of ${id}`);
}

const rowOf = ({ score, differences, ...change }: ScoreChange): Reply<"readScoreHistory">["data"][number] => ({
	...change,
	investability_score: score,
	in_sample: isInSample(change.score_version, change.day),
	inputs: differences,
});
