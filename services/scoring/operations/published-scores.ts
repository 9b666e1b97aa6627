/** Reads published scores: those that were current at the end of a past day (UTC), and the history of a request. */
import { type AppError, notFound } from "#libs/contract/errors.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { notACursor, readCursor, writeCursor } from "#libs/postgres/replies/cursor.ts";
import { type CreditRow, creditColumns } from "../domain/assess.ts";
import { compareScores, isInSample, type PublishedScore, type ScoreChange } from "../domain/score-history.ts";
import type { Resources } from "../resources.ts";

export interface ScoreOfDay extends Omit<PublishedScore, "day" | "until"> {
	project_id: string;
	published_at: string;
	/** Lacks the chance and the expected value if it was published before these were stored. */
	credit: CreditRow;
	/** The request when the score was published; null if it was published before requests were stored with scores. */
	request: { facts_as_of: string | null } | null;
}

/** `among`: a condition on `score_versions s` that selects requests. */
export const readScoresOfDay = (sql: Sql, day: string, among: Fragment): Promise<ScoreOfDay[]> =>
	sql<ScoreOfDay[]>`
		select s.project_id, iso(s.published_at) as published_at, s.score_version, s.score, s.grade, s.investable, s.inputs, s.inputs_hash,
			s.credit, s.request
		from score_versions s where ${wasCurrentOn<Fragment>(sql, day, sql`s.published_at`, sql`s.published_until`)} and ${among}
		order by s.project_id`;

/** Condition: a row valid from `from` until `until` was current at the end of the day. */
export const wasCurrentOn = <F>(sql: Tag<F>, day: string, from: F, until: F): F =>
	sql`${from} < (${day}::text::date + 1)::timestamptz and ${until} >= (${day}::text::date + 1)::timestamptz`;

/** Creates the 404 error, with the day on which the request's first score was published, if any. */
export async function createNotPublished(sql: Sql, id: string, day: string): Promise<AppError> {
	const [row] = await sql<{ first: string | null }[]>`
		select to_char(min(published_at) at time zone 'UTC', 'YYYY-MM-DD') as first from score_versions where project_id = ${id}`;
	const first = row?.first ? `: the first was published on ${row.first}` : "";
	return notFound(`no score of ${id} was published at the end of ${day}${first}`);
}

type Page = Reply<"readScoresOn">;

export function readScoresOn(resources: Resources): Handler<"readScoresOn"> {
	const { sql } = resources;
	return async ({ as_of, id, region }) => {
		checkDay(resources, { as_of });
		const ids = id === undefined ? undefined : sql`any(${id}::text[])`;
		const condition = ids === undefined ? sql`s.inputs ->> 'region' = ${region ?? ""}` : sql`s.project_id = ${ids}`;
		// The version can be read at the same time as the rows, because no caller caches this reply by its version.
		const [dataVersion, scores, developers] = await Promise.all([
			readDataVersion(sql),
			sql<PublishedRow[]>`
				select s.project_id, s.score, s.investable, s.p_cod_36, s.credit, s.score_version from score_versions s
				where ${wasCurrentOn<Fragment>(sql, as_of, sql`s.published_at`, sql`s.published_until`)} and ${condition} order by s.project_id`,
			sql<Page["developers"]>`
				select developer_id, needs_capital from developer_rating_versions
				where ${wasCurrentOn<Fragment>(sql, as_of, sql`rated_at`, sql`rated_until`)}
					${ids === undefined ? sql`` : sql`and developer_id in (select developer_id from projects where project_id = ${ids})`}
				order by developer_id`,
		]);
		return {
			json: JSON.stringify({ developers: [...developers], data: scores.map(rowOf) } satisfies Page),
			dataVersion,
		};
	};
}

type PublishedRow = Pick<ScoreOfDay, "project_id" | "score" | "investable" | "credit" | "score_version"> & {
	/** Null if the score was published before chances were stored. */
	p_cod_36: number | null;
};

const rowOf = ({
	project_id,
	score,
	investable,
	p_cod_36,
	credit,
	score_version,
}: PublishedRow): Page["data"][number] => ({
	id: project_id,
	investability_score: score,
	investable,
	p_cod_36,
	...creditColumns(credit),
	tax_credit_pct: credit.effective_rate,
	score_basis: "published",
	score_version,
});

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
		const reply: Reply<"readScoreHistory"> = { data: shown.map(changeRow), meta };
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

const changeRow = ({ score, differences, ...change }: ScoreChange): Reply<"readScoreHistory">["data"][number] => ({
	...change,
	investability_score: score,
	in_sample: isInSample(change.score_version, change.day),
	inputs: differences,
});
