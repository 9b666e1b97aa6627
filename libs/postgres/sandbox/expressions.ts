/** What may stand in an expression: columns, operators, casts. */
import type { Check } from "./check.ts";
import { rowFunctions } from "./functions.ts";
import { castTypes, operators } from "./grammar.ts";
import { patternFault } from "./literals.ts";
import { checkContaining, checkNeedle, containing } from "./needles.ts";
import { isBounded, isNumber } from "./numbers.ts";
import type { Scope } from "./scope.ts";
import { childOf, literalOf, type Node, namesOf, nodesOf, textOf } from "./tree.ts";

const systemColumns = new Set(["tableoid", "xmin", "xmax", "cmin", "cmax", "ctid", "oid"]);

/** `column`, `table.column`, `*` and `table.*`. */
export function checkColumn(check: Check, node: Node, scope: Scope): void {
	const parts = nodesOf(node.fields, "fields");
	const names = namesOf(node.fields, "fields");
	const last = names.at(-1) ?? "";
	if (parts.length > 2) check.refuse("a column with its schema", node);
	if (parts.at(-1)?.kind === "A_Star") {
		// Anywhere else it is a whole row as one value.
		if (!check.stars.has(node.fields)) check.refuse("* inside an expression", node);
		return;
	}
	if (systemColumns.has(last)) check.refuse(`the system column ${last}`, node);
	if (parts.length === 1) check.bare.push({ name: last, node, scope });
	// PostgreSQL calls the function of that name over the whole row, where the row has no such column.
	else if (rowFunctions.has(last)) check.refuse(`.${last} (give the column another name with AS)`, node);
}

const likeOperators = new Set(["~~", "!~~", "~~*", "!~~*"]);
const patternOperators = new Set(["~", "~*", "!~", "!~*"]);

export function checkOperator(check: Check, node: Node): void {
	const field = node.kind === "SubLink" ? "operName" : "name";
	const names = namesOf(node.fields, field);
	const [name = ""] = names;
	if (names.length > 1) check.refuse("OPERATOR()", node);
	if (name !== "" && !operators.has(name)) check.refuse(`the operator ${name}`, node);
	if (node.kind === "SubLink") {
		if (likeOperators.has(name)) check.refuse("a pattern of LIKE that is computed", node);
		if (patternOperators.has(name)) check.refuse("a regular expression that is not written out as a literal", node);
		return;
	}
	if (name === "||") {
		check.makesText = true;
		check.textCalls++;
	}
	if (likeOperators.has(name)) checkNeedle(check, node, childOf(node.fields, "rexpr"), "a pattern of LIKE");
	if (containing.has(name)) checkContaining(check, node, name);
	if (name === "^") checkPower(check, node, childOf(node.fields, "lexpr"), childOf(node.fields, "rexpr"));
	if (!patternOperators.has(name) || textOf(node.fields, "kind") === "AEXPR_SIMILAR") return;
	const right = childOf(node.fields, "rexpr");
	const patterns = right?.kind === "A_ArrayExpr" ? nodesOf(right.fields, "elements") : [right];
	for (const pattern of patterns) {
		const fault = patternFault(pattern);
		if (fault !== undefined) check.refuse(fault, node);
	}
}

export const highestPower = 16;
const isFloat = (node: Node | undefined): boolean => {
	const type = node?.kind === "TypeCast" ? childOf(node.fields, "typeName") : undefined;
	return type !== undefined && /^float[48]$/.test(namesOf(type.fields, "names").at(-1) ?? "");
};

/** How many times as many digits: of floating point none. */
export function powerOf(base: Node | undefined, exponent: Node | undefined): number {
	if (isFloat(base) || isFloat(exponent)) return 1;
	const literal = literalOf(exponent) ?? negated(exponent);
	return Math.max(1, Math.ceil(Math.abs(Number(literal?.text ?? highestPower))) || 1);
}

/** An exact number to the power of another has as many times its digits: only small powers, or floating point. */
export function checkPower(check: Check, at: Node, base: Node | undefined, exponent: Node | undefined): void {
	if (isFloat(base) || isFloat(exponent)) return;
	const literal = literalOf(exponent) ?? negated(exponent);
	if (literal === undefined || !(Math.abs(Number(literal.text)) <= highestPower))
		check.refuse(`a power other than a number up to ${highestPower} written out (or cast to float8)`, at);
}

function negated(node: Node | undefined): { text: string } | undefined {
	return node?.kind === "A_Expr" && childOf(node.fields, "lexpr") === undefined
		? literalOf(childOf(node.fields, "rexpr"))
		: undefined;
}

export function checkType(check: Check, cast: Node, here: Node): void {
	const type = childOf(cast.fields, "typeName");
	const names = type === undefined ? [] : namesOf(type.fields, "names");
	const name = names.at(-1) ?? "";
	const isOurs = names.length === 1 || (names.length === 2 && names[0] === "pg_catalog");
	if (!isOurs || !castTypes.has(name)) check.refuse(`a cast to ${names.join(".")}`, here);
	if (type !== undefined && nodesOf(type.fields, "typmods").some((each) => each.kind !== "A_Const"))
		check.refuse(`a cast to ${name} of a length that is computed`, here);
	const arg = childOf(cast.fields, "arg");
	if (name === "numeric" && type !== undefined && !isBounded(type) && !isNumber(arg))
		check.numericCasts.push({ arg, at: here });
}
