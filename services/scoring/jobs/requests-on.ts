/** Requests as of past days, or after a change, with everything that their score looks at as far as it is known of then. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { factColumns } from "../domain/facts.ts";
import type { RequestOn } from "../domain/score-on.ts";

/** A day (`YYYY-MM-DD`), or with a `seq` what was known once everything up to that change was loaded, as of the day. */
export interface Moment {
	day: string;
	at_seq?: number | undefined;
}

export interface Which {
	/** Some requests; else the open ones of an operator. */
	ids?: readonly string[];
	region?: string;
}

/** Those that were known on each of these days (`YYYY-MM-DD`), by day. */
export function readRequestsOn(sql: Sql | Transaction, days: readonly string[], which: Which): Promise<RequestOn[]> {
	const [first = "", last = first] = [days.toSorted()[0], days.toSorted().at(-1)];
	const tag = sql as Sql;
	return read(tag, {
		...{ days, which, at_seq: null, stood: stoodOnDay },
		// Of the days together, for the index.
		among: tag`and v.valid_from <= ${last}::text::date and v.valid_to > ${first}::text::date`,
		listed: tag`not l.retracted and l.day <= p.day`,
		moves: tag`p.cod_changes`,
	});
}

/** Those that were known at the moment. */
export function readRequestsAt(sql: Sql | Transaction, { day, at_seq }: Moment, which: Which): Promise<RequestOn[]> {
	if (at_seq === undefined) return readRequestsOn(sql, [day], which);
	const tag = sql as Sql;
	return read(tag, {
		...{ days: [day], which, at_seq, stood: stoodAfter(at_seq), among: tag`` },
		listed: tag`${tag.unsafe(stoodAfter(at_seq)("l"))}`,
		moves: movesUntil(tag, at_seq),
	});
}

/** The condition on a state by its alias, beside `d.day` or `k.day`. */
type Stood = (state: string, day: string) => string;
const stoodOnDay: Stood = (state, day) =>
	`${state}.held and ${state}.valid_from <= ${day} and ${state}.valid_to > ${day}`;

/** The same in the order of loading, of states and lists. */
export const stoodAfter = (at_seq: number) => (state: string) =>
	`${state}.seq_from <= ${at_seq} and coalesce(${state}.seq_to, 9223372036854775807) > ${at_seq}`;

/** The condition on `project_states` by their alias that leaves those of the moment. */
export function stoodAt(sql: Sql, { day, at_seq }: Moment, state: string): Fragment {
	if (at_seq !== undefined) return sql`${sql.unsafe(stoodAfter(at_seq)(state))}`;
	return sql`${sql(`${state}.held`)} and ${sql(`${state}.valid_from`)} <= ${day}::text::date
		and ${sql(`${state}.valid_to`)} > ${day}::text::date`;
}

/** The same on lists. */
export function listedAt(sql: Sql, { day, at_seq }: Moment, list: string): Fragment {
	if (at_seq !== undefined) return sql`${sql.unsafe(stoodAfter(at_seq)(list))}`;
	return sql`not ${sql(`${list}.retracted`)} and ${sql(`${list}.day`)} <= ${day}::text::date`;
}

interface Reading {
	days: readonly string[];
	which: Which;
	at_seq: number | null;
	stood: Stood;
	among: Fragment;
	/** On lists `l`: those that dates may be judged by. */
	listed: Fragment;
	/** Moves of the projected date of `p`. */
	moves: Fragment;
}

