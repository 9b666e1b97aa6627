/** Exact numbers: PostgreSQL computes with up to 147,000 digits and does not look up meanwhile, so nobody makes one so long. */
import type { Check } from "./check.ts";
import { childOf, literalOf, type Node, namesOf, nodesOf } from "./tree.ts";

const mostDigits = 100;

/** `numeric(10, 2)`: longer ones are refused by the type itself. */
export function isBounded(type: Node): boolean {
	const [precision] = nodesOf(type.fields, "typmods").map((each) => Number(literalOf(each)?.text));
	return precision !== undefined && precision <= mostDigits && nodesOf(type.fields, "arrayBounds").length === 0;
}

const arithmetic = new Set(["+", "-", "*", "/", "%", "^", "@"]);
const ofNumbers = new Set(
	"abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log10 mod div power pow sum avg count extract date_part length".split(
		" ",
	),
);
const numberTypes = new Set(["int2", "int4", "int8", "float4", "float8"]);

/** Plainly no text: what is written out, what arithmetic makes, what was cast to another number before. */
export function isNumber(node: Node | undefined): boolean {
	if (node === undefined) return false;
	if (literalOf(node) !== undefined) return true;
	if (node.kind === "A_Expr") return arithmetic.has(namesOf(node.fields, "name")[0] ?? "");
	if (node.kind === "FuncCall") return ofNumbers.has(namesOf(node.fields, "funcname").at(-1) ?? "");
	if (node.kind === "CoalesceExpr") return nodesOf(node.fields, "args").every(isNumber);
	if (node.kind !== "TypeCast") return false;
	const type = childOf(node.fields, "typeName");
	return type !== undefined && numberTypes.has(namesOf(type.fields, "names").at(-1) ?? "");
}

/** Of text that the statement makes itself a number of any length can be read; a column that is stored is no such text. */
export function checkNumericCasts(check: Check): void {
	if (!check.makesText) return;
	const cast = check.numericCasts.find(({ arg }) => check.computes || arg?.kind !== "ColumnRef");
	if (cast !== undefined)
		check.refuse("a cast to numeric beside functions that make text (cast to float8, or to numeric(20, 6))", cast.at);
}

const highestExponent = 100;

/** e to the power of 300,000 has 130,000 digits. */
export function checkExp(check: Check, at: Node, arg: Node | undefined): void {
	const literal = literalOf(arg);
	const type = arg?.kind === "TypeCast" ? childOf(arg.fields, "typeName") : undefined;
	if (type !== undefined && namesOf(type.fields, "names").at(-1) === "float8") return;
	if (literal === undefined || !(Math.abs(Number(literal.text)) <= highestExponent))
		check.refuse(`exp of other than a number up to ${highestExponent} written out (or cast to float8)`, at);
}

/** More places than numbers have are zeros, which are computed with all the same. */
export function checkPlaces(check: Check, at: Node, name: string, places: Node | undefined): void {
	const negated = places?.kind === "A_Expr" && childOf(places.fields, "lexpr") === undefined;
	const literal = literalOf(negated ? childOf(places.fields, "rexpr") : places);
	if (places !== undefined && (literal === undefined || !(Math.abs(Number(literal.text)) <= mostDigits)))
		check.refuse(`${name} to other than a number of places up to ${mostDigits} written out`, at);
}
