import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { developersAt } from "../../developers/developers-at.ts";
import { fewRequestsAt, metaPart, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { readCountyName } from "../county-in-text.ts";
import { poiIdSuffix } from "../poi.ts";
import { correctWords } from "./correct-words.ts";

/** Maximum known words that contain a part of the text, for the rarest part and for others. Searching for more words costs more than it saves. */
const maxWords = { rarest: 500, other: 50 };
/** Attempts to read words and results at one data version while requests are being written. The last attempt does not use words. */
const maxReadings = 5;

interface SearchParams extends AsOf {
	q: string;
	page: number;
	per_page: number;
}

/**
 * Orders the results: the number or developer itself, a name or county equal to the text, one that begins with it, one that contains it.
 * If nothing is found, the text is searched again as an id or a county, then with corrected words.
 */
export function search(resources: Resources): Handler<"search"> {
	const { sql } = resources;
	return async (params) => {
		checkDay(resources, params);
		const head = sql`${metaPart(sql, params)} 'query', ${params.q}::text,`;
		const found = await searchOnce(sql, params, head);
		if (!isEmpty(found)) return found;
		if (params.page > 1 && !isEmpty(await searchOnce(sql, { ...params, page: 1, per_page: 1 }, head))) return found;
		const searchFor = (q: string) => searchOnce(sql, { ...params, q }, sql`${head} 'corrected', ${q}::text,`);
		for (const q of rephrase(params.q)) {
			const rephrasedResults = await searchFor(q);
			if (!isEmpty(rephrasedResults)) return rephrasedResults;
		}
		const corrected = await correctWords(sql, params.q, readCountyName(params.q)?.county);
		const nearest = corrected === undefined ? found : await searchFor(corrected);
		return isEmpty(nearest) ? found : nearest;
	};
}

/** Rephrases "ERCOT 27INR0061" as the id of a request, and "Midland TX" as a county. */
function rephrase(q: string): string[] {
	const [first = "", ...rest] = q.trim().split(/\s+/);
	const region = regions.find((name) => name === first.toUpperCase());
	const place = q.trim().replace(/\s+(?=\S+$)/, ", ");
	return [
		...(region !== undefined && rest.length > 0 ? [`${region}-${rest.join(" ")}`] : []),
		...(!q.includes(",") && readCountyName(place) !== undefined ? [place] : []),
	];
}

const isEmpty = ({ json }: Versioned<Reply<"search">>): boolean => json.toString().endsWith("[]}");

/** `head` contains the fields of the response that come before the results. */
async function searchOnce(sql: Sql, params: SearchParams, head: Fragment): Promise<Versioned<Reply<"search">>> {
	const { q, page, per_page } = params;
	if (params.as_of !== undefined) return readResults(sql, params, projectHitsAt(sql, q, params), head);
	for (let readings = 1; ; readings++) {
		const { words, version } = await readContainingWords(sql, q);
		const isLast = readings === maxReadings;
		const found = await readResults(sql, params, projectHits(sql, q, isLast ? [] : words, page * per_page), head);
		// A different version means that a request with a new word may have been written in between.
		if (found.dataVersion === version || isLast) return found;
	}
}

/** `hits` contains the common table expression `project_hits` and those that it reads. */
const readResults = (
	sql: Sql,
	{ q, page, per_page, ...asOf }: SearchParams,
	hits: Fragment,
	head: Fragment,
): Promise<Versioned<Reply<"search">>> =>
	oneJsonReply<Reply<"search">>(
		sql,
		sql`
			with ${hits}, ${developerHits(sql, q, asOf)}, ${countyHits(sql, q, asOf)}, ${poiHits(sql, q, asOf)},
			found as (
				select rank, weight, sort, tie, hit from developer_hits
				union all select rank, weight, sort, tie, hit from county_hits
				union all select rank, weight, sort, tie, hit from poi_hits
				union all select rank, -capacity_mw, id, '', null from project_hits
				order by rank, weight, sort, tie limit ${per_page} offset ${(page - 1) * per_page})
			select json_build_object(${head}
				'results', coalesce((select json_agg(coalesce(f.hit, (
					select json_build_object('kind', 'project', 'id', p.id, 'name', p.name, 'region', p.region, 'status_std', p.status_std,
						'developer', p.developer, 'capacity_mw', p.capacity_mw, 'state', p.state) from ${fewRequestsAt(sql, asOf)} p.id = f.sort))
					order by rank, weight, sort, tie) from found f), '[]'))`,
	);

/** Returns, for each part of the text, the known words that contain it (a matching request has one of them), and the data version. */
async function readContainingWords(sql: Sql, q: string): Promise<{ words: string[][]; version: number }> {
	// Only the first and the last part of the text may be pieces of words. '{' follows 'z'.
	const rows = await sql<{ words: string[] | null; version: number }[]>`
		select version, case
			when part = '' then null
			when is_first then array(select word from searched_words where word like pattern limit ${maxWords.rarest + 1})
			when is_last then array(select word from searched_words where word >= part and word < part || '{' limit ${maxWords.rarest + 1})
			else array[part] end as words
		from data_version, (
			select part, is_first, is_last, '%' || part || case when is_last then '%' else '' end as pattern
			from (select part collate "C" as part, place = 1 as is_first, place = count(*) over () as is_last
				from regexp_split_to_table(lower(${q}), '[^a-z0-9]+') with ordinality as t (part, place)) as split
			-- Computes the pattern once, not for each word.
			offset 0) as parts`;
	const parts = rows.flatMap(({ words }) => (words === null ? [] : [words])).sort((a, b) => a.length - b.length);
	return {
		words: parts.filter(({ length }, at) => length <= (at === 0 ? maxWords.rarest : maxWords.other)),
		version: rows[0]?.version ?? 0,
	};
}

/**
 * Selects the best `maxHits` requests. Those that begin with the text are read by name and number. Others are read rank by rank, and only if
 * needed: frequent ones from the largest request down, rare ones by their words.
 */
function projectHits(sql: Sql, q: string, words: string[][], maxHits: number): Fragment {
	const whole = sql`lower(${q}) collate "C"`;
	const anywhere = containing(q);
	const within = sql`lower(${anywhere}) collate "C"`;
	const start = sql`lower(${anywhere.slice(1)}) collate "C"`;
	const begins = sql`(lower_name like ${start} or lower_queue_id like ${start} or lower_id = ${whole})`;
	const narrowed = words.reduce((all, each) => sql`${all} and words && ${each}::text[]`, sql`true`);
	const selectRank = (higherRanks: string[], rank: number, condition: Fragment) => sql`
		select ${rank}::int as rank, capacity_mw, id from searched_projects
		where (select ${higherRanks.map((name) => sql`(select count(*) from ${sql(name)})`).reduce((a, b) => sql`${a} + ${b}`)}) < ${maxHits}
			-- Without the index on words, comparing them costs most, so it comes after the condition.
			and ${condition} and ${narrowed} and not ${begins}
		order by capacity_mw desc, id limit ${maxHits}`;
	const isNamed = sql`lower_name like ${within}`;
	const isDeveloped = sql`lower_developer like ${within}`;
	const isOther = sql`lower_rest like ${within}`;
	return sql`
		heads as materialized (
			select case when lower_id = ${whole} or lower_queue_id = ${whole} then 0
				when lower_name = ${whole} then 2 when lower_name like ${start} or lower_queue_id like ${start} then 4 end as rank,
				capacity_mw, id
			from searched_projects where ${begins} order by rank, capacity_mw desc, id limit ${maxHits}),
		named as materialized (${selectRank(["heads"], 6, isNamed)}),
		developed as materialized (${selectRank(["heads", "named"], 7, sql`${isDeveloped} and not ${isNamed}`)}),
		others as materialized (${selectRank(["heads", "named", "developed"], 8, sql`${isOther} and not ${isNamed} and not ${isDeveloped}`)}),
		project_hits as (select * from heads union all select * from named union all select * from developed
			union all select * from others)`;
}

/** Selects the same ranks as of a past day, by searching the texts of the requests on that day. */
function projectHitsAt(sql: Sql, q: string, asOf: AsOf): Fragment {
	const anywhere = containing(q);
	const within = sql`lower(${anywhere})`;
	const start = sql`lower(${anywhere.slice(1)})`;
	return sql`
		project_hits as (
			select rank, capacity_mw, id from (
				select case
						when lower(p.id) = lower(${q}) or lower(p.queue_id) = lower(${q}) then 0
						when lower(p.name) = lower(${q}) then 2
						when lower(p.name) like ${start} or lower(p.queue_id) like ${start} then 4
						when lower(p.name) like ${within} then 6
						when lower(p.developer) like ${within} then 7
						when lower(p.queue_id) like ${within} or lower(p.id) like ${within} or lower(p.poi) like ${within} then 8
					end as rank, coalesce(p.capacity_mw, 0) as capacity_mw, p.id
				from ${requestsAt(sql, asOf)} p.kind = 'generation') ranked
			where rank is not null)`;
}

function developerHits(sql: Sql, q: string, asOf: AsOf): Fragment {
	const anywhere = containing(q);
	return sql`
		named_so as materialized (
			select developer_id, min(case when lower(name) = lower(${q}) then 0 when name ilike ${anywhere.slice(1)} then 3 else 5 end) as rank
			from (select developer_id, canonical_name as name from developers
				union all select developer_id, alias from developer_aliases) names
			where name ilike ${anywhere} group by developer_id),
		developer_hits as (
			select rank, -total_projects as weight, canonical_name as sort, developer_id::text as tie,
				json_build_object('kind', 'developer', 'developer_id', developer_id, 'name', canonical_name,
					'match_score', case rank when 0 then 1 when 3 then 0.9 else 0.8 end, 'project_count', total_projects,
					'total_capacity_mw', portfolio -> 'total_capacity_mw') as hit
			from ${developersAt(sql, asOf, sql`select developer_id from named_so`)} d join named_so using (developer_id))`;
}

/** Selects points with this name and voltage, and after them lines that end there. */
function poiHits(sql: Sql, q: string, asOf: AsOf): Fragment {
	const name = poiIdSuffix(q);
	return sql`
		poi_hits as (
			select case when poi_id like ${`%--${name ?? ""}`} then 5 else 1 end as rank, -count(*) as weight, poi_id as sort, '' as tie,
				json_build_object('kind', 'poi', 'poi_id', poi_id, 'name', mode() within group (order by p.poi), 'state', min(p.state),
					'project_count', count(*), 'total_capacity_mw', coalesce(round(sum(p.capacity_mw::numeric), 3), 0)::float8) as hit
			from ${requestsAt(sql, asOf)} ${name === null ? sql`false` : sql`p.poi_id like ${`%-${name}`}`} and p.kind = 'generation'
			group by poi_id)`;
}

/** If the text contains "County" or a state, only the name before it is compared. */
function countyHits(sql: Sql, q: string, asOf: AsOf): Fragment {
	const { county, state } = readCountyName(q) ?? { county: q, state: null };
	const anywhere = containing(county);
	return sql`
		county_hits as (
			select case when lower_county = lower(${county}) then 1 when lower_county like lower(${anywhere.slice(1)}) then 3 else 5 end as rank,
				-projects as weight, county as sort, concat(fips, state) as tie,
				json_build_object('kind', 'county', 'name', county, 'state', state, 'fips', fips, 'project_count', projects,
					'total_capacity_mw', round(capacity_mw, 3)::float8) as hit
			from ${asOf.as_of !== undefined ? countiesAt(sql, asOf) : sql`county_totals`} c where lower_county like lower(${anywhere}) and projects > 0
				${state === null ? sql`` : sql`and state = ${state}`})`;
}

/** Computes the table `county_totals` as of a past day. */
const countiesAt = (sql: Sql, asOf: AsOf): Fragment => sql`(
	select p.county, p.state, p.fips, lower(p.county) as lower_county, count(*) as projects,
		coalesce(sum(p.capacity_mw::numeric), 0) as capacity_mw
	from ${requestsAt(sql, asOf)} p.kind = 'generation' and p.county is not null and p.fips is not null
	group by p.county, p.state, p.fips)`;
