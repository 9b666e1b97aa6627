/**
 * Checks that a statement is a single SELECT that reads only the views and calls only allowed functions. DuckDB's own parser produces the syntax
 * tree (`json_serialize_sql`), so that the check and the execution cannot disagree. This is the second of three defenses. The first: the process
 * that runs the statement can read only the extracts (database.ts). The third: the operating system limits its resources (pool/process.ts).
 */
import { type Database, databases } from "#libs/contract/databases.ts";
import { locationOf, NotLoaded, Refused } from "./failure.ts";
import { allowedFunctions, allowedTableFunctions } from "./functions.ts";
import { type Macro, macros } from "./macros.ts";

/** The views that a statement may name, by database. */
export type ViewNames = ReadonlyMap<Database, ReadonlySet<string>>;

export interface ViewRef {
	database: Database;
	name: string;
}

interface Serialized {
	error: boolean;
	error_type?: string;
	error_message?: string;
	position?: string;
	statements?: { node: unknown; named_param_map?: { key: string }[] }[];
}

/**
 * @param serialized the output of `json_serialize_sql` for `sql`.
 * @param parameters names of the declared parameters: the statement must use each, as `$name`, and no other.
 * @returns the views that the statement names, without duplicates.
 * @throws Refused
 */
export function checkStatement(
	sql: string,
	serialized: string,
	{ database, views, parameters = [] }: { database: Database; views: ViewNames; parameters?: readonly string[] },
): ViewRef[] {
	const parsed = JSON.parse(serialized) as Serialized;
	if (parsed.error) throw syntaxError(sql, parsed);
	const statements = parsed.statements ?? [];
	if (statements.length === 0) throw new Refused("the text contains no statement");
	if (statements.length > 1) throw new Refused(`only one statement can be run: the text contains ${statements.length}`);
	const [statement] = statements;
	checkParameters(
		(statement?.named_param_map ?? []).map(({ key }) => key.toLowerCase()),
		parameters,
	);
	const check = new StatementChecker(sql, database, views);
	check.walk(statement?.node);
	return check.namedViews;
}

function checkParameters(used: readonly string[], declared: readonly string[]): void {
	const unknown = used.find((name) => !declared.includes(name));
	if (unknown !== undefined && declared.length === 0)
		throw new Refused(
			"a parameter such as $1 or ? is not allowed: only saved queries have parameters, by name ($state)",
		);
	if (unknown !== undefined) throw new Refused(`the parameter $${unknown} is not declared`);
	const unused = declared.find((name) => !used.includes(name));
	if (unused !== undefined)
		throw new Refused(`the parameter $${unused} is declared, but the statement does not use it`);
}

function syntaxError(sql: string, { error_type, error_message = "", position }: Serialized): Refused {
	if (error_type === "not implemented")
		return new Refused(
			"only a SELECT is allowed (also WITH, FROM, VALUES, DESCRIBE, SUMMARIZE and UNPIVOT, and PIVOT if IN lists its values)",
		);
	return new Refused(
		error_message.split("\n")[0] ?? "",
		position === undefined ? "" : locationOf(sql, Number(position)),
	);
}

const queryNodes = new Set(["SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"]);
const tableRefs = new Set([
	"BASE_TABLE",
	"SUBQUERY",
	"JOIN",
	"TABLE_FUNCTION",
	"EXPRESSION_LIST",
	"EMPTY",
	"PIVOT",
	"SHOW_REF",
]);
const expressions = new Set([
	"BETWEEN",
	"CASE",
	"CAST",
	"COLLATE",
	"COLUMN_REF",
	"COMPARISON",
	"CONJUNCTION",
	"CONSTANT",
	"FUNCTION",
	"LAMBDA",
	"LAMBDA_REF",
	"OPERATOR",
	// `checkParameters` has already refused undeclared parameters.
	"PARAMETER",
	"POSITIONAL_REFERENCE",
	"STAR",
	"SUBQUERY",
	"TYPE",
	"WINDOW",
]);
/** Names without parentheses that DuckDB treats as function calls if no column has the name. */
const sessionFunctions = new Set([
	"current_catalog",
	"current_database",
	"current_query",
	"current_role",
	"current_schema",
	"current_user",
	"session_user",
	"user",
]);
/** DuckDB also looks up names with these prefixes in its system catalogs. */
const catalogPrefix = /^(pg_|sqlite_|duckdb_|pragma_)/;

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

class StatementChecker {
	readonly namedViews: ViewRef[] = [];
	/** Names of WITH queries in all scopes. Scopes are not checked, because DuckDB itself refuses a name that is out of scope. */
	readonly #withNames = new Set<string>();
	readonly #sql: string;
	readonly #database: Database;
	readonly #views: ViewNames;

	constructor(sql: string, database: Database, views: ViewNames) {
		this.#sql = sql;
		this.#database = database;
		this.#views = views;
	}

	/** Checks every node in two passes. There is no recursion, because the tree may be as deep as the statement is long. */
	walk(root: unknown): void {
		for (const node of nodesOf(root)) this.#collectWithNames(node);
		for (const node of nodesOf(root)) this.#checkNode(node);
	}

