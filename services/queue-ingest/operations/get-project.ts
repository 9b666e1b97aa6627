import { badRequest, notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import { type Region, regions } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { jsonReply, oneJson } from "#libs/postgres/reply.ts";
import { sourcesOf } from "../sources/index.ts";
import type { ListGroup } from "../sources/source.ts";

/** Mostly asked by its id: then one statement is all. */
export function getProject(sql: Sql): Handler<"getProject"> {
	return async ({ project_id, region }) => {
		const found = await read(sql, project_id, region);
		return found ?? oneJson(await read(sql, await byNumber(sql, project_id, region)));
	};
}

function read(sql: Sql, id: string, region?: Region): Promise<Versioned<Reply<"getProject">> | null> {
	return jsonReply(
		sql,
		sql`select left(p.body, -1) || ',"aliases":'
			|| (select json_agg(a.number order by a.first_seen_at, a.number) from project_aliases a where a.project_id = p.id)::text
			|| ',"developer_match":' || coalesce((select json_build_object('method', l.method, 'confidence', l.confidence,
				'matched_text', l.matched_text) from developer_links l
				where l.raw_name = p.developer and l.developer_id is not null)::text, 'null')
			|| ',"raw":' || p.raw || '}'
		from projects p where p.id = ${id} ${region === undefined ? sql`` : sql`and p.region = ${region}`}`,
	);
}

/**
 * The id of the one project that a caller means: an id, `<REGION>-<any number it was ever filed under>`, or a bare number. Throws
 * 404 when there is none, 400 when a bare number is several operators'.
 */
export async function resolveProject(sql: Sql, wanted: string, region?: Region): Promise<string> {
	const exact = await sql<{ id: string }[]>`
		select id from projects where id = ${wanted} and (${region ?? null}::text is null or region = ${region ?? null})`;
	return exact[0]?.id ?? (await byNumber(sql, wanted, region));
}

async function byNumber(sql: Sql, wanted: string, region?: Region): Promise<string> {
	const keys = possibleKeys(wanted, region);
	const found = await sql<{ id: string; region: string }[]>`
		select distinct on (a.region) a.project_id as id, a.region
		from project_aliases a join unnest(${keys.map((key) => key.region)}::text[], ${keys.map((key) => key.key)}::text[]) as k (region, key)
			on a.region = k.region and a.key = k.key
		order by a.region, a.first_seen_at, a.project_id`;
	if (found.length > 1)
		throw badRequest(
			`${wanted} is a number of several operators (${found.map((row) => row.region).join(", ")}): give region`,
		);
	if (found[0] === undefined) throw notFound(`no project ${wanted}${region === undefined ? "" : ` in ${region}`}`);
	return found[0].id;
}

/** Every reading of the text as an operator's number: with its region in front, and bare. */
function possibleKeys(wanted: string, region: Region | undefined): { region: ListGroup; key: string }[] {
	const readings: { region: ListGroup; key: string }[] = [];
	for (const candidate of region === undefined ? ([...regions, "DG"] as const) : [region]) {
		const prefix = `${candidate}-`;
		const named = wanted.toUpperCase().startsWith(prefix);
		for (const source of sourcesOf(candidate)) {
			if (named) readings.push({ region: candidate, key: source.key(wanted.slice(prefix.length)) });
			readings.push({ region: candidate, key: source.key(wanted) });
		}
	}
	return readings;
}
