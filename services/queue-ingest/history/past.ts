/** Reads of the past: which states of requests an answer is made of, and what it says of the lists behind them. */
import { invalid } from "#libs/contract/errors.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Tag } from "#libs/filters/project-condition.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import type { Resources } from "../resources.ts";
import { readSeq } from "./newest-seq.ts";
import type { Scores } from "./past-scores.ts";
import { withScores } from "./scored.ts";

export const isPast = ({ as_of, at_seq }: AsOf): boolean => as_of !== undefined || at_seq !== undefined;

/** The last moment of a day, UTC. */
export const endOf = <F>(sql: Tag<F>, day: string): F =>
	sql`(${day}::text::timestamp at time zone 'UTC' + interval '1 day' - interval '1 microsecond')`;

/**
 * The moment from which days are counted back: now, or the end of a day that is over (exclusive). After a change: the time of the newest
 * list until then.
 */
export async function windowEnd({ sql, now }: Resources, { as_of, at_seq }: AsOf): Promise<Date> {
	if (at_seq !== undefined) {
		const [row] = await sql<{ at: string | null }[]>`
			select iso(max(detected_at)) as at from changes where seq <= ${at_seq}`;
		return row?.at ? new Date(row.at) : now();
	}
	const end = as_of === undefined ? Number.POSITIVE_INFINITY : Date.parse(as_of) + 86_400_000;
	return new Date(Math.min(end, now().getTime()));
}

/** The last moment that an answer of the past knows of, in what is not in the order of loading: of a change that of the newest list until it. */
export const knownUntil = <F>(sql: Tag<F>, { as_of, at_seq }: AsOf): F =>
	as_of !== undefined
		? endOf(sql, as_of)
		: sql`(select max(detected_at) from changes where seq <= ${at_seq ?? 0}::text::bigint)`;

/** The condition on `changes c` that leaves those of lists of the day or before, or those up to the change. */
export function changesUntil<F>(sql: Tag<F>, { as_of, at_seq }: AsOf): F {
	if (as_of !== undefined) return sql`c.detected_at <= ${endOf(sql, as_of)}`;
	return sql`c.seq <= ${at_seq ?? 0}::text::bigint`;
}

/** The condition on `project_history p` that leaves one state of each request: that of the day, or after the change. */
export function stateCondition<F>(sql: Tag<F>, { as_of, at_seq }: AsOf): F {
	if (as_of !== undefined) return sql`p.believed and tstzrange(p.valid_from, p.valid_to) @> ${endOf(sql, as_of)}`;
	return sql`p.seq_from is not null and int8range(p.seq_from, p.seq_to) @> ${at_seq ?? 0}::text::bigint`;
}

/** The same of a day, where the order by id decides more than the day: for the index project_versions_page. */
export function dayInOrder<F>(sql: Tag<F>, day: string): F {
	return sql`project_history p where p.believed and coalesce(p.valid_to, 'infinity') > ${endOf(sql, day)}
		and p.valid_from <= ${endOf(sql, day)} and`;
}

/** What stands behind `from`: the requests as they are, or as they were. With `scores` of the day its columns of scores are those (scored.ts). */
export function requestsAt<F>(sql: Tag<F>, moment: AsOf, scores?: Scores): F {
	if (!isPast(moment)) return sql`projects p where`;
	const states = sql`project_history p where ${stateCondition(sql, moment)}`;
	return scores === undefined ? sql`${states} and` : withScores(sql, states, scores);
}

/** Throws 422 for a day that has not begun and for a change that is not yet; of the present nothing is asked. */
export async function checkMoment({ sql, now }: Resources, { as_of, at_seq }: AsOf): Promise<void> {
	const today = now().toISOString().slice(0, 10);
	if (as_of !== undefined && as_of > today)
		throw invalid([{ loc: ["query", "as_of"], msg: `is in the future: today is ${today} (UTC)` }]);
	if (at_seq !== undefined) await readSeq(sql, { at_seq });
}

/** The condition on lists `s` that were in use after the change: not yet those that came later, no longer those that were taken back before. */
export const inUseAfter = <F>(sql: Tag<F>, at_seq: number): F =>
	sql`s.seq_from <= ${at_seq}::text::bigint and coalesce(s.seq_to > ${at_seq}::text::bigint, true)`;

/** `meta` of an answer of the past, as queries of JSON. */
export function pastMeta(sql: Sql, { as_of, at_seq }: AsOf): Record<string, Fragment> {
	if (as_of === undefined && at_seq === undefined) return {};
	const lists = as_of !== undefined ? sql`s.as_of <= ${endOf(sql, as_of)}` : inUseAfter<Fragment>(sql, at_seq ?? 0);
	const outcomes = as_of !== undefined ? ["applied", "backfilled"] : ["applied", "retracted"];
	const asked =
		as_of !== undefined
			? { as_of: sql`select to_json(${as_of}::text)` }
			: { at_seq: sql`select ${at_seq ?? 0}::bigint` };
	return {
		...asked,
		coverage: sql`
			select json_object_agg(r.region, (select to_char(max(s.as_of) at time zone 'UTC', 'YYYY-MM-DD') from snapshots s
				where s.region = r.region and s.outcome = any(${outcomes}::text[]) and not s.retraction and ${lists}) order by r.place)
			from unnest(${[...regions]}::text[]) with ordinality as r (region, place)`,
		lists: sql`
			select coalesce(json_object_agg(l.feed, l.day order by l.feed), '{}') from (
				select s.feed, to_char(max(s.as_of) at time zone 'UTC', 'YYYY-MM-DD') as day from (
					select t.seq_from, t.seq_to, coalesce(f.as_of, t.as_of) as as_of, f.feed from snapshots t
					join snapshot_files f on f.snapshot_id = t.id and f.feed is not null
					where t.region = any(${[...regions]}::text[]) and t.outcome = any(${outcomes}::text[]) and not t.retraction) s
				where ${lists} group by s.feed) l`,
		...(as_of !== undefined && {
			corrections: sql`
				select count(*) from project_versions v where (v.backfilled or not (v.believed or v.derived))
					and v.valid_from <= ${endOf(sql, as_of)}`,
		}),
	};
}

/** `meta` of an answer of the past as one value of JSON; null of the present. */
export function metaJson(sql: Sql, moment: AsOf): Fragment {
	const pairs = Object.entries(pastMeta(sql, moment)).map(([name, query]) => sql`${name}::text, (${query})`);
	const [first, ...rest] = pairs;
	if (first === undefined) return sql`null::json`;
	return sql`json_build_object(${rest.reduce((all, one) => sql`${all}, ${one}`, first)})`;
}

/** The first pair of an answer's `json_build_object`, with a comma after it: its `meta`, of an answer of the past. */
export const metaPart = (sql: Sql, moment: AsOf): Fragment =>
	isPast(moment) ? sql`'meta', ${metaJson(sql, moment)},` : sql``;
