/**
 * Which column of a view each column of a result is, read from the same syntax tree as the check: through aliases, joins, subqueries and
 * WITH. What is not known for sure has no origin; a statement is never refused for it.
 */
import type { Database } from "#libs/contract/databases.ts";
import { macros } from "./macros.ts";

/** The columns of the views, in their order, by `database.view` in lower case. */
export type ViewColumns = ReadonlyMap<string, readonly string[]>;

export interface Origin {
	database: Database;
	view: string;
	column: string;
	/** The column as it is. False: a value made of it that has its unit, as a sum or a rounded number. */
	plain: boolean;
}

interface Known {
	/** In lower case; empty where DuckDB makes one. */
	name: string;
	origin: Origin | undefined;
}

interface Table {
	alias: string;
	/** Undefined where they are not known. */
	columns: readonly Known[] | undefined;
	/** Of USING: a star shows them of the left side alone. */
	hidden: ReadonlySet<string>;
}

type Scope = ReadonlyMap<string, readonly Known[] | undefined>;
type Node = Record<string, unknown>;

/** Columns that are looked at: WITH queries that join each other have more each time. */
const mostColumns = 4_000;

/** What they give has the unit of their first argument. */
const keepsUnit = new Set(
	"sum avg mean min max median mode any_value arbitrary first last abs round ceil ceiling floor trunc coalesce ifnull quantile quantile_cont quantile_disc percentile_cont percentile_disc".split(
		" ",
	),
);

/**
 * @param serialized what `json_serialize_sql` gave of a statement that passed the check.
 * @param names of the result's columns, as DuckDB has them.
 */
export function originsOf(
	serialized: string,
	{ database, columns, names }: { database: Database; columns: ViewColumns; names: readonly string[] },
): (Origin | undefined)[] {
	const { statements = [] } = JSON.parse(serialized) as { statements?: { node: unknown }[] };
	const found = new Origins(database, columns).ofQuery(node(statements[0]?.node), new Map());
	// Columns that were read otherwise than DuckDB reads them are not those of the result.
	const agrees =
		found?.length === names.length &&
		found.every(({ name }, place) => name === "" || name === names[place]?.toLowerCase());
	return names.map((_, place) => (agrees ? found[place]?.origin : undefined));
}

class Origins {
	readonly #database: Database;
	readonly #columns: ViewColumns;
	#left = mostColumns;

	constructor(database: Database, columns: ViewColumns) {
		this.#database = database;
		this.#columns = columns;
	}

	ofQuery(query: Node, outer: Scope): Known[] | undefined {
		if (query.type !== "SELECT_NODE") return undefined;
		const scope = new Map(outer);
		for (const { key, value } of nodes(node(query.cte_map).map)) {
			const { query: inner, aliases } = node(value);
			scope.set(lower(key), renamed(this.ofQuery(node(node(inner).node), scope), aliases));
		}
		const tables = this.#tablesOf(node(query.from_table), scope);
		const found: Known[] = [];
		for (const item of nodes(query.select_list)) {
			const these = item.class === "STAR" ? starOf(item, tables) : [knownOf(item, tables)];
			this.#left -= these?.length ?? 0;
			if (these === undefined || this.#left < 0) return undefined;
			found.push(...these);
		}
		return found;
	}

	#tablesOf(from: Node, scope: Scope): Table[] {
		if (from.type === "EMPTY") return [];
		if (from.type === "JOIN") return this.#joined(from, scope);
		const { alias, columns } = this.#tableOf(from, scope);
		const known = renamed(columns, from.column_name_alias);
		return [{ alias: lower(from.alias) || alias, columns: known, hidden: new Set() }];
	}

