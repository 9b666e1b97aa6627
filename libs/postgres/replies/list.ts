/** Reads pages of lists, given filters, an order, a page size, and a start: a page number (offset) or a cursor (position). */
import { LRUCache } from "lru-cache";
import { codeOf } from "#libs/contract/errors.ts";
import type { Versioned } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "../connect.ts";
import { notACursor, type Position, readCursor, writeCursor } from "./cursor.ts";

export interface SortColumn {
	column: string;
	order?: "asc" | "desc";
	/** Whether the column can be null. Nulls come last in either order. */
	nullable?: boolean;
}

export interface List {
	/** The parameters that select rows. A cursor is valid only with the same filters and order. */
	filters: object;
	/** Common table expressions that the other fragments refer to, each followed by a comma. */
	tables?: Fragment;
	/** SQL that follows `from`: one relation and a condition. */
	chosen: Fragment;
	/** Sort columns, which together must be unique. */
	sort: readonly SortColumn[];
	/** Columns of `chosen` that the table expression `page` contains; the sort columns when absent. */
	columns?: Fragment;
	/** Query of the page's rows, which reads from `page`, in any order. */
	rows: Fragment;
	/** Whether `rows` has a single column, `body`: the stored JSON text of a row. */
	isJson?: boolean;
	/** Query of the total number of rows, if there is a faster one than counting `chosen`. */
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
	/** `next_cursor` is present if the request had a cursor. The fields of `List.meta` are present too. */
	meta: { total: number; page: number; per_page: number; pages: number; next_cursor?: string | null };
	fields: Record<string, unknown>;
	dataVersion: number;
}

/**
 * Reads one page, its total and its data version in one statement, and therefore from one snapshot.
 * @throws AppError 422 if the cursor belongs to a list with different filters or order
 */
export async function readPage(sql: Sql, list: List, request: PageRequest): Promise<ListPage> {
	const { sort, tables, chosen, rows, fields = {}, meta = {} } = list;
	const { per_page, cursor } = request;
	const boundTo = [list.filters, sort.map(({ column, order }) => [column, order])];
	const position = cursor === undefined || cursor === "*" ? undefined : readCursor(boundTo, cursor, sort.length);
	if (position?.values.some((value, at) => value === null && !sort[at]?.nullable)) throw notACursor();
	const page = cursor === undefined ? request.page : (position?.pages ?? 0) + 1;
	const names = [...Object.keys(fields), ...Object.keys(meta)];
	const extraQueries = [...Object.values(fields), ...Object.values(meta)];
	const parts =
		cursor === undefined ? readByOffset(sql, list, per_page, page) : readByPosition(sql, list, per_page, position);
	const row = rowText(sql, list.isJson ? sql`body` : sql`row_to_json(shown)`, request.fields);
	const statement = sql`
		with ${tables ?? sql``} ${parts.page}
		select (select string_agg(${row}, ',') from (${rows} order by ${orderOf(sql, sort, sql`page.`)}) shown),
			${parts.next}, (${list.total ?? sql`select count(*) from ${chosen}`}), (select version from data_version)
			${extraQueries.map((query) => sql`, (${query})::text`).reduce((all, query) => sql`${all}${query}`, sql``)}`.raw();
	const [result] = (await (position === undefined
		? statement
		: statement.catch(throwForCursor))) as (Buffer | null)[][];
	const [text, next, total, version, ...values] = result ?? [];
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

/** Replies with `{data, meta}`, followed by `list.fields`. */
export async function replyList<R>(sql: Sql, list: List, request: PageRequest): Promise<Versioned<R>> {
	return writePage(await readPage(sql, list, request), "data");
}

export function writePage<R>({ rows, meta, fields, dataVersion }: ListPage, rowsField: string): Versioned<R> {
	const rest = JSON.stringify({ meta, ...fields }).slice(1);
	return { json: Buffer.concat([Buffer.from(`{"${rowsField}":[`), rows, Buffer.from(`],${rest}`)]), dataVersion };
}

/** SQL expression of a row's JSON text, with only `fields` if they are given. */
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
	const pageColumns = columns ?? columnsOf(sql, sort);
	return {
		page: sql`page as materialized (
			select ${pageColumns} from ${chosen} order by ${orderOf(sql, sort)} limit ${limit} offset ${(page - 1) * limit})`,
		next: sql`null`,
	};
}

