import { type AppError, badRequest, gone, notFound } from "#libs/contract/errors.ts";
import { onlyFields } from "#libs/contract/exports/columns.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import { projectRegions, type Region, utilityQueues } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { readTogether } from "#libs/postgres/replies/read-together.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { stagesOf, stateCondition } from "../../history/past.ts";
import { noScores } from "../../history/past-scores.ts";
import { scoredNames, scoredRow, scoresOf } from "../../history/scored.ts";
import type { Resources } from "../../resources.ts";
import { fileName } from "../../sources/archive.ts";
import type { ListGroup } from "../../sources/source.ts";
import { sourcesOf } from "../sources/index.ts";

/** Most calls name an id: one statement reads the requests of all concurrent calls. */
export function getProject(resources: Resources): Handler<"getProject"> {
	const { sql } = resources;
	const read = readTogether((ids) => readAll(sql, ids));
	return async ({ project_id, region, fields, as_of }) => {
		if (as_of !== undefined) return selectFields(await getProjectOn(resources, { project_id, region, as_of }), fields);
		const exact = await read(project_id);
		if (exact !== undefined && (region === undefined || exact.region === region))
			return selectFields(exact.answer, fields);
		const found = await read(await findByNumber(sql, project_id, region));
		if (found === undefined) throw new Error(`${project_id} is an alias of a missing project`);
		return selectFields(found.answer, fields);
	};
}

/** Returns the request as of a past day, with the score of that day. @throws AppError 404 if no list of the day contains it, 422 for a day in the future */
export async function getProjectOn(
	resources: Resources,
	{ project_id, region, as_of }: { project_id: string; region?: Region | undefined; as_of: string },
): Promise<Found["answer"]> {
	const { sql } = resources;
	checkDay(resources, { as_of });
	const id = await resolveProjectId(sql, project_id, region);
	const [found, scores] = await Promise.all([readState(sql, id, as_of), scoresOf(resources, { as_of }, [id])]);
	return { ...found, json: JSON.stringify(scoredRow(JSON.parse(found.json.toString()), scores ?? noScores)) };
}

function selectFields(answer: Found["answer"], fields: readonly string[] | undefined): Found["answer"] {
	if (fields === undefined) return answer;
	return { ...answer, json: JSON.stringify(onlyFields(JSON.parse(answer.json.toString()), fields)) };
}

interface Found {
	region: string;
	answer: Versioned<Reply<"getProject">>;
}

/** Reads requests by id. Their JSON is kept as the bytes that PostgreSQL sent. */
async function readAll(sql: Sql, ids: string[]): Promise<Map<string, Found>> {
	const rows = await sql`
		select p.id, p.region, left(p.body, -1) || ',"aliases":'
			|| coalesce((select json_agg(a.number order by a.first_seen_at, a.number) from project_aliases a
				where a.project_id = p.id)::text, '[]')
			|| ',"developer_match":' || coalesce((select case when c.developer_id is null then 'null' else json_build_object('method',
				'correction', 'confidence', 1, 'matched_text', p.developer_canonical, 'evidence', correction_text(c),
				'plant_id', null)::text end from corrections c
				where c.project_id = p.id and c.about = 'request' and c.ended_at is null),
				(select json_build_object('method', l.method, 'confidence', l.confidence, 'matched_text', l.matched_text,
				'evidence', case when l.method = 'correction' then l.reason end, 'plant_id', null) from developer_links l
				where l.raw_name = p.developer and l.developer_id is not null)::text,
				(select json_build_object('method', l.method, 'confidence', l.confidence, 'matched_text', l.company,
				'evidence', l.evidence, 'plant_id', l.plant_id) from project_developers l where l.project_id = p.id)::text, 'null')
			|| ',"relations":' || coalesce((select json_agg(json_build_object('id', r.id, 'relation', r.relation, 'method', r.method,
				'confidence', r.confidence, 'evidence', r.evidence) order by r.id)::text
				from (${relationsOfRequest(sql)}) r), '[]')
			|| ',"raw":' || p.raw || '}', (select version from data_version)
		from projects p where p.id = any(${ids}::text[])`.raw();
	return new Map(
		rows.map((row) => {
			const [id, region, json = Buffer.alloc(0), version] = row as unknown as Buffer[];
			const answer = { json, dataVersion: Number(version) };
			return [String(id), { region: String(region), answer }];
		}),
	);
}

