/** Resolves several queries together: each search method takes one or a few statements for all of them. */
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { readGoneReasons } from "../operations/get-project.ts";
import { findByName } from "./by-name.ts";
import { findByCluster, findByNumber, findByPoint } from "./by-number.ts";
import { findByEia, findByGem, findByLbnl } from "./by-publisher.ts";
import { bareCounty, type Candidate, type ParsedQuery, parseQueries, type Query, queriesOfKind } from "./candidate.ts";

type Answer = Reply<"resolve">;
type Named = NonNullable<Answer["project"]>;
/** A request as in the response, and its counties. */
interface Known {
	project: Named;
	counties: string[];
}

const maxAlternatives = 5;
/** A request is the result if its confidence exceeds any other's by this much. */
const margin = 0.1;

/** Replies in the order of the queries. For each, the first method that finds a request decides; equally good candidates are ambiguous. */
async function resolveQueries(sql: Sql, queries: readonly Query[]): Promise<Answer[]> {
	let open = parseQueries(queries);
	const all = open;
	const candidates = new Map<number, Candidate[]>();
	const reasons = new Map(findByGem(open).reasons);
	for (const find of [findByNumber, findByCluster, findByLbnl, findByEia, findByPoint, findByName]) {
		if (open.length === 0) break;
		const found = await find(sql, open);
		for (const [at, those] of found.candidates) candidates.set(at, those);
		for (const [at, reason] of found.reasons) reasons.set(at, reason);
		open = open.filter(({ at }) => !candidates.has(at));
	}
	const goneReasons = await readGoneReasons(
		sql,
		queriesOfKind(open, "text").map(({ query }) => query.q),
	);
	const known = await readKnown(sql, [...candidates.values()].flat());
	const answers = all.map((one) =>
		chooseProject(one, candidates.get(one.at) ?? [], known, {
			gone: goneReasons.get(one.query.q),
			reason: reasons.get(one.at),
		}),
	);
	const filedRows = await readFiledRows(
		sql,
		answers.flatMap(({ project }) => (project === null ? [] : [project.id])),
	);
	return answers.map((answer) => withFiledRow(answer, filedRows));
}

async function readKnown(sql: Sql, candidates: Candidate[]): Promise<Map<string, Known>> {
	const ids = [...new Set(candidates.map(({ id }) => id))];
	if (ids.length === 0) return new Map();
	const rows = await sql<(Named & { counties: string[] })[]>`
		select id, queue_id, region, name, state, county, type_std, status_std, listed, capacity_mw, counties
		from projects where id = any(${ids}::text[])`;
	return new Map(rows.map(({ counties, ...project }) => [project.id, { project, counties }]));
}

/** Whether the request's place agrees with the query; unknown parts agree. */
function matchesPlace({ region, state, county }: Query, { project, counties }: Known): boolean {
	if (region !== undefined && project.region !== region) return false;
	if (state !== undefined && project.state !== null && project.state !== state) return false;
	return (
		county === undefined || counties.length === 0 || counties.some((one) => bareCounty(one) === bareCounty(county))
	);
}

function chooseProject(
	{ query }: ParsedQuery,
	found: readonly Candidate[],
	known: ReadonlyMap<string, Known>,
	absence: { gone: string | undefined; reason: string | undefined },
): Answer {
	const those = found
		.flatMap((candidate) => {
			const request = known.get(candidate.id);
			return request === undefined ? [] : [{ ...candidate, ...request, fits: matchesPlace(query, request) }];
		})
		.sort((a, b) => Number(b.fits) - Number(a.fits) || b.confidence - a.confidence);
	const fitting = those.filter(({ fits }) => fits);
	const [best, second] = fitting;
	const isOne = best !== undefined && (second === undefined || best.confidence - second.confidence > margin);
	const others = isOne ? those.slice(1) : those;
	const answer = {
		q: query.q,
		alternatives: others
			.slice(0, maxAlternatives)
			.map(({ project: { id, region, name, state, county }, method, confidence, text }) => ({
				project: { id, region, name, state, county },
				...{ method, confidence, text },
			})),
		alternatives_total: others.length,
	};
	if (best !== undefined && isOne) {
		const evidence = { text: best.text, source: null, file: null, sha256: null, sheet: null, row: null };
		const { project, method, confidence } = best;
		return { ...answer, outcome: "found", project, method, confidence, evidence, reason: null };
	}
	const none = { ...answer, project: null, method: null, confidence: null, evidence: null };
	if (best !== undefined)
		return {
			...none,
			outcome: "ambiguous",
			reason: `${fitting.length} requests match equally: add region, state or county`,
		};
	if (those.length > 0)
		return {
			...none,
			outcome: "contradicted",
			reason: "all matches are in another region, state or county than the query names",
		};
	if (absence.gone !== undefined) return { ...none, outcome: "gone", reason: absence.gone };
	return {
		...none,
		outcome: "not_found",
		reason: absence.reason ?? "no request, present or past, has this number or name",
	};
}

function withFiledRow(answer: Answer, filedRows: ReadonlyMap<string, FiledRow>): Answer {
	const filedRow = answer.project === null ? undefined : filedRows.get(answer.project.id);
	if (filedRow === undefined || answer.evidence === null) return answer;
	return { ...answer, evidence: { ...answer.evidence, ...filedRow } };
}

interface FiledRow {
	source: string;
	file: string;
	sha256: string;
	sheet: string | null;
	row: number | null;
}

/** Newest lists to search. No request has only partial rows in that many consecutive lists. */
const maxLists = 24;

/** By id, the request's row in the newest list of its feed that has one; no entry if the last `maxLists` lists have none. */
async function readFiledRows(sql: Sql, ids: readonly string[]): Promise<Map<string, FiledRow>> {
	const filedRows = new Map<string, FiledRow>();
	for (const [from, to] of [
		[1, 1],
		[2, maxLists],
	] as const) {
		const open = ids.filter((id) => !filedRows.has(id));
		if (open.length === 0) break;
		const rows = await sql<(FiledRow & { id: string })[]>`
			with wanted as (select id, feed from projects where id = any(${open}::text[])),
			lists as (
				select * from (
					select f.*, row_number() over (partition by f.feed order by f.snapshot_id desc) as nth
					from snapshot_files f join snapshots s on s.id = f.snapshot_id
					where s.outcome = 'applied' and f.feed in (select feed from wanted)) numbered
				where nth between ${from} and ${to})
			select distinct on (w.id) w.id, l.feed as source, l.name as file, l.sha256, l.tables -> u.tab ->> 'sheet' as sheet, u.line as row
			from lists l cross join lateral unnest(l.stated, l.stated_tables::int[], l.stated_rows) as u (id, tab, line)
			join wanted w on w.id = u.id and w.feed = l.feed order by w.id, l.snapshot_id desc`;
		for (const { id, ...filedRow } of rows) filedRows.set(id, filedRow);
	}
	return filedRows;
}

export function resolve(sql: Sql): Handler<"resolve"> {
	return async (query) => {
		const dataVersion = await readDataVersion(sql);
		const [answer] = await resolveQueries(sql, [query]);
		return { json: JSON.stringify(answer), dataVersion };
	};
}

export function resolveMany(sql: Sql): Handler<"resolveMany"> {
	return async ({ queries }) => {
		const dataVersion = await readDataVersion(sql);
		return { json: JSON.stringify({ data: await resolveQueries(sql, queries) }), dataVersion };
	};
}
