/** Determines who owned each generator in a year, stated or inferred, and publishes new and changed ownership. Set-based. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { ownershipRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/** The developer of a name, and its parent. Unknown names have no row. */
export interface OwnerName {
	name: string;
	canonical: string;
	parent: string | null;
}
export type ResolveNames = (tx: Transaction, names: string[]) => Promise<OwnerName[]>;

export interface OwnershipCounts {
	/** Generators whose owners Schedule 4 states. */
	stated: number;
	/** Generators inferred to be wholly owned by their operator. */
	inferred: number;
	/** Generators published as new or changed. */
	announced: number;
	/** Generators whose published ownership was retracted. */
	withdrawn: number;
}

/** Requires the schema-wide write lock. `resolve` looks up names in the current register. */
export async function recordOwnership(tx: Transaction, year: number, resolve: ResolveNames): Promise<OwnershipCounts> {
	await resolveNames(tx, year, resolve);
	await deriveOwnership(tx, year);
	const [row] = await tx<OwnershipCounts[]>`
		with gone as (
			update generator_ownership g set version = g.version + 1, recorded_at = now(),
				body = (g.body::jsonb || '{"owners": []}')::text
			where g.year = ${year} and g.body::jsonb -> 'owners' <> '[]'
				and not exists (select from derived d where d.plant_id = g.plant_id and d.generator_id = g.generator_id)
			returning plant_id, generator_id),
		published as (
			insert into generator_ownership as g (plant_id, generator_id, year, version, body)
			select plant_id, generator_id, ${year}, 1, body from derived
			on conflict (plant_id, generator_id, year) do update set version = g.version + 1, recorded_at = now(),
				body = excluded.body
			where g.body <> excluded.body
			returning plant_id, generator_id),
		noted as (
			insert into recorded select plant_id, generator_id from gone union all select plant_id, generator_id from published
			returning 1)
		select (select count(*) from derived where is_stated) as stated,
			(select count(*) from derived where not is_stated) as inferred,
			(select count(*) from published) as announced, (select count(*) from gone) as withdrawn
		from (select count(*) from noted) n`;
	if (row === undefined) throw new Error("recording the ownership returned no counts");
	const isRecorded = tx`g.year = ${year} and (g.plant_id, g.generator_id) in (select plant_id, generator_id from recorded)`;
	await publishOwnership(tx, isRecorded, "");
	await tx`drop table owner_names, derived, recorded`;
	return row;
}

/** Creates the temporary table `owner_names`: developer and parent by owner or operator name of the year. Unknown names have no row. */
async function resolveNames(tx: Transaction, year: number, resolve: ResolveNames): Promise<void> {
	const names = await tx<{ name: string }[]>`
		select owner_name as name from plant_owners where year = ${year}
		union select utility_name from plant_owners where year = ${year} and utility_name is not null
		union select utility_name from plants where year = ${year} and utility_name is not null
		union select utility_name from generators where year = ${year} and utility_name is not null
		union select name from utilities where year = ${year}`;
	const found = await resolve(
		tx,
		names.map((row) => row.name),
	);
	await tx`
		create temporary table owner_names (name text primary key, canonical text not null, parent text) on commit drop`;
	await tx`
		insert into owner_names
		select * from jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb) as t (name text, canonical text, parent text)`;
}

/**
 * Creates `derived`: a row for each generator whose owners are known. The owners are those that Schedule 4 states, else the plant's
 * operator alone, if the final Schedule 4 is loaded and lacks the generator, and the generator is in a loaded schedule and not retired.
 * An early release is incomplete, so its gaps prove nothing.
 */
async function deriveOwnership(tx: Transaction, year: number): Promise<void> {
	await tx`create temporary table recorded (plant_id integer, generator_id text) on commit drop`;
	await tx`
		create temporary table derived on commit drop as
		with units as (
			select distinct on (plant_id, generator_id) * from generators where year = ${year}
			order by plant_id, generator_id, schedule_place(schedule)),
		statements as (
			select plant_id, generator_id, min(plant_name) as plant_name, min(o.state) as state, min(status) as status,
				min(utility_id) as utility_id, min(utility_name) as utility_name,
				json_agg(json_build_object('owner_id', owner_id, 'name', owner_name, 'fraction', fraction,
					'developer_canonical', n.canonical, 'parent', n.parent, 'address', owner_street, 'city', owner_city,
					'state', owner_state) order by fraction desc, owner_id, position) filter (where fraction is not null) as owners
			from plant_owners o left join owner_names n on n.name = o.owner_name where year = ${year} group by plant_id, generator_id),
		known as (
			select coalesce(s.plant_id, u.plant_id) as plant_id, coalesce(s.generator_id, u.generator_id) as generator_id,
				s.plant_id is not null as is_stated, s.owners,
				coalesce(p.name, s.plant_name, u.plant_name) as plant_name, coalesce(p.state, s.state, u.state) as state,
				coalesce(p.utility_id, u.utility_id, s.utility_id) as operator_id,
				case when p.utility_id is not null then p.utility_name else coalesce(u.utility_name, s.utility_name) end as operator_name,
				u.technology, u.capacity_mw, coalesce(u.status, s.status) as status, u.stage
			from units u full join statements s using (plant_id, generator_id)
			left join plants p on p.year = ${year} and p.plant_id = coalesce(s.plant_id, u.plant_id))
		select k.plant_id, k.generator_id, k.is_stated, json_build_object(
			'plant_id', k.plant_id, 'plant_name', k.plant_name, 'state', k.state, 'generator_id', k.generator_id, 'year', ${year}::integer,
			'operator', json_build_object('utility_id', k.operator_id, 'name', o.name, 'developer_canonical', n.canonical, 'parent', n.parent),
			'technology', k.technology, 'capacity_mw', k.capacity_mw, 'status', k.status,
			'source', case when k.is_stated then 'eia_860_ownership' else 'eia_860_operator' end,
			'owners', case when k.is_stated then k.owners else json_build_array(json_build_object('owner_id', k.operator_id,
				'name', o.name, 'fraction', 1, 'developer_canonical', n.canonical, 'parent', n.parent, 'address', y.street,
				'city', y.city, 'state', y.state)) end)::text as body
		from known k
		left join utilities y on y.year = ${year} and y.utility_id = k.operator_id
		cross join lateral (select coalesce(k.operator_name, y.name) as name) o
		left join owner_names n on n.name = o.name
		where k.operator_id is not null and case when k.is_stated then k.owners is not null
			else k.stage <> 'retired' and o.name is not null and exists (select from eia_schedules
				where year = ${year} and schedule = 'owner' and not early_release) end`;
}

/** Puts the ownership of generators and years `g` that match the condition into the outbox. @returns the number of events */
async function publishOwnership(tx: Transaction, condition: Fragment, idSuffix: string): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select event.id, ${subjectOf(ownershipRecorded)}, ${currentTraceparent()},
			'{"id":' || to_json(event.id) || ',"occurred_at":"' || iso(now()) || '","version":' || g.version || ',' || substr(g.body, 2)
		from generator_ownership g
		cross join lateral (select 'ownership.recorded:' || g.plant_id || ':' || g.generator_id || ':' || g.year || ':' || g.version
			|| ${idSuffix}::text as id) event
		where ${condition} order by g.year, g.plant_id, g.generator_id`;
	await wakeRelay(tx);
	return inserted.count;
}

/** Publishes the ownership of every generator and year again; `idSuffix` makes the event ids new. @returns the number of events */
export const republishOwnership = (tx: Transaction, idSuffix: string): Promise<number> =>
	publishOwnership(tx, tx`true`, idSuffix);