	#collectWithNames(node: Node): void {
		const names = isNode(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map : [];
		for (const entry of [...names.filter(isNode).map(({ key }) => key), node.cte_name, node.ctename]) {
			const name = text(entry).toLowerCase();
			if (name === "") continue;
			if (catalogPrefix.test(name)) throw new Refused(`the name ${name} for a WITH query is not allowed`);
			this.#withNames.add(name);
		}
	}

	#checkNode(node: Node): void {
		if (typeof node.class === "string" && !expressions.has(node.class))
			throw this.#refusal(`${node.class} is not allowed`, node);
		if ("function_name" in node) this.#checkFunction(node);
		if (node.class === "COLUMN_REF") this.#checkColumn(node);
		if ("cte_map" in node && !queryNodes.has(text(node.type)))
			throw this.#refusal(`${text(node.type)} is not allowed`, node);
		if (node.class === undefined && "sample" in node && !("cte_map" in node)) this.#checkTable(node);
	}

	#checkFunction(node: Node): void {
		const name = text(node.function_name).toLowerCase();
		const schema = text(node.schema);
		if (text(node.catalog) !== "" || (schema !== "" && schema !== "main"))
			throw this.#refusal(`the function ${schema}.${name} is not allowed: name functions without a schema`, node);
		if (!allowedFunctions.has(name) && this.#findMacro(name) === undefined)
			throw this.#refusal(`the function ${name} is not allowed`, node);
	}

	#checkColumn(node: Node): void {
		const names = Array.isArray(node.column_names) ? node.column_names : [];
		const name = text(names[0]).toLowerCase();
		if (names.length === 1 && sessionFunctions.has(name)) throw this.#refusal(`${name} is not allowed`, node);
	}

	#checkTable(node: Node): void {
		const type = text(node.type);
		if (!tableRefs.has(type)) throw this.#refusal(`${type} in FROM is not allowed`, node);
		if (type === "BASE_TABLE") this.#checkView(node);
		if (type === "TABLE_FUNCTION") {
			const name = isNode(node.function) ? text(node.function.function_name).toLowerCase() : "";
			const macro = this.#findMacro(name);
			if (macro !== undefined) this.#addView({ database: macro.database, name: macro.view });
			else if (!allowedTableFunctions.has(name))
				throw this.#refusal(`the function ${name} in FROM is not allowed`, node);
		}
		if (type === "SHOW_REF" && !(isNode(node.query) && ["DESCRIBE", "SUMMARY"].includes(text(node.show_type))))
			throw this.#refusal("SHOW is not allowed", node);
	}

	#checkView(node: Node): void {
		const name = text(node.table_name).toLowerCase();
		const schema = text(node.schema_name).toLowerCase();
		if (node.at_clause !== null && node.at_clause !== undefined) throw this.#refusal("AT is not allowed", node);
		// A WITH query may have the same name as a view that it reads; the name is then checked as that of the view.
		const isWithName = schema === "" && this.#withNames.has(name);
		if (isWithName && this.#views.get(this.#database)?.has(name) !== true) return;
		if (text(node.catalog_name) !== "")
			throw this.#refusal("a catalog is not allowed: name a view without one, as view or database.view", node);
		const database = schema === "" ? this.#database : databases.find((each) => each === schema);
		if (database === undefined)
			throw this.#refusal(`there is no database "${schema}": the databases are ${databases.join(", ")}`, node);
		const views = this.#views.get(database) ?? new Set();
		if (views.size === 0) throw new NotLoaded(database);
		if (!views.has(name)) {
			const other = databases.find((each) => this.#views.get(each)?.has(name));
			const hint = other === undefined ? "" : ` (write ${other}.${name})`;
			throw this.#refusal(
				`there is no view "${text(node.table_name)}" in the database ${database}${hint}: it has ${[...views].join(", ")}`,
				node,
			);
		}
		this.#addView({ database, name });
	}

	#addView({ database, name }: ViewRef): void {
		if (!this.namedViews.some((each) => each.database === database && each.name === name))
			this.namedViews.push({ database, name });
	}

	/** Returns the macro of this name in the current database, if the view that it reads exists. */
	#findMacro(name: string): Macro | undefined {
		const macro = macros.get(name);
		const isAvailable = macro?.database === this.#database && this.#views.get(macro.database)?.has(macro.view) === true;
		return isAvailable ? macro : undefined;
	}

	#refusal(why: string, node: Node): Refused {
		const at = Number(node.query_location ?? Number.NaN);
		return new Refused(why, Number.isSafeInteger(at) ? locationOf(this.#sql, at) : "");
	}
}

/** Yields every object in the tree. */
function* nodesOf(root: unknown): Generator<Node> {
	const pending: unknown[] = [root];
	while (pending.length > 0) {
		const value = pending.pop();
		if (isNode(value)) yield value;
		if (typeof value === "object" && value !== null) for (const child of Object.values(value)) pending.push(child);
	}
}