function read(sql: Sql, { days, which, at_seq, stood, among, listed, moves }: Reading): Promise<RequestOn[]> {
	const { rows, duplicate } = which.ids === undefined ? ofRegion(sql, which) : ofSome(sql, which.ids, stood);
	const standing = (state: string, day: string): Fragment => sql`${sql.unsafe(stood(state, day))}`;
	return sql<RequestOn[]>`
		with days as (select unnest(${[...days]}::text[]::date[]) as day),
		known as materialized (
			select d.day, v.*, v.twin_key is not null and ${duplicate} as duplicate
			from days d join project_states v on ${standing("v", "d.day")} and ${rows} ${among}),
		known_developers as (select distinct day, developer_id from known where developer_id is not null),
		finished as (${at_seq !== null && which.ids !== undefined ? eachFinished(sql, standing("v", "k.day")) : allFinished(sql, standing("v", "k.day"))})
		select p.day, ${at_seq}::bigint as at_seq, p.entry, p.valid_from, p.open, p.duplicate, facts, r.needs_capital,
			case when p.developer_id is not null then json_build_object('distress', nullif(r.distress_level, 'unknown'),
				'operational', coalesce(f.operational, 0), 'withdrawn', coalesce(f.withdrawn, 0)) end as developer,
			p.developer_id is null or r.developer_id is not null as rated,
			case when ${isCostKnown(sql)} then i.cost_usd_per_kw end as cost_usd_per_kw,
			coalesce(i.project_id is null or ${isCostKnown(sql)}, false) as costed,
			case when s.project_id is not null then json_build_object('published_at', iso(s.published_at), 'score_version', s.score_version,
				'inputs', s.inputs, 'inputs_hash', s.inputs_hash, 'credit', s.credit) end as published
		from known p
		cross join lateral (select row_to_json(f) as facts from (select p.project_id,
			(select max(day) from lists l where l.feed = p.feed and ${listed}) as facts_as_of,
			${sql.unsafe(factColumns)}, p.located, ${moves} as cod_changes) f) j
		left join finished f on f.day = p.day and f.developer_id = p.developer_id
		left join developer_rating_versions r on r.developer_id = p.developer_id and ${stoodAsDayEnded(sql, "r.rated_at", "r.rated_until")}
		left join ${publishedOf(sql, which)}
		left join interconnection_costs i on i.project_id = p.project_id
		order by p.day, p.project_id`;
}

const finishedCounts = (sql: Sql): Fragment => sql`
	count(*) filter (where v.status_std = 'Operational') as operational, count(*) filter (where v.status_std = 'Withdrawn') as withdrawn`;

const allFinished = (sql: Sql, standing: Fragment): Fragment => sql`
	select k.day, v.developer_id, ${finishedCounts(sql)}
	from known_developers k join project_states v on ${standing} and v.developer_id = k.developer_id
	where v.kind = 'generation' and v.status_std in ('Operational', 'Withdrawn') group by 1, 2`;

/** One developer after another, by the index: of a few in the order of loading all states would be read otherwise. */
const eachFinished = (sql: Sql, standing: Fragment): Fragment => sql`
	select k.day, k.developer_id, c.operational, c.withdrawn
	from known_developers k cross join lateral (
		select ${finishedCounts(sql)} from project_states v
		where ${standing} and v.developer_id = k.developer_id and v.kind = 'generation' and v.status_std in ('Operational', 'Withdrawn')) c`;

/** Of some requests by the index, one after another: what is planned for more than they are would read all that was ever published. */
function publishedOf(sql: Sql, { ids }: Which): Fragment {
	const stood = sql`s.project_id = p.project_id and ${stoodAsDayEnded(sql, "s.published_at", "s.published_until")}`;
	if (ids === undefined) return sql`score_versions s on ${stood}`;
	return sql`lateral (select * from score_versions s where ${stood} limit 1) s on true`;
}

const stoodAsDayEnded = (sql: Sql, from: string, until: string): Fragment => sql`
	${sql(from)} < (p.day + 1)::timestamptz and ${sql(until)} >= (p.day + 1)::timestamptz`;

/** By the day of its study; one without a day is known from when its file was loaded. */
const isCostKnown = (sql: Sql): Fragment => sql`coalesce(i.as_of <= p.day, exists (
	select from reference_files c where c.sha256 = i.sha256 and c.source = 'ic-costs' and c.loaded_at < (p.day + 1)::timestamptz))`;

/** Every move that was known after the change, in the order in which it was learnt: \`project_states.cod_changes\` are those of days. */
const movesUntil = (sql: Sql, at_seq: number): Fragment => sql`(
	select coalesce(jsonb_agg(jsonb_build_object('on', m.valid_from, 'old', m.before, 'new', m.cod) order by m.seq_from, m.entry), '[]')
	from (
		select o.*, lag(o.cod) over own as before, row_number() over own > 1 as follows
		from project_states o where o.project_id = p.project_id and o.seq_from <= ${at_seq}::text::bigint
		window own as (order by o.seq_from, o.entry)) m
	where m.follows and not m.dates_recoded and m.cod is distinct from m.before)`;

/** Others that look the same are of the same operator, and open. */
const ofRegion = (sql: Sql, { region }: Which) => ({
	rows: sql`v.open and v.region = ${region ?? ""}`,
	duplicate: sql`count(*) over (partition by d.day, v.twin_key) > 1`,
});

const ofSome = (sql: Sql, ids: readonly string[], stood: Stood) => ({
	rows: sql`v.project_id = any(${[...ids]}::text[])`,
	duplicate: sql`exists (select from project_states o where ${sql.unsafe(stood("o", "d.day"))} and o.twin_key = v.twin_key
		and o.project_id <> v.project_id)`,
});
