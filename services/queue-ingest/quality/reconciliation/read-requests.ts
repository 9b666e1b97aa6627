/** Reads an operator's requests and another publisher's records of them, to compare them. */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { endOf, requestsAt } from "../../history/past.ts";
import type { ListedRequest, OurRequest } from "./line.ts";

/** A list older than this many days no longer represents the queue. */
const maxListAgeDays = 60;

/**
 * Finds the day whose state is compared with an edition of `day`: `day` itself if a list from the 60 days before it is loaded, else the day of
 * the first later list, else of the last earlier one. Extends a later day to the last list within 60 days of the first, because some operators
 * publish two lists, or one in parts. @returns null if no list of the region is loaded
 */
export async function findListDay(tx: Transaction, region: Region, day: string): Promise<string | null> {
	const [row] = await tx<{ day: string | null }[]>`
		with lists as (
			select as_of from snapshots
			where region = ${region} and outcome in ('applied', 'backfilled')),
		later as (select as_of, min(as_of) over () as first from lists where as_of > ${endOf(tx, day)})
		select case
			when exists (select from lists where as_of between ${endOf(tx, day)} - make_interval(days => ${maxListAgeDays}) and ${endOf(tx, day)})
				then ${day}::text
			else to_char(coalesce((select max(as_of) from later where as_of <= first + make_interval(days => ${maxListAgeDays})),
				(select max(as_of) from lists)) at time zone 'UTC', 'YYYY-MM-DD') end as day`;
	return row?.day ?? null;
}

interface OurRequests {
	/** Generation requests that were listed on the day. */
	counted: OurRequest[];
	/** All other requests of the region that any list has contained. */
	known: OurRequest[];
}

/** `partColumns`: columns of the filed row with the MW of the parts of a request. */
export async function readOurs(
	tx: Transaction,
	region: Region,
	day: string,
	partColumns: readonly string[],
): Promise<OurRequests> {
	const rows = await tx<(OurRequest & { existsOnDay: boolean })[]>`
		with numbers as (
			select project_id, array_agg(distinct key) as keys from project_aliases where region = ${region} group by project_id),
		past_states as (
			select distinct on (id) * from ${requestsAt(tx, { as_of: day })} p.region = ${region} order by id, entry desc)
		select c.id, coalesce(n.keys, array[c.key]) as keys, coalesce(p.kind, c.kind) as kind, coalesce(p.name, c.name) as name,
			coalesce(p.type_std, c.type_std) as "typeStd", coalesce(p.status_std, c.status_std) as status,
			coalesce(p.status_basis, case when p.id is null then c.status_basis end) as "statusBasis", p.status_flag as "statusFlag",
			coalesce(p.listed, c.listed) as listed, case when p.id is null then c.capacity_mw else p.capacity_mw end as mw,
			p.summer_mw as "summerMw", p.winter_mw as "winterMw",
			(select sum(case when c.raw ->> part ~ '^[0-9]+([.][0-9]+)?$' then (c.raw ->> part)::float8 end)
				from unnest(${[...partColumns]}::text[]) part) as "partsMw",
			-- The adapter stores MFO, the plant's output, only for requests for capacity rights.
			c.region = 'PJM' and c.raw ? 'MFO' as "isForRights",
			to_char(coalesce(p.queue_date, c.queue_date), 'YYYY-MM-DD') as "queueDate",
			to_char(p.actual_cod, 'YYYY-MM-DD') as "actualCod", to_char(p.withdrawn_date, 'YYYY-MM-DD') as "withdrawnDate",
			p.id is not null as "existsOnDay"
		from projects c left join past_states p using (id) left join numbers n on n.project_id = c.id
		where c.region = ${region} order by c.id`;
	const isCounted = ({ existsOnDay, kind, listed }: (typeof rows)[number]) =>
		existsOnDay && kind === "generation" && listed === "listed";
	return { counted: rows.filter(isCounted), known: rows.filter((row) => !isCounted(row)) };
}

/**
 * Reads the edition's requests of a region. Their capacity is computed as the publisher computes it: the stated total, else the sum of the parts
 * with a technology. In the 2020 edition, a second capacity without a technology is another rating of the same part.
 */
export async function readListed(tx: Transaction, region: Region): Promise<ListedRequest[]> {
	return tx<ListedRequest[]>`
		select concat_ws('/', entity, q_id, nullif(repeat, 1)) as id, key, request ->> 'name' as name, status_std as status,
			coalesce(case when r.raw ->> 'mw_total' ~ '^[0-9]+([.][0-9]+)?$' then nullif((r.raw ->> 'mw_total')::float8, 0) end, nullif(s.mw, 0),
				(request ->> 'capacityMw')::float8) as mw,
			s.parts::int as parts, request ->> 'queueDate' as "queueDate"
		from lbnl_requests, lateral (select request -> 'raw' as raw) r, lateral (
			select sum(part) filter (where is_typed) as mw, count(*) filter (where part > 0 and (is_typed or r.raw ? 'mw_total')) as parts
			from (select case when r.raw ->> ('mw_' || n) ~ '^[0-9]+([.][0-9]+)?$' then (r.raw ->> ('mw_' || n))::float8 end as part,
				n = 1 or r.raw ? ('type_' || n) as is_typed from generate_series(1, 3) n) p) s
		where lbnl_region = ${region} order by entity, q_id, repeat`;
}
