import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { trigramSimilarity } from "#libs/names/similarity.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { notACursor, readCursor, writeCursor } from "#libs/postgres/replies/cursor.ts";
import { metaJson } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { developersAt } from "../developers-at.ts";

/** Minimum share of common trigrams (pg_trgm's default). */
const minScore = 0.3;

interface Candidate {
	developer_id: number;
	canonical_name: string;
	aliases: string[];
	project_count: number;
	active_capacity_mw: number;
	keys: string[];
}

/**
 * Scores a name 1 if it equals the query, 0.9 if it begins with it, 0.8 if it contains it as whole words, else at most 0.95 by the share of
 * common trigrams. For a past day, counts requests listed on that day.
 */
export function searchDevelopers(resources: Resources): Handler<"searchDevelopers"> {
	const { sql } = resources;
	let cached: { version: number; candidates: Candidate[] } | undefined;
	return async ({ q, page, per_page, limit, cursor, ...asOf }) => {
		checkDay(resources, asOf);
		const version = await readDataVersion(sql);
		if (asOf.as_of === undefined && cached?.version !== version)
			cached = { version, candidates: await readCandidates(sql, asOf) };
		const known = asOf.as_of !== undefined ? await readCandidates(sql, asOf) : (cached?.candidates ?? []);
		const wanted = normaliseName(q).fullKey || q.toLowerCase();
		const found = known
			.map(({ keys, ...shown }) => ({ ...shown, score: Math.max(...keys.map((key) => scoreOf(wanted, key))) }))
			.filter(({ score }) => score >= minScore)
			.sort((a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b)));
		const { rows, meta } = pageOf(found, { of: { q, ...asOf }, page, per_page: limit ?? per_page, cursor });
		const results = rows.map(({ active_capacity_mw: _, ...row }) => ({
			...row,
			score: Math.round(row.score * 1000) / 1000,
		}));
		const reply: Reply<"searchDevelopers"> = {
			query: q,
			results,
			meta: { ...meta, ...(await readPastMeta(sql, asOf)) },
		};
		return { json: JSON.stringify(reply), dataVersion: version };
	};
}

type Found = Omit<Candidate, "keys"> & { score: number };

/** Sorts by score, then number of requests, then active capacity, all descending. */
const sortKeyOf = ({ score, project_count, active_capacity_mw, developer_id }: Found) => [
	-score,
	-project_count,
	-active_capacity_mw,
	developer_id,
];
const compareSortKeys = (a: readonly number[], b: readonly number[]): number =>
	a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

interface Paging {
	of: object;
	page: number;
	per_page: number;
	cursor: string | undefined;
}

function pageOf(found: readonly Found[], { of, page, per_page, cursor }: Paging) {
	const meta = { total: found.length, per_page, pages: Math.ceil(found.length / per_page) };
	if (cursor === undefined)
		return { rows: found.slice((page - 1) * per_page, page * per_page), meta: { ...meta, page } };
	const position = cursor === "*" ? undefined : readCursor(of, cursor, 4);
	const after = position?.values.map((value) => {
		if (typeof value !== "number") throw notACursor();
		return value;
	});
	const rest = after === undefined ? found : found.filter((row) => compareSortKeys(sortKeyOf(row), after) > 0);
	const rows = rest.slice(0, per_page);
	const last = rows.at(-1);
	const pages = (position?.pages ?? 0) + 1;
	const next_cursor =
		last === undefined || rest.length <= per_page ? null : writeCursor(of, { pages, values: sortKeyOf(last) });
	return { rows, meta: { ...meta, page: pages, next_cursor } };
}

async function readPastMeta(sql: Sql, asOf: AsOf): Promise<object> {
	if (asOf.as_of === undefined) return {};
	const [row] = await sql<{ meta: object }[]>`select ${metaJson(sql, asOf)} as meta`;
	return row?.meta ?? {};
}

async function readCandidates(sql: Sql, asOf: AsOf): Promise<Candidate[]> {
	const rows = await sql<Omit<Candidate, "keys">[]>`
		select developer_id, canonical_name, total_projects as project_count, active_capacity_mw,
			array(select alias from developer_aliases a where a.developer_id = d.developer_id order by alias) as aliases
		from ${developersAt<Fragment>(sql, asOf)} d order by developer_id`;
	return rows.map((row) => ({
		...row,
		keys: [row.canonical_name, ...row.aliases].map((name) => normaliseName(name).fullKey || name.toLowerCase()),
	}));
}

function scoreOf(wanted: string, key: string): number {
	if (key === wanted) return 1;
	const matchScore = key.startsWith(wanted) ? 0.9 : ` ${key} `.includes(` ${wanted} `) ? 0.8 : 0;
	return Math.max(matchScore, trigramSimilarity(wanted, key) * 0.95);
}
