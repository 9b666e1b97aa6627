/** SQL of one page of a list in order. What comes before it is passed over in an index, and places to begin at are noted on the way. */
import type { Fragment, Sql, Transaction } from "./connect.ts";
import type { Start } from "./page-starts.ts";

interface Listing {
	/** A query of the rows after the place that it begins at, `start`. */
	chosen: Fragment;
	/** Of `chosen`, which it may call `r`. */
	order: Fragment;
	/** What a row is found by in that order, as JSON; absent where rows are found by nothing but sorting all. */
	place?: Fragment;
	/** An aggregate of the page's rows: the place of the last. Where absent they are sorted once more for it. */
	last?: Fragment;
}

interface Cut {
	/** Rows of the list before the page, and of the page. */
	row: number;
	limit: number;
}

export interface PageParts {
	/** Behind the statement's first word, `with`: `page` has the page's rows, as `chosen` has them. */
	tables: Fragment;
	/** `Start[]` as JSON: where the next page begins, and places on a long way; null for none. */
	starts: Fragment;
}

/** Rows from place to place on a long way, which is one of twice as many; more where it would have more than so many places. */
const [apart, mostPlaces] = [1_000, 1_000];

export function pageOf<After>(
	sql: Sql | Transaction,
	{ chosen, order, place, last }: Listing,
	{ row, limit }: Cut,
	start: Start<After> | undefined,
): PageParts {
	const [begin] = start ?? [0];
	const passed = row - begin;
	const isLong = place !== undefined && limit > 0 && passed >= 2 * apart;
	if (isLong) return longWay(sql, { chosen, order, place }, { begin, passed, limit });
	const tables = sql`page as materialized (
		select * from (${chosen}) r order by ${order} limit ${limit} offset ${passed})`;
	if (place === undefined || limit === 0) return { tables, starts: sql`null::json` };
	const next = last ?? sql`(array_agg(${place} order by ${order}))[${limit}::int]`;
	return {
		tables,
		starts: sql`(select json_build_array(json_build_array(${row + limit}::bigint, ${next})) from page r having count(*) = ${limit})`,
	};
}

/** Of the way only its places and the page are held; the limit of the page tells the planner how few rows that is. */
function longWay(
	sql: Sql | Transaction,
	{ chosen, order, place }: { chosen: Fragment; order: Fragment; place: Fragment },
	{ begin, passed, limit }: { begin: number; passed: number; limit: number },
): PageParts {
	const end = passed + limit;
	const every = Math.max(apart, Math.ceil(end / mostPlaces));
	return {
		tables: sql`way as materialized (
				select * from (
					select r.*, row_number() over (order by ${order}) as nth from (${chosen}) r order by ${order} limit ${end}) as numbered
				where nth > ${passed} or nth % ${every} = 0),
			page as materialized (select * from way where nth > ${passed} limit ${limit})`,
		starts: sql`(select json_agg(json_build_array(nth + ${begin}::bigint, ${place}) order by nth)
			from way where nth % ${every} = 0 or nth = ${end})`,
	};
}
