/** The growth of each kind of node, from those of its parts (growth.ts says what that is and why). */
import { functionName } from "./calls.ts";
import type { Check } from "./check.ts";
import { powerOf } from "./expressions.ts";
import { collecting, escaping, joining } from "./functions.ts";
import {
	collected,
	column,
	either,
	type Growth,
	joined,
	limits,
	multiplied,
	over,
	raised,
	sources,
	times,
} from "./growth.ts";
import { isLongNumber } from "./literals.ts";
import { findQuery, type Scope } from "./scope.ts";
import { childOf, childrenOf, literalOf, type Node, namesOf, nodesOf, textOf } from "./tree.ts";

export interface Surroundings {
	check: Check;
	scope: Scope;
	/** Of a part of the node; to be asked once for each. */
	of(child: Node): Growth;
}

/** Of `*`: nobody counts how many columns it stands for. */
const star: Growth = { factor: 1, row: 16, collects: 0, digits: 1 };

export function growthOf(node: Node, around: Surroundings): Growth {
	const parts = () => childrenOf(node).map(around.of);
	switch (node.kind) {
		case "SelectStmt":
			return ofSelect(node, around);
		case "RangeVar":
			return findQuery(around.scope, textOf(node.fields, "relname")) ?? column;
		case "JoinExpr":
			return ofSources(node, [...nodesOf(node.fields, "larg"), ...nodesOf(node.fields, "rarg")], around);
		case "ColumnRef":
			parts();
			return nodesOf(node.fields, "fields").at(-1)?.kind === "A_Star" ? star : column;
		case "A_Const":
			return { ...either([]), digits: isLongNumber(literalOf(node)?.text ?? "") ? 1 : 0 };
		case "TypeCast":
			return ofCast(node, parts());
		case "A_Expr":
			return ofOperator(node, parts());
		case "A_ArrayExpr":
		case "RowExpr":
			return joined(parts());
		case "FuncCall":
			return ofCall(node, parts(), around);
		case "SubLink":
			return ofSubLink(node, parts(), around);
		case "ResTarget": {
			const growth = either(parts());
			return { ...growth, row: Math.max(growth.row, growth.factor, 1) };
		}
		default:
			return either(parts());
	}
}

function ofSelect(node: Node, around: Surroundings): Growth {
	const { fields } = node;
	if (childOf(fields, "larg") !== undefined) return ofSet(node, around);
	const from = ofSources(node, nodesOf(fields, "fromClause"), around, []);
	const targets = nodesOf(fields, "targetList").map(around.of);
	const lists = nodesOf(fields, "valuesLists").map(around.of);
	const rest = partsBut(node, ["targetList", "valuesLists", "fromClause", "withClause"]).map(around.of);
	const row = targets.reduce((sum, growth) => sum + growth.row, 0);
	return over(from, { ...either([...targets, ...lists, ...rest]), row });
}

/** UNION and its kin. INTERSECT and EXCEPT keep one side in memory, as a collection of rows does. */
function ofSet(node: Node, around: Surroundings): Growth {
	const growth = either(partsBut(node, ["withClause"]).map(around.of));
	if (textOf(node.fields, "op") !== "SETOP_UNION") checkKept(growth, "INTERSECT or EXCEPT", node, around);
	return growth;
}

const partsBut = (node: Node, fields: string[]): Node[] =>
	childrenOf({
		kind: node.kind,
		fields: Object.fromEntries(Object.entries(node.fields).filter(([field]) => !fields.includes(field))),
	});

/** Items of FROM, or the sides of a join with what joins them. */
function ofSources(node: Node, items: Node[], { of }: Surroundings, rest = partsBut(node, ["larg", "rarg"])): Growth {
	const growths = items.map((item) => ({
		growth: of(item),
		// A join may have lateral items inside; a function in FROM is lateral without saying so.
		lateral: item.fields.lateral === true || item.kind === "JoinExpr" || item.kind === "RangeFunction",
	}));
	return over(sources(growths), either(rest.map(of)));
}

function ofOperator(node: Node, parts: Growth[]): Growth {
	const [name] = namesOf(node.fields, "name");
	if (name === "||") return joined(parts);
	if (name === "*") return multiplied(parts);
	if (name === "/") return { ...either(parts), digits: multiplied(parts).digits };
	if (name === "^") return raised(either(parts), powerOf(childOf(node.fields, "lexpr"), childOf(node.fields, "rexpr")));
	return either(parts);
}

const fixedTypes = new Set(["int2", "int4", "int8", "float4", "float8", "bool"]);

/** These have a length of their own, whatever they are made of. */
function ofCast(node: Node, parts: Growth[]): Growth {
	const growth = either(parts);
	const type = childOf(node.fields, "typeName");
	const isFixed = type !== undefined && fixedTypes.has(namesOf(type.fields, "names").at(-1) ?? "");
	return isFixed ? { ...growth, digits: Math.min(1, growth.digits) } : growth;
}

const squaring = /^(stddev|var)/;
/** In a format a letter may stand for nine. */
const shortFormat = 20;

function ofCall(node: Node, parts: Growth[], { check }: Surroundings): Growth {
	const name = functionName(node);
	if (collecting.has(name)) return collected(joined(parts));
	const growth = joining.has(name) ? joined(parts) : either(parts);
	if (escaping.has(name)) return times(growth, 2);
	const args = nodesOf(node.fields, "args");
	if (name === "power" || name === "pow") return raised(growth, powerOf(args[0], args[1]));
	if (name === "div") return { ...growth, digits: multiplied(parts).digits };
	if (squaring.test(name)) return { ...growth, digits: growth.digits * 2 };
	if (name === "to_char") return (literalOf(args[1])?.text ?? "").length > shortFormat ? times(growth, 9) : growth;
	const inserted = insertedBy(name, args);
	if (inserted === undefined) return growth;
	check.makesText = true;
	return times(growth, inserted);
}

/** How many times longer a text becomes by what is put between its characters. */
function insertedBy(name: string, args: Node[]): number | undefined {
	const at = { replace: 2, regexp_replace: 2, array_to_string: 1 }[name];
	if (at === undefined) return undefined;
	const bytes = Buffer.byteLength(literalOf(args[at])?.text ?? "");
	// An element of an array takes four bytes at the least; one that is NULL can be given a text, too.
	if (name === "array_to_string") return 1 + (bytes + Buffer.byteLength(literalOf(args[2])?.text ?? "")) / 4;
	return Math.max(1, name === "replace" ? bytes : bytes + 1);
}

function ofSubLink(node: Node, parts: Growth[], around: Surroundings): Growth {
	const growth = either(parts);
	const type = textOf(node.fields, "subLinkType");
	if (type === "ARRAY_SUBLINK") return collected(growth);
	if (type === "ANY_SUBLINK" || type === "ALL_SUBLINK") checkKept(growth, "IN (SELECT)", node, around);
	return growth;
}

/** Kept in memory by the planner's estimate of its size, which knows nothing of growth. */
function checkKept({ factor }: Growth, what: string, node: Node, { check }: Surroundings): void {
	if (factor > limits.collectedFactor)
		check.refuse(`text that is put together more than ${limits.collectedFactor} times over, in ${what}`, node);
}