/** Relations of the request `p`, in both directions. */
const relationsOfRequest = (sql: Sql): Fragment => sql`
	select other_id as id, relation, method, confidence, evidence from request_relations where project_id = p.id
	union all
	select project_id, case relation when 'successor_of' then 'predecessor_of' else relation end, method, confidence, evidence
	from request_relations where other_id = p.id`;

/** Reads the state of a request on a day, with all its numbers. Filed cells and links are empty, because they are stored only for the newest list. */
async function readState(sql: Sql, id: string, day: string): Promise<Found["answer"]> {
	const [row] = await sql`
		select left(state_body(p), -1) || ',"aliases":' || coalesce((select json_agg(a.number order by a.first_seen_at, a.number)
				from project_aliases a where a.project_id = p.id)::text, '[]') || ',"developer_match":null,"relations":null,"raw":{}}',
			(select version from data_version)
		from project_history p where p.id = ${id} and ${stateCondition(sql, day)} order by p.version desc limit 1`.raw();
	const [json, version] = (row ?? []) as unknown as Buffer[];
	if (json !== undefined) return { json, dataVersion: Number(version) };
	throw await notListedError(sql, id);
}

/** Returns a 404: no list of that day contains the request. */
export async function notListedError(sql: Sql, id: string): Promise<AppError> {
	const [first] = await sql<{ day: string | null }[]>`
		select to_char(min(valid_from) at time zone 'UTC', 'YYYY-MM-DD') as day from project_history where id = ${id}`;
	return notFound(
		`${id} was not listed on that day${first?.day ? `: it first appeared in the list of ${first.day}` : ""}`,
	);
}

/**
 * Returns the id of the one project that `wanted` identifies: an id, `<REGION>-<any number it was ever filed under>`, or a bare number.
 * Throws 404 if none matches, 410 if it no longer exists, 400 if several operators use the number.
 */
export async function resolveProjectId(sql: Sql, wanted: string, region?: Region): Promise<string> {
	const exact = await sql<{ id: string }[]>`
		select id from projects where id = ${wanted} and (${region ?? null}::text is null or region = ${region ?? null})`;
	return exact[0]?.id ?? (await findByNumber(sql, wanted, region));
}

async function findByNumber(sql: Sql, wanted: string, region?: Region): Promise<string> {
	const keys = possibleKeys(wanted, region);
	const found = await sql<{ id: string; region: string }[]>`
		select distinct on (a.region) a.project_id as id, a.region
		from project_aliases a join unnest(${keys.map((key) => key.region)}::text[], ${keys.map((key) => key.key)}::text[]) as k (region, key)
			on a.region = k.region and a.key = k.key
		order by a.region, a.first_seen_at, a.project_id`;
	const operatorMatches = found.filter((row) => !utilityQueues.some((utility) => utility === row.region));
	const [first, ...others] = operatorMatches.length > 0 ? operatorMatches : found;
	if (first !== undefined && others.length > 0)
		throw badRequest(
			`several operators use the number ${wanted} (${[first, ...others].map((row) => row.region).join(", ")}): specify region`,
		);
	if (first !== undefined) return first.id;
	const reason = (await readGoneReasons(sql, [wanted])).get(wanted);
	if (reason !== undefined) throw gone(reason);
	throw notFound(`no project ${wanted}${region === undefined ? "" : ` in ${region}`}`);
}

/** Returns every key that the text can be, for each operator: of the whole text, and of the text after a leading region. */
export function possibleKeys(wanted: string, region: Region | undefined): { region: ListGroup; key: string }[] {
	const readings: { region: ListGroup; key: string }[] = [];
	for (const candidate of region === undefined ? ([...projectRegions, "DG"] as const) : [region]) {
		const prefix = `${candidate}-`;
		const named = wanted.toUpperCase().startsWith(prefix);
		for (const source of sourcesOf(candidate)) {
			if (named) readings.push({ region: candidate, key: source.key(wanted.slice(prefix.length)) });
			readings.push({ region: candidate, key: source.key(wanted) });
		}
	}
	return readings;
}