	#joined({ left, right, using_columns, ref_type, join_type }: Node, scope: Scope): Table[] {
		const hidden = new Set(Array.isArray(using_columns) ? using_columns.map(lower) : []);
		const before = this.#tablesOf(node(left), scope);
		const after = this.#tablesOf(node(right), scope);
		const isPlain = ref_type !== "NATURAL" && join_type !== "SEMI" && join_type !== "ANTI";
		return [
			...before,
			...after.map((table) => ({
				...table,
				...(!isPlain && { columns: undefined }),
				hidden: new Set([...table.hidden, ...hidden]),
			})),
		];
	}

	#tableOf(from: Node, scope: Scope): { alias: string; columns: readonly Known[] | undefined } {
		const name = lower(from.table_name);
		switch (from.type) {
			case "BASE_TABLE":
				return lower(from.schema_name) === "" && scope.has(name)
					? { alias: name, columns: scope.get(name) }
					: { alias: name, columns: this.#ofView((lower(from.schema_name) || this.#database) as Database, name) };
			case "SUBQUERY":
				return { alias: "", columns: this.ofQuery(node(node(from.subquery).node), scope) };
			case "TABLE_FUNCTION": {
				const called = lower(node(from.function).function_name);
				const macro = macros.get(called);
				return { alias: called, columns: macro && this.#ofView(macro.database, macro.view) };
			}
			default:
				return { alias: "", columns: undefined };
		}
	}

	#ofView(database: Database, view: string): Known[] | undefined {
		return this.#columns
			.get(`${database}.${view}`)
			?.map((column) => ({ name: column.toLowerCase(), origin: { database, view, column, plain: true } }));
	}
}

/** `t(a, b)`: other names for the first columns. */
function renamed(columns: readonly Known[] | undefined, names: unknown): readonly Known[] | undefined {
	if (!Array.isArray(names)) return columns;
	return columns?.map((column, place) => ({ ...column, name: lower(names[place]) || column.name }));
}

function starOf(star: Node, tables: readonly Table[]): Known[] | undefined {
	const isPlain =
		[star.replace_list, star.rename_list, star.qualified_exclude_list].every(isEmpty) &&
		star.columns !== true &&
		isEmpty(star.expr);
	if (!isPlain) return undefined;
	const of = lower(star.relation_name);
	const chosen = of === "" ? tables : tables.filter(({ alias }) => alias === of);
	if (chosen.length === 0 || chosen.some(({ columns }) => columns === undefined)) return undefined;
	const left = new Set(Array.isArray(star.exclude_list) ? star.exclude_list.map(lower) : []);
	return chosen.flatMap(({ columns = [], hidden }) =>
		columns.filter(({ name }) => !left.has(name) && (of !== "" || !hidden.has(name))),
	);
}

function knownOf(item: Node, tables: readonly Table[]): Known {
	const alias = lower(item.alias);
	if (item.class === "COLUMN_REF") {
		const names = Array.isArray(item.column_names) ? item.column_names.map(lower) : [];
		return { name: alias || (names.at(-1) ?? ""), origin: columnOf(names, tables) };
	}
	let inner = item;
	while (inner.class === "CAST" || (inner.class === "FUNCTION" && keepsUnit.has(lower(inner.function_name))))
		inner = inner.class === "CAST" ? node(inner.child) : (nodes(inner.children)[0] ?? {});
	const origin = inner.class === "COLUMN_REF" && inner !== item ? knownOf(inner, tables).origin : undefined;
	return { name: alias, origin: origin && { ...origin, plain: false } };
}

/** `column`, `table.column` or `database.table.column`. */
function columnOf(names: readonly string[], tables: readonly Table[]): Origin | undefined {
	const [column = "", table, database] = names.toReversed();
	const ofTable = table === undefined ? tables : tables.filter(({ alias }) => alias === table);
	const origin = ofTable.flatMap(({ columns = [] }) => columns).find(({ name }) => name === column)?.origin;
	return database === undefined || database === origin?.database ? origin : undefined;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const node = (value: unknown): Node => (isNode(value) ? value : {});
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const lower = (value: unknown): string => (typeof value === "string" ? value.toLowerCase() : "");
const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (Array.isArray(value) && value.length === 0);
