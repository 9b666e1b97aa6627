/** Reads pages of lists, given filters, an order, a limit, and a start: a page number (an offset) or a cursor (a position). */
import { LRUCache } from "lru-cache";
import { codeOf } from "#libs/contract/errors.ts";
import type { Versioned } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "../connect.ts";
import { notACursor, type Position, readCursor, writeCursor } from "./cursor.ts";

export interface SortColumn {
	column: string;
	order?: "asc" | "desc";
	/** Null comes last in either order. */
	nullable?: boolean;
}

export interface List {
	/** The parameters that select rows. A cursor is valid only with the same filters and order. */
	filters: object;
	/** Common table expressions that the other fragments read, each followed by a comma. */
	tables?: Fragment;
	/** SQL after `from`: one relation and a condition. */
	chosen: Fragment;
	/** Sort columns. The last column, or the last columns together, must be unique. */
	sort: readonly SortColumn[];
	/** Columns of `chosen` that `page` contains; the sort columns when absent. */
	columns?: Fragment;
	/** Query of the shown rows, from `page`, in any order. */
	rows: Fragment;
	/** Whether `rows` has a single column, `body`: the stored JSON text of a row. */
	isJson?: boolean;
	/** Query of the number of chosen rows, if one is faster than counting them. */
	total?: Fragment;
	/** Further fields of the response by name, read from the same snapshot. */
	fields?: Record<string, Fragment>;
	meta?: Record<string, Fragment>;
}

export interface PageRequest {
	page: number;
	per_page: number;
	/** `*` for the first page. */
	cursor?: string | undefined;
	/** Columns of each row; all when absent. */
	fields?: readonly string[] | undefined;
}

export interface ListPage {
	/** The rows' JSON, separated by commas, as PostgreSQL sent it: up to half a megabyte, which is not parsed here. */
	rows: Buffer;
	/** `total`, `page`, `per_page`, `pages`; with a cursor `next_cursor`; and the list's own fields. */
	meta: { total: number; page: number; per_page: number; pages: number; next_cursor?: string | null };
	fields: Record<string, unknown>;
	dataVersion: number;
}

/**
 * Reads one page, its total and its data version in one statement, and therefore from one snapshot.
 * @throws AppError 422 for a cursor of another list
 */
export async function readPage(sql: Sql, list: List, request: PageRequest): Promise<ListPage> {
	const { sort, tables, chosen, rows, fields = {}, meta = {} } = list;
	const { per_page, cursor } = request;
	const boundTo = [list.filters, sort.map(({ column, order }) => [column, order])];
	const position = cursor === undefined || cursor === "*" ? undefined : readCursor(boundTo, cursor, sort.length);
	if (position?.values.some((value, at) => value === null && !sort[at]?.nullable)) throw notACursor();
	const page = cursor === undefined ? request.page : (position?.pages ?? 0) + 1;
	const names = [...Object.keys(fields), ...Object.keys(meta)];
	const more = [...Object.values(fields), ...Object.values(meta)];
	const parts =
		cursor === undefined ? readByOffset(sql, list, per_page, page) : readByPosition(sql, list, per_page, position);
	const row = rowText(sql, list.isJson ? sql`body` : sql`row_to_json(shown)`, request.fields);
	const statement = sql`
		with ${tables ?? sql``} ${parts.page}
		select (select string_agg(${row}, ',') from (${rows} order by ${orderOf(sql, sort, sql`page.`)}) shown),
			${parts.next}, (${list.total ?? sql`select count(*) from ${chosen}`}), (select version from data_version)
			${more.map((one) => sql`, (${one})::text`).reduce((all, one) => sql`${all}${one}`, sql``)}`.raw();
	const [found] = (await (position === undefined ? statement : statement.catch(throwForCursor))) as (Buffer | null)[][];
	const [text, next, total, version, ...values] = found ?? [];
	if (!total || !version) throw new Error("the page query returned no total or no data version");
	const parsed = names.map((name, at) => [name, parse(values[at])]);
	const count = Number(total);
	return {
		rows: text ?? Buffer.alloc(0),
		meta: {
			...{ total: count, page, per_page, pages: Math.ceil(count / per_page) },
			...(cursor !== undefined && {
				next_cursor: next ? writeCursor(boundTo, { pages: page, values: JSON.parse(next.toString()) }) : null,
			}),
			...Object.fromEntries(parsed.slice(Object.keys(fields).length)),
		},
		fields: Object.fromEntries(parsed.slice(0, Object.keys(fields).length)),
		dataVersion: Number(version),
	};
}

/** The response `{data, meta}`, followed by the list's own fields. */
export async function replyList<R>(sql: Sql, list: List, request: PageRequest): Promise<Versioned<R>> {
	return writePage(await readPage(sql, list, request), "data");
}

