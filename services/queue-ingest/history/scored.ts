/** Requests of a past moment beside their scores of then, and whether their developers needed capital: as a relation for filters, orders and sums, and in rows that are shown. */
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { PastScore } from "#libs/contract/operations/past-scores.ts";
import { type Tag, textOf } from "#libs/filters/project-condition.ts";
import type { Resources } from "../resources.ts";
import { noScores, type Scores } from "./past-scores.ts";
import { stateColumns } from "./state-columns.ts";

type Column = Exclude<keyof PastScore, "id">;

const columnTypes: Record<Column, string> = {
	investability_score: "integer",
	investable: "boolean",
	tax_credit_type: "text",
	tax_credit_status: "text",
	tax_credit_pct: "float8",
	effective_credit_rate: "float8",
	estimated_credit_value: "float8",
	energy_community_eligible: "boolean",
	low_income_eligible: "boolean",
	domestic_content_eligible: "boolean",
	domestic_content_basis: "text",
	score_basis: "text",
	score_version: "integer",
};
const columns = Object.keys(columnTypes) as Column[];
const scoredNames = new Set<string>([...columns, "needs_capital"]);

/** What a history row says of the request itself. */
const facts = ["id", "version", "entry", ...stateColumns].filter((name) => !scoredNames.has(name));

/** Filters and orders that look at scores and credits. */
const scoredFilters = new Set([
	...["energy_community", "low_income", "has_tax_credit", "investable", "min_score"],
	"needs_capital",
]);

export function looksAtScores(filters: object, sort?: string): boolean {
	const given = Object.entries(filters).some(([name, value]) => value !== undefined && scoredFilters.has(name));
	return given || (sort !== undefined && scoredNames.has(sort));
}

/** Of a moment; undefined of the present, whose scores stand beside the requests. */
export async function scoresOn({ scores }: Resources, { as_of, at_seq }: AsOf): Promise<Scores | undefined> {
	if (as_of === undefined && at_seq === undefined) return undefined;
	return (await scores?.on({ as_of, at_seq })) ?? noScores;
}

/** The same of some requests, where `wanted` says that they are shown. */
export async function scoresOf(
	{ scores }: Resources,
	{ as_of, at_seq }: AsOf,
	ids: readonly string[],
): Promise<Scores | undefined> {
	if (as_of === undefined && at_seq === undefined) return undefined;
	return (await scores?.of({ as_of, at_seq }, ids)) ?? noScores;
}

/** What stands behind `from`: `states` (of `project_history p`) as a relation `p` whose columns of scores are those of the moment. */
export function withScores<F>(sql: Tag<F>, states: F, scores: Scores): F {
	const { ids, values, developers, needing } = arraysOf(scores);
	const arrays = columns
		.map((name, at) => sql`, ${values[at] ?? "{}"}::text::${textOf(sql, columnTypes[name])}[]`)
		.reduce((all, one) => sql`${all}${one}`);
	return sql`(
		select ${textOf(sql, facts.map((name) => `f.${name}`).join(", "))}, s.*, c.needs_capital from (select p.* from ${states}) f
		left join unnest(${developers}::text::integer[], ${needing}::text::boolean[]) as c (rated_id, needs_capital) on c.rated_id = f.developer_id
		left join unnest(${ids}::text::text[]${arrays}) as s (score_of, ${textOf(sql, columns.join(", "))}) on s.score_of = f.id) p where`;
}

/** PostgreSQL's texts of arrays. */
interface Arrays {
	ids: string;
	/** Of each column. */
	values: string[];
	developers: string;
	needing: string;
}
const arrays = new WeakMap<Scores, Arrays>();

function arraysOf(scores: Scores): Arrays {
	const known = arrays.get(scores);
	if (known !== undefined) return known;
	const rows = [...scores.rows.values()];
	const of = (name: keyof PastScore) => `{${rows.map((row) => element(row[name])).join(",")}}`;
	const made: Arrays = {
		...{ ids: of("id"), values: columns.map(of) },
		developers: `{${[...scores.needsCapital.keys()].join(",")}}`,
		needing: `{${[...scores.needsCapital.values()].join(",")}}`,
	};
	arrays.set(scores, made);
	return made;
}

function element(value: PastScore[keyof PastScore]): string {
	if (typeof value === "string") return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
	return value === null ? "NULL" : String(value);
}

/** A row of `/projects` with what scoring says of it; of a row with fewer fields those that it has. */
export function scoredRow(row: Record<string, unknown>, scores: Scores, fields?: readonly string[]): object {
	const said = scores.rows.get(String(row.id));
	const { developer_id, ...rest } = row;
	const shown: Record<string, unknown> = fields === undefined || fields.includes("developer_id") ? { ...row } : rest;
	if ("needs_capital" in row) shown.needs_capital = scores.needsCapital.get(Number(developer_id)) ?? null;
	for (const name of columns)
		if (name in row || (name.startsWith("score_") && (fields?.includes(name) ?? true)))
			shown[name] = said?.[name] ?? null;
	return shown;
}

/** The fields that a row needs to be read with: its developer says whether it needed capital. */
export const readFields = (fields: readonly string[] | undefined): readonly string[] | undefined =>
	fields?.includes("needs_capital") ? [...fields, "developer_id"] : fields;

/** Does an answer with these fields show any? */
export const showsScores = (fields: readonly string[] | undefined): boolean =>
	fields === undefined || fields.some((name) => scoredNames.has(name));
