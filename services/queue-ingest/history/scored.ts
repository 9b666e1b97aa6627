/** Adds the scores of a past day, and whether developers needed capital, to requests: in SQL for files, and to rows of responses. */
import { type Tag, textOf } from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import { scoredFields } from "#libs/contract/records/project.ts";
import { declaredColumns } from "#libs/postgres/project-columns.ts";
import type { Resources } from "../resources.ts";
import { requestsAt } from "./past.ts";
import { noScores, type Scores } from "./past-scores.ts";
import { stateColumns } from "./write-history.ts";

const columns = [...scoredFields, "score_basis", "score_version"] as const;
export const scoredNames = new Set<string>([...columns, "needs_capital"]);

/** Columns of the request in a history row. */
const factColumns = ["id", "version", "entry", ...stateColumns].filter((name) => !scoredNames.has(name));

/** Reads the scores of all requests as of a day; undefined for the present, whose scores are columns of the requests. */
export const scoresOn = async ({ scores }: Resources, { as_of }: AsOf): Promise<Scores | undefined> =>
	as_of === undefined ? undefined : ((await scores?.readAll(as_of)) ?? noScores);

/** Reads the scores of some requests as of a day; undefined for the present. */
export const scoresOf = async (
	{ scores }: Resources,
	{ as_of }: AsOf,
	ids: readonly string[],
): Promise<Scores | undefined> =>
	as_of === undefined ? undefined : ((await scores?.readSome(as_of, ids)) ?? noScores);

/** SQL for a `from` clause: the requests of a day as `p`, with the scores of that day. */
export function withScores<F>(sql: Tag<F>, asOf: AsOf, { rows, needsCapital }: Scores): F {
	const scoreColumns = columns.map((name) =>
		name === "score_basis" ? "coalesce(s.score_basis, 'unpublished') as score_basis" : `s.${name}`,
	);
	const types = `${declaredColumns(scoredFields)}, score_basis text, score_version integer`;
	const developers = [...needsCapital].map(([developer_id, needs_capital]) => ({ developer_id, needs_capital }));
	return sql`(
		select ${textOf(sql, [...factColumns.map((name) => `f.${name}`), ...scoreColumns].join(", "))}, c.needs_capital
		from (select p.* from ${requestsAt(sql, asOf)} true) f
		left join json_to_recordset(${JSON.stringify([...rows.values()])}::text::json) as s (id text, ${textOf(sql, types)}) using (id)
		left join json_to_recordset(${JSON.stringify(developers)}::text::json) as c (developer_id integer, needs_capital boolean)
			using (developer_id)) p where`;
}

/** Returns a row of `/projects` with those scores of the day that its fields include. */
export function scoredRow(row: Record<string, unknown>, scores: Scores, fields?: readonly string[]): object {
	const published = scores.rows.get(String(row.id));
	const { developer_id, ...rest } = row;
	const shown: Record<string, unknown> = fields === undefined || fields.includes("developer_id") ? { ...row } : rest;
	if ("needs_capital" in row) shown.needs_capital = scores.needsCapital.get(Number(developer_id)) ?? null;
	for (const name of columns)
		if (name in row || (name.startsWith("score_") && (fields?.includes(name) ?? true)))
			shown[name] = published?.[name] ?? (name === "score_basis" ? "unpublished" : null);
	return shown;
}

/** Returns the fields to read of a row, including the developer's id if it is needed to look up whether the developer needed capital. */
export const readFields = (fields: readonly string[] | undefined): readonly string[] | undefined =>
	fields?.includes("needs_capital") ? [...fields, "developer_id"] : fields;

/** Whether a response with these fields contains scores. */
export const showsScores = (fields: readonly string[] | undefined): boolean =>
	fields === undefined || fields.some((name) => scoredNames.has(name));
