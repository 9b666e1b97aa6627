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
/** A request is the result only if its confidence exceeds that of every other candidate by more than this. */
const minLead = 0.1;

/** Replies in the order of the queries. For each, the first method that finds a request decides; equally good candidates are ambiguous. */
async function resolveQueries(sql: Sql, queries: readonly Query[]): Promise<Answer[]> {
	let unresolved = parseQueries(queries);
	const all = unresolved;
	const candidates = new Map<number, Candidate[]>();
	const reasons = new Map(findByGem(unresolved).reasons);
	for (const find of [findByNumber, findByCluster, findByLbnl, findByEia, findByPoint, findByName]) {
		if (unresolved.length === 0) break;
		const results = await find(sql, unresolved);
		for (const [at, matches] of results.candidates) candidates.set(at, matches);
		for (const [at, reason] of results.reasons) reasons.set(at, reason);
		unresolved = unresolved.filter(({ at }) => !candidates.has(at));
	}
	const goneReasons = await readGoneReasons(
		sql,
		queriesOfKind(unresolved, "text").map(({ query }) => query.q),
	);
	const knownRequests = await readKnownRequests(sql, [...candidates.values()].flat());
	const answers = all.map((one) =>
		chooseProject(one, candidates.get(one.at) ?? [], knownRequests, {
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

async function readKnownRequests(sql: Sql, candidates: Candidate[]): Promise<Map<string, Known>> {
	const ids = [...new Set(candidates.map(({ id }) => id))];
	if (ids.length === 0) return new Map();
	const rows = await sql<(Named & { counties: string[] })[]>`
		select id, queue_id, region, name, state, county, type_std, status_std, listed, capacity_mw, counties
		from projects where id = any(${ids}::text[])`;
	return new Map(rows.map(({ counties, ...project }) => [project.id, { project, counties }]));
}

/** Whether the request's place agrees with the query. A part that is unknown or not given counts as agreeing. */
function matchesPlace({ region, state, county }: Query, { project, counties }: Known): boolean {
	if (region !== undefined && project.region !== region) return false;
	if (state !== undefined && project.state !== null && project.state !== state) return false;
	return (
		county === undefined || counties.length === 0 || counties.some((one) => bareCounty(one) === bareCounty(county))
	);
}

function chooseProject(
	{ query }: ParsedQuery,
	candidates: readonly Candidate[],
	knownRequests: ReadonlyMap<string, Known>,
	absence: { gone: string | undefined; reason: string | undefined },
): Answer {
	const matches = candidates
		.flatMap((candidate) => {
			const request = knownRequests.get(candidate.id);
			return request === undefined ? [] : [{ ...candidate, ...request, fits: matchesPlace(query, request) }];
		})
		.sort((a, b) => Number(b.fits) - Number(a.fits) || b.confidence - a.confidence);
	const fitting = matches.filter(({ fits }) => fits);
	const [best, second] = fitting;
	const isUnique = best !== undefined && (second === undefined || best.confidence - second.confidence > minLead);
	const others = isUnique ? matches.slice(1) : matches;
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
	if (best !== undefined && isUnique) {
		const evidence = { text: best.text, source: null, file: null, sha256: null, sheet: null, row: null };
		const { project, method, confidence } = best;
		return { ...answer, outcome: "found", project, method, confidence, evidence, reason: null };
	}
	const noResult = { ...answer, project: null, method: null, confidence: null, evidence: null };
	if (best !== undefined)
		return {
			...noResult,
			outcome: "ambiguous",
			reason: `${fitting.length} requests match equally: add region, state or county`,
		};
	if (matches.length > 0)
		return {
			...noResult,
			outcome: "contradicted",
			reason: "all matches are in a different region, state or county than the query",
		};
	if (absence.gone !== undefined) return { ...noResult, outcome: "gone", reason: absence.gone };
	return {
		...noResult,
		outcome: "not_found",
		reason: absence.reason ?? "no request, present or past, has this number or name",
	};
}

function withFiledRow(answer: Answer, filedRows: ReadonlyMap<string, FiledRow>): Answer {
	const filedRow = answer.project === null ? undefined : filedRows.get(answer.project.id);
	if (filedRow === undefined || answer.evidence === null) return answer;
	return { ...answer, evidence: { ...answer.evidence, ...filedRow } };
}

type FiledRow = Omit<NonNullable<Answer["evidence"]>, "text">;

/** Maximum newest lists to search. No request has only partial rows in this many consecutive lists. */
const maxLists = 24;

/** Finds each request's row in the newest list of its feed that has one. The map has no entry if the newest `maxLists` lists have none. */
async function readFiledRows(sql: Sql, ids: readonly string[]): Promise<Map<string, FiledRow>> {
	const filedRows = new Map<string, FiledRow>();
	for (const [from, to] of [
		[1, 1],
		[2, maxLists],
	] as const) {
		const missingIds = ids.filter((id) => !filedRows.has(id));
		if (missingIds.length === 0) break;
		const rows = await sql<(FiledRow & { id: string })[]>`
			with wanted as (select id, feed from projects where id = any(${missingIds}::text[])),
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