export function writePage<R>({ rows, meta, fields, dataVersion }: ListPage, data: string): Versioned<R> {
	const rest = JSON.stringify({ meta, ...fields }).slice(1);
	return { json: Buffer.concat([Buffer.from(`{"${data}":[`), rows, Buffer.from(`],${rest}`)]), dataVersion };
}

/** SQL of a row's JSON text, reduced to `fields` if they are given. */
export const rowText = (sql: Sql, row: Fragment, fields: readonly string[] | undefined): Fragment =>
	fields === undefined
		? sql`${row}::text`
		: sql`(select '{' || string_agg(to_json(key)::text || ':' || value::text, ',') || '}' from json_each(${row}::json)
			where key = any(${[...fields]}::text[]))`;

interface Parts {
	page: Fragment;
	/** Values of the page's last row as a JSON array; null if no row follows it. */
	next: Fragment;
}

function readByOffset(sql: Sql, { chosen, sort, columns }: List, limit: number, page: number): Parts {
	const read = columns ?? columnsOf(sql, sort);
	return {
		page: sql`page as materialized (
			select ${read} from ${chosen} order by ${orderOf(sql, sort)} limit ${limit} offset ${(page - 1) * limit})`,
		next: sql`null`,
	};
}

/** Reads each range of rows after the position from an index in this order, and no further than one page. */
function readByPosition(
	sql: Sql,
	{ chosen, sort, columns }: List,
	limit: number,
	position: Position | undefined,
): Parts {
	const read = columns ?? columnsOf(sql, sort);
	const order = orderOf(sql, sort);
	const ranges = position === undefined ? [sql`true`] : rangesAfter(sql, sort, position.values);
	const rangeQueries = ranges.map(
		(range) => sql`(select ${read} from ${chosen} and ${range} order by ${order} limit ${limit + 1})`,
	);
	const all = rangeQueries.reduce((some, one) => sql`${some} union all ${one}`);
	return {
		page: sql`fetched as materialized (select * from (${all}) ranges order by ${order} limit ${limit + 1}),
			page as materialized (select * from fetched order by ${order} limit ${limit})`,
		next: sql`(select json_build_array(${columnsOf(sql, sort)}) from page
			where (select count(*) from fetched) > ${limit} order by ${order} offset ${limit - 1} limit 1)`,
	};
}

/** Conditions that each select one range of the rows after a position. */
function rangesAfter(sql: Sql, sort: readonly SortColumn[], values: Position["values"]): Fragment[] {
	const is = (at: number): Fragment => {
		const name = sql(sort[at]?.column ?? "");
		const value = values[at] ?? null;
		return value === null ? sql`${name} is null` : sql`${name} = ${value}`;
	};
	return sort.flatMap(({ column, order, nullable }, at) => {
		const value = values[at] ?? null;
		// Only nulls follow a null.
		if (value === null) return [];
		const before = sort.slice(0, at).map((_, each) => sql`${is(each)} and `);
		const equal = before.reduce((all, one) => sql`${all}${one}`, sql``);
		const beyond = order === "desc" ? sql`${sql(column)} < ${value}` : sql`${sql(column)} > ${value}`;
		return [sql`${equal}${beyond}`, ...(nullable ? [sql`${equal}${sql(column)} is null`] : [])];
	});
}

/** Only nullable columns have `nulls last`, as their indexes are declared. */
function orderOf(sql: Sql, sort: readonly SortColumn[], of = sql``): Fragment {
	const each = sort.map(({ column, order, nullable }) => {
		const direction = order === "desc" ? sql` desc` : sql``;
		return sql`${of}${sql(column)}${direction}${nullable ? sql` nulls last` : sql``}`;
	});
	return each.reduce((all, one) => sql`${all}, ${one}`);
}

const columnsOf = (sql: Sql, sort: readonly SortColumn[]): Fragment =>
	sort.map(({ column }) => sql`${sql(column)}`).reduce((all, one) => sql`${all}, ${one}`);

/** Values that do not fit their columns (PostgreSQL's error class 22) come from a forged cursor. */
function throwForCursor(error: unknown): never {
	throw codeOf(error)?.startsWith("22") ? notACursor() : error;
}

const parse = (json: Buffer | null | undefined): unknown => (json ? JSON.parse(json.toString()) : null);

/** Totals of lists that take longer to count than to read: each is counted once per data version, for all pages. */
export class CachedTotals {
	readonly #totals = new LRUCache<string, { dataVersion: number; total: number }>({ max: 1_000 });

	/** The query of a total: the cached number if the data version is unchanged, otherwise `count`. */
	query(sql: Sql, filters: object, count: Fragment): Fragment {
		const cached = this.#totals.get(JSON.stringify(filters));
		if (cached === undefined) return count;
		return sql`select case when (select version from data_version) = ${cached.dataVersion}::bigint then ${cached.total}::bigint else (${count}) end`;
	}

	keep(filters: object, dataVersion: number, total: number): void {
		this.#totals.set(JSON.stringify(filters), { dataVersion, total });
	}
}
