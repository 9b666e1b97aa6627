/** Requests as of past days, with everything that their score looks at as far as it is known of the day. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { RequestOn } from "../domain/score-on.ts";

export interface Which {
	/** Some requests; else the open ones of an operator. */
	ids?: readonly string[];
	region?: string;
}

/** Those that were known on each of these days (`YYYY-MM-DD`), by day. */
export function readRequestsOn(sql: Sql | Transaction, days: readonly string[], which: Which): Promise<RequestOn[]> {
	const [first = "", last = first] = [days.toSorted()[0], days.toSorted().at(-1)];
	const tag = sql as Sql;
	const { rows, duplicate } = which.ids === undefined ? ofRegion(tag, which) : ofSome(tag, which.ids);
	return tag<RequestOn[]>`
		with days as (select unnest(${[...days]}::text[]::date[]) as day),
		known as materialized (
			select d.day, v.*, v.twin_key is not null and ${duplicate} as duplicate
			from days d join project_states v on ${held(tag, "v", "d.day")} and ${rows}
				-- Of the days together, for the index.
				and v.valid_from <= ${last}::text::date and v.valid_to > ${first}::text::date),
		known_developers as (select distinct day, developer_id from known where developer_id is not null),
		finished as (
			select k.day, v.developer_id, count(*) filter (where v.status_std = 'Operational') as operational,
				count(*) filter (where v.status_std = 'Withdrawn') as withdrawn
			from known_developers k join project_states v on ${held(tag, "v", "k.day")} and v.developer_id = k.developer_id
			where v.kind = 'generation' and v.status_std in ('Operational', 'Withdrawn') group by 1, 2)
		select p.day, p.entry, p.valid_from, p.open, p.duplicate, facts, r.needs_capital,
			case when p.developer_id is not null then json_build_object('distress', nullif(r.distress_level, 'unknown'),
				'operational', coalesce(f.operational, 0), 'withdrawn', coalesce(f.withdrawn, 0)) end as developer,
			p.developer_id is null or r.developer_id is not null as rated,
			case when ${isCostKnown(tag)} then i.cost_usd_per_kw end as cost_usd_per_kw,
			coalesce(i.project_id is null or ${isCostKnown(tag)}, false) as costed,
			case when s.project_id is not null then json_build_object('published_at', iso(s.published_at), 'score_version', s.score_version,
				'inputs', s.inputs, 'inputs_hash', s.inputs_hash, 'credit', s.credit) end as published
		from known p
		cross join lateral (select row_to_json(f) as facts from (select p.project_id,
			(select max(day) from lists l where l.feed = p.feed and not l.retracted and l.day <= p.day) as facts_as_of,
			p.name, p.region, p.kind, p.state, p.fips, p.counties, p.developer_id, p.developer_tier, p.type_std, p.status_std, p.capacity_mw,
			p.queue_date, p.cod, p.ia_date, p.security_posted, p.construction_stage, p.study_phase, p.study_phase_filed, p.ia_status,
			p.poi, p.located, p.cod_changes) f) j
		left join finished f on f.day = p.day and f.developer_id = p.developer_id
		left join developer_rating_versions r on r.developer_id = p.developer_id and ${stoodAsDayEnded(tag, "r.rated_at", "r.rated_until")}
		left join ${publishedOf(tag, which)}
		left join interconnection_costs i on i.project_id = p.project_id
		order by p.day, p.project_id`;
}

/** The condition on a state by its alias that leaves those that held on a day, which is a column. */
const held = (sql: Sql, state: string, day: string): Fragment =>
	sql`${sql.unsafe(`${state}.held and ${state}.valid_from <= ${day} and ${state}.valid_to > ${day}`)}`;

/** The same of `project_states v` for one day. */
export const heldOn = (sql: Sql, day: string): Fragment =>
	sql`v.held and v.valid_from <= ${day}::text::date and v.valid_to > ${day}::text::date`;

/** The condition on `lists l` that leaves those of the day or before. */
export const listedOn = (sql: Sql, day: string): Fragment => sql`not l.retracted and l.day <= ${day}::text::date`;

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

/** Others that look the same are of the same operator, and open. */
const ofRegion = (sql: Sql, { region }: Which) => ({
	rows: sql`v.open and v.region = ${region ?? ""}`,
	duplicate: sql`count(*) over (partition by d.day, v.twin_key) > 1`,
});

const ofSome = (sql: Sql, ids: readonly string[]) => ({
	rows: sql`v.project_id = any(${[...ids]}::text[])`,
	duplicate: sql`exists (select from project_states o where ${held(sql, "o", "d.day")} and o.twin_key = v.twin_key
		and o.project_id <> v.project_id)`,
});
