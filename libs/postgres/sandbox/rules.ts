/** What a kind of node may hold beyond the kinds of its parts (grammar.ts). A kind without a rule has none. */
import { checkCall } from "./calls.ts";
import type { Check } from "./check.ts";
import { checkColumn, checkOperator, checkType } from "./expressions.ts";
import { clockValues } from "./grammar.ts";
import { constantFault } from "./literals.ts";
import { checkRelation, type Scope } from "./scope.ts";
import { childOf, literalOf, type Node, namesOf, nodesOf, textOf } from "./tree.ts";

export interface Place {
	check: Check;
	node: Node;
	/** It, or the nearest around it whose place in the text is known. */
	here: Node;
	scope: Scope;
}

/** What has an alias is a range of that name. */
function addRange({ node, scope }: Place): void {
	for (const alias of [...nodesOf(node.fields, "alias"), ...nodesOf(node.fields, "join_using_alias")])
		scope.ranges.add(textOf(alias.fields, "aliasname"));
}

export const rules: Readonly<Record<string, (place: Place) => void>> = {
	RangeVar: ({ check, node, scope }) => checkRelation(check, node, scope),
	RangeSubselect(place) {
		place.check.computes = true;
		addRange(place);
	},
	CommonTableExpr({ check }) {
		check.computes = true;
	},
	RangeFunction({ check }) {
		check.computes = true;
	},
	JoinExpr: addRange,
	ResTarget({ check, node }) {
		const value = childOf(node.fields, "val");
		if (value?.kind === "ColumnRef") check.stars.add(value.fields);
	},
	FuncCall: ({ check, node }) => checkCall(check, node),
	ColumnRef: ({ check, node, scope }) => checkColumn(check, node, scope),
	A_Expr: ({ check, node }) => checkOperator(check, node),
	SubLink: ({ check, node }) => checkOperator(check, node),
	TypeCast: ({ check, node, here }) => checkType(check, node, here),
	A_Const({ check, node, here }) {
		const text = literalOf(node)?.text ?? "";
		// Also a short one takes some bytes where it is collected.
		check.literalBytes += Buffer.byteLength(text) + 8;
		const fault = constantFault(text);
		if (fault !== undefined) check.refuse(fault, here);
	},
	SQLValueFunction({ check, node, here }) {
		const name = textOf(node.fields, "op");
		if (!clockValues.has(name)) check.refuse(name.replace("SVFOP_", "").toLowerCase(), here);
	},
	CollateClause({ check, node, here }) {
		if (namesOf(node.fields, "collname").join(".") !== "C") check.refuse('a collation but "C"', here);
	},
	A_Indirection({ check, node, here }) {
		const steps = nodesOf(node.fields, "indirection");
		if (steps.some(({ kind }) => kind !== "A_Indices")) check.refuse("a field of a row", here);
	},
	GroupingSet({ check, node, here }) {
		const isCube = textOf(node.fields, "kind") === "GROUPING_SET_CUBE";
		if (isCube && nodesOf(node.fields, "content").length > 4) check.refuse("CUBE of more than four columns", here);
	},
};
