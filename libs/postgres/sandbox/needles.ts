/**
 * What a text is searched for. Searching takes as long as both texts multiplied and PostgreSQL does not look up meanwhile: so what is
 * searched for is written out, or stored, and short where the text that is searched may be long.
 */
import type { Check } from "./check.ts";
import type { Growth } from "./growth.ts";
import { childOf, literalOf, type Node, namesOf, nodesOf } from "./tree.ts";

/** The argument (from 0) that is searched for. */
export const needleArgument: Readonly<Record<string, number>> = {
	strpos: 1,
	position: 1,
	split_part: 1,
	starts_with: 1,
	replace: 1,
	translate: 1,
	string_to_array: 1,
	string_to_table: 1,
	trim: 1,
	btrim: 1,
	ltrim: 1,
	rtrim: 1,
};

/** A text that is stored is counted as so many characters. */
const storedCharacters = 100;
/** Characters searched for, multiplied by how many times longer than a stored text the searched one may be. */
const mostSearched = 64_000;
const mostBesideCollected = 200;

/** @throws AppError where it is neither written out nor made of stored columns by `||` alone. */
export function checkNeedle(check: Check, at: Node, needle: Node | undefined, what: string): void {
	for (const part of partsOf(needle)) {
		const literal = literalOf(part);
		if (literal !== undefined) check.needleCharacters += literal.text.length;
		else if (part.kind === "ColumnRef") {
			check.needleCharacters += storedCharacters;
			check.needleColumns.push({ node: at, what });
		} else check.refuse(`${what} that is computed (write it out, or name a column of a view)`, at);
	}
}

function partsOf(node: Node | undefined): Node[] {
	if (node === undefined) return [];
	if (node.kind === "A_ArrayExpr") return nodesOf(node.fields, "elements").flatMap(partsOf);
	if (node.kind === "A_Expr" && namesOf(node.fields, "name")[0] === "||")
		return [...partsOf(childOf(node.fields, "lexpr")), ...partsOf(childOf(node.fields, "rexpr"))];
	const isEscape =
		node.kind === "FuncCall" && /^(like|similar_to)_escape$/.test(namesOf(node.fields, "funcname").at(-1) ?? "");
	return isEscape ? nodesOf(node.fields, "args").flatMap(partsOf) : [node];
}

/** When the whole statement is known. */
export function checkNeedles(check: Check, growth: Growth): void {
	const [column] = check.needleColumns;
	if (check.computes && column !== undefined)
		check.refuse(
			`${column.what} from a column, beside subqueries, WITH or functions in FROM (write it out)`,
			column.node,
		);
	if (growth.collects > 0 && check.needleCharacters > mostBesideCollected)
		check.refuse(`searching for more than ${mostBesideCollected} characters beside rows that are collected`);
	if (check.needleCharacters * Math.max(1, growth.factor) > mostSearched)
		check.refuse("searching for so many characters in text that is put together");
}

/** Each element of one side is compared with each of the other. */
export const containing: ReadonlySet<string> = new Set(["@>", "<@", "&&"]);

export function checkContaining(check: Check, at: Node, name: string): void {
	const sides = [childOf(at.fields, "lexpr"), childOf(at.fields, "rexpr")];
	if (sides.some(isWritten)) return;
	if (!sides.every((side) => side?.kind === "ColumnRef"))
		check.refuse(`${name} of two values that are computed (write one out)`, at);
	check.needleColumns.push({ node: at, what: name });
}

const isWritten = (node: Node | undefined): boolean =>
	node?.kind === "A_ArrayExpr"
		? nodesOf(node.fields, "elements").every(isWritten)
		: node?.kind === "TypeCast"
			? isWritten(childOf(node.fields, "arg"))
			: literalOf(node) !== undefined;
