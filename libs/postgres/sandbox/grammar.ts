/**
 * The part of SQL that strangers may write, as an allow list of PostgreSQL's parse tree: each kind of node with the fields it may
 * have. What is not listed is refused, a field that a later PostgreSQL adds too.
 */
export const grammar: Readonly<Record<string, readonly string[]>> = {
	// Not here: intoClause (SELECT INTO), lockingClause (FOR UPDATE).
	SelectStmt: [
		...["distinctClause", "targetList", "fromClause", "whereClause", "groupClause", "groupDistinct", "havingClause"],
		...["windowClause", "valuesLists", "sortClause", "limitOffset", "limitCount", "limitOption", "withClause"],
		...["op", "all", "larg", "rarg"],
	],
	WithClause: ["ctes", "location"],
	CommonTableExpr: ["ctename", "aliascolnames", "ctematerialized", "ctequery", "location"],
	ResTarget: ["name", "val", "location"],
	Alias: ["aliasname", "colnames"],
	RangeVar: ["relname", "inh", "relpersistence", "alias", "location"],
	RangeSubselect: ["lateral", "subquery", "alias"],
	RangeFunction: ["lateral", "ordinality", "functions", "alias"],
	JoinExpr: ["jointype", "isNatural", "larg", "rarg", "usingClause", "join_using_alias", "quals", "alias"],
	SortBy: ["node", "sortby_dir", "sortby_nulls", "location"],
	GroupingSet: ["kind", "content", "location"],
	GroupingFunc: ["args", "location"],
	WindowDef: [
		...["name", "refname", "partitionClause", "orderClause", "frameOptions", "startOffset", "endOffset", "location"],
	],
	List: ["items"],
	String: ["sval"],
	Integer: ["ival"],
	A_Star: [],
	ColumnRef: ["fields", "location"],
	A_Const: ["ival", "fval", "boolval", "sval", "isnull", "location"],
	A_Expr: ["kind", "name", "lexpr", "rexpr", "rexpr_list_start", "rexpr_list_end", "location"],
	A_ArrayExpr: ["elements", "list_start", "list_end", "location"],
	A_Indirection: ["arg", "indirection"],
	A_Indices: ["is_slice", "lidx", "uidx"],
	BoolExpr: ["boolop", "args", "location"],
	NullTest: ["arg", "nulltesttype", "argisrow", "location"],
	BooleanTest: ["arg", "booltesttype", "location"],
	CaseExpr: ["arg", "args", "defresult", "location"],
	CaseWhen: ["expr", "result", "location"],
	CoalesceExpr: ["args", "location"],
	MinMaxExpr: ["op", "args", "location"],
	RowExpr: ["args", "row_format", "location"],
	SubLink: ["subLinkType", "testexpr", "operName", "subselect", "location"],
	FuncCall: [
		...["funcname", "args", "agg_order", "agg_filter", "agg_within_group", "agg_star", "agg_distinct", "over"],
		...["funcformat", "location"],
	],
	NamedArgExpr: ["name", "arg", "argnumber", "location"],
	TypeCast: ["arg", "typeName", "location"],
	TypeName: ["names", "typmods", "typemod", "arrayBounds", "location"],
	CollateClause: ["arg", "collname", "location"],
	SQLValueFunction: ["op", "typmod", "location"],
};

/** Where the tree has a node without its kind around it, the field says which it is. */
export const kindOfField: Readonly<Record<string, string>> = {
	larg: "SelectStmt",
	rarg: "SelectStmt",
	withClause: "WithClause",
	over: "WindowDef",
	typeName: "TypeName",
	alias: "Alias",
	join_using_alias: "Alias",
};

/** Values that are not nodes: the constants of an A_Const are objects, too. */
export const valueFields: ReadonlySet<string> = new Set(["ival", "fval", "boolval", "sval"]);

/** By name alone: `OPERATOR(schema.+)` has two. BETWEEN and the like are names of the parser's. */
export const operators: ReadonlySet<string> = new Set([
	...["+", "-", "*", "/", "%", "^", "||", "=", "<>", "<", "<=", ">", ">=", "@"],
	...["~~", "!~~", "~~*", "!~~*", "~", "~*", "!~", "!~*"],
	...["->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "&&"],
	...["BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC", "NOT BETWEEN SYMMETRIC"],
]);

/** Not char(n), which pads to ten million characters; no name of anything inside (regclass); nothing that parses (json, xml). */
export const castTypes: ReadonlySet<string> = new Set([
	...["int2", "int4", "int8", "numeric", "float4", "float8", "bool", "text", "varchar"],
	...["date", "time", "timestamp", "timestamptz", "interval"],
]);

export const clockValues: ReadonlySet<string> = new Set([
	...["SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIMESTAMP", "SVFOP_CURRENT_TIMESTAMP_N", "SVFOP_LOCALTIMESTAMP"],
	...["SVFOP_LOCALTIMESTAMP_N", "SVFOP_LOCALTIME", "SVFOP_LOCALTIME_N", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIME_N"],
]);

/** What a refusal calls a kind of node that is not in the list, or a field. Others by their own name, in words. */
const names: Readonly<Record<string, string>> = {
	ParamRef: "a parameter ($1)",
	XmlExpr: "XML",
	XmlSerialize: "XML",
	RangeTableFunc: "XMLTABLE",
	RangeTableSample: "TABLESAMPLE",
	JsonTable: "JSON_TABLE",
	JsonFuncExpr: "a JSON path function",
	DoStmt: "DO",
	VariableSetStmt: "SET",
	VariableShowStmt: "SHOW",
	CreateTableAsStmt: "CREATE TABLE AS",
	TransactionStmt: "a transaction command",
	SetToDefault: "DEFAULT",
	"SelectStmt.intoClause": "SELECT INTO",
	"SelectStmt.lockingClause": "FOR UPDATE or FOR SHARE",
	"WithClause.recursive": "WITH RECURSIVE",
	"CommonTableExpr.search_clause": "SEARCH",
	"CommonTableExpr.cycle_clause": "CYCLE",
	"RangeVar.schemaname": "a schema (name the views without one)",
	"RangeVar.catalogname": "a schema (name the views without one)",
	"RangeFunction.is_rowsfrom": "ROWS FROM",
	"RangeFunction.coldeflist": "a column definition list",
	"FuncCall.func_variadic": "VARIADIC",
	"SortBy.useOp": "ORDER BY USING",
	"A_Const.bsval": "a bit string",
	"TypeName.setof": "SETOF",
	"TypeName.pct_type": "%TYPE",
	"ResTarget.indirection": "a field of a column",
};

export function nameOf(kind: string, field?: string): string {
	const known = names[field === undefined ? kind : `${kind}.${field}`];
	if (known !== undefined) return known;
	const words = kind.replace(/Stmt$/, "").replace(/([a-z])([A-Z])/g, "$1 $2");
	return kind.endsWith("Stmt") ? words.toUpperCase() : field === undefined ? words : `${field} of ${words}`;
}