/** SQL: 'derived' or 'list'. A derived state that replaced a list's state of the same time counts as 'list'. */
const stateReason =
	"case when p.derived and not exists (select from project_history o where o.id = p.id and o.valid_from = p.valid_from and o.snapshot_id = p.snapshot_id and not o.derived) then 'derived' else 'list' end";

/**
 * Fields that are not compared: those that identify a state, and scores with the fields that depend on them, because a state has the scores of
 * the time when the next list was loaded, not of its own days.
 */
const omittedFields = ["version", "first_seen_at", "last_changed_at", ...scoredNames];

export function getProjectHistory(sql: Sql): Handler<"getProjectHistory"> {
	return async ({ project_id, region, order, page, per_page, cursor }) => {
		const id = await resolveProjectId(sql, project_id, region);
		return replyList(
			sql,
			{
				filters: { id },
				chosen: sql`(
					select entry, valid_from, version, lag(entry) over (order by valid_from, version, entry) as before_entry
					from project_history where id = ${id} and valid_to is distinct from valid_from) states where true`,
				sort: [
					{ column: "valid_from", order },
					{ column: "version", order },
					{ column: "entry", order },
				],
				columns: sql`valid_from, version, entry, before_entry`,
				rows: sql`
					select p.version, iso(p.valid_from) as valid_from, iso(p.valid_to) as valid_to,
						${sql.unsafe(stateReason)} as reason,
						(select s.outcome = 'backfilled' from snapshots s where s.id = p.snapshot_id) as backfilled, p.snapshot_id,
						(select json_build_object('feed', f.feed, 'name', ${fileName(sql, sql`f.name`)}, 'sha256', f.sha256, 'url', f.url) from snapshot_files f
							where f.snapshot_id = p.snapshot_id and f.feed = p.feed limit 1) as file,
						(select coalesce(json_agg(json_build_object('field', n.key, 'old_value', o.value, 'new_value', n.value)), '[]')
							from json_each_text(state_body(p)::json) n
							left join json_each_text((select state_body(b)::json from project_history b where b.entry = page.before_entry)) o
								on o.key = n.key
							where n.value is distinct from o.value and n.key <> all(${omittedFields}::text[])) as differences
					from page join project_history p using (entry)`,
				fields: {
					stages: sql`select coalesce(json_agg(json_build_object('study_phase', study_phase, 'began', began, 'ended', ended, 'days', days)
						order by valid_from), '[]') from ${stagesOf(sql, sql`${id}`, sql`'infinity'`)} stages`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

export function resolveProject(sql: Sql): Handler<"resolveProject"> {
	return async ({ project_id, region }) => {
		const id = await resolveProjectId(sql, project_id, region);
		return oneJsonReply<Reply<"resolveProject">>(sql, sql`select json_build_object('id', ${id}::text)`);
	};
}

/** Returns, by id, the reason why a request is gone. Ids that were never published have no entry. */
export async function readGoneReasons(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
	if (ids.length === 0) return new Map();
	const rows = await sql<{ id: string; isRetracted: boolean; goneOn: string }[]>`
		select d.id, exists (select from changes c where c.project_id = d.id) as "isRetracted",
			to_char(d.deleted_at at time zone 'UTC', 'YYYY-MM-DD') as "goneOn"
		from deleted_projects d
		where d.id = any(${[...new Set(ids)]}::text[]) and not exists (select from projects p where p.id = d.id)`;
	return new Map(
		rows.map(({ id, isRetracted, goneOn }) => [
			id,
			isRetracted
				? `${id} was only in lists that were retracted as mistaken`
				: `${id} belonged to data that were removed as a whole on ${goneOn}, like the bundled sample when a real list replaces it`,
		]),
	);
}