/** Reads the rows after the position as ranges, each from an index in this order, and from each range no more rows than a page has. */
function readByPosition(
	sql: Sql,
	{ chosen, sort, columns }: List,
	limit: number,
	position: Position | undefined,
): Parts {
	const pageColumns = columns ?? columnsOf(sql, sort);
	const order = orderOf(sql, sort);
	const ranges = position === undefined ? [sql`true`] : rangesAfter(sql, sort, position.values);
	const rangeQueries = ranges.map(
		(range) => sql`(select ${pageColumns} from ${chosen} and ${range} order by ${order} limit ${limit + 1})`,
	);
	const union = rangeQueries.reduce((queries, query) => sql`${queries} union all ${query}`);
	return {
		page: sql`fetched as materialized (select * from (${union}) ranges order by ${order} limit ${limit + 1}),
			page as materialized (select * from fetched order by ${order} limit ${limit})`,
		next: sql`(select json_build_array(${columnsOf(sql, sort)}) from page
			where (select count(*) from fetched) > ${limit} order by ${order} offset ${limit - 1} limit 1)`,
	};
}

/** Conditions whose ranges together contain all rows after a position. */
function rangesAfter(sql: Sql, sort: readonly SortColumn[], values: Position["values"]): Fragment[] {
	const equals = (at: number): Fragment => {
		const name = sql(sort[at]?.column ?? "");
		const value = values[at] ?? null;
		return value === null ? sql`${name} is null` : sql`${name} = ${value}`;
	};
	return sort.flatMap(({ column, order, nullable }, at) => {
		const value = values[at] ?? null;
		// Only nulls follow a null.
		if (value === null) return [];
		const equalities = sort.slice(0, at).map((_, each) => sql`${equals(each)} and `);
		const samePrefix = equalities.reduce((all, one) => sql`${all}${one}`, sql``);
		const isAfter = order === "desc" ? sql`${sql(column)} < ${value}` : sql`${sql(column)} > ${value}`;
		return [sql`${samePrefix}${isAfter}`, ...(nullable ? [sql`${samePrefix}${sql(column)} is null`] : [])];
	});
}

/** Adds `nulls last` only for nullable columns, to match the indexes. `prefix` qualifies the columns: `page.`. */
function orderOf(sql: Sql, sort: readonly SortColumn[], prefix = sql``): Fragment {
	const each = sort.map(({ column, order, nullable }) => {
		const direction = order === "desc" ? sql` desc` : sql``;
		return sql`${prefix}${sql(column)}${direction}${nullable ? sql` nulls last` : sql``}`;
	});
	return each.reduce((all, one) => sql`${all}, ${one}`);
}

const columnsOf = (sql: Sql, sort: readonly SortColumn[]): Fragment =>
	sort.map(({ column }) => sql`${sql(column)}`).reduce((all, one) => sql`${all}, ${one}`);

/** Replaces PostgreSQL's errors of class 22 (a value does not fit its column): they are caused by a forged cursor. */
function throwForCursor(error: unknown): never {
	throw codeOf(error)?.startsWith("22") ? notACursor() : error;
}

const parse = (json: Buffer | null | undefined): unknown => (json ? JSON.parse(json.toString()) : null);

/** Totals of lists whose rows take longer to count than to read. Each is counted once per data version, for all pages. */
export class CachedTotals {
	readonly #totals = new LRUCache<string, { dataVersion: number; total: number }>({ max: 1_000 });

	/** Returns a query of the total: the cached number if the data version is still the same, otherwise the result of `count`. */
	query(sql: Sql, filters: object, count: Fragment): Fragment {
		const cached = this.#totals.get(JSON.stringify(filters));
		if (cached === undefined) return count;
		return sql`select case when (select version from data_version) = ${cached.dataVersion}::bigint then ${cached.total}::bigint else (${count}) end`;
	}

	keep(filters: object, dataVersion: number, total: number): void {
		this.#totals.set(JSON.stringify(filters), { dataVersion, total });
	}
}
