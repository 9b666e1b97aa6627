/** Which functions may be called, and with what. */
import type { Check } from "./check.ts";
import { checkPower } from "./expressions.ts";
import { collecting, functions, literalArguments, patternArgument, textFunctions } from "./functions.ts";
import { patternFault, seriesFault } from "./literals.ts";
import { checkNeedle, needleArgument } from "./needles.ts";
import { checkExp, checkPlaces } from "./numbers.ts";
import { literalOf, type Node, namesOf, nodesOf } from "./tree.ts";

export function functionName(node: Node): string {
	return namesOf(node.fields, "funcname").at(-1) ?? "";
}

/** The parser itself says pg_catalog for what has a syntax of its own, as EXTRACT; nobody else's schema is named. */
export function checkCall(check: Check, node: Node): void {
	const names = namesOf(node.fields, "funcname");
	const name = functionName(node);
	const isOurs = names.length === 1 || (names.length === 2 && names[0] === "pg_catalog");
	if (!isOurs || !functions.has(name)) check.refuse(`the function ${names.join(".")}`, node);
	const args = nodesOf(node.fields, "args");
	if (name !== "make_interval" && args.some(({ kind }) => kind === "NamedArgExpr"))
		check.refuse(`an argument of ${name} by name`, node);
	if (collecting.has(name) && node.fields.over !== undefined) check.refuse(`${name} with OVER`, node);
	if (textFunctions.has(name) || collecting.has(name)) check.makesText = true;
	if (textFunctions.has(name)) check.textCalls++;
	for (const at of literalArguments[name] ?? [])
		if (at < args.length && literalOf(args[at]) === undefined)
			check.refuse(`an argument ${at + 1} of ${name} that is not written out as a literal`, node);
	const pattern = patternArgument[name];
	checkFault(check, node, pattern === undefined ? undefined : patternFault(args[pattern]));
	const needle = needleArgument[name];
	if (needle !== undefined) checkNeedle(check, node, args[needle], `an argument ${needle + 1} of ${name}`);
	if (name === "exp") checkExp(check, node, args[0]);
	if (name === "round" || name === "trunc") checkPlaces(check, node, name, args[1]);
	if (name === "substring") checkSubstring(check, node, args);
	if (name === "generate_series") checkFault(check, node, seriesFault(args));
	if (name === "power" || name === "pow") checkPower(check, node, args[0], args[1]);
}

function checkFault(check: Check, node: Node, fault: string | undefined): void {
	if (fault !== undefined) check.refuse(fault, node);
}

/** With a text it is a regular expression, with numbers a place: written out, it is plain which. */
function checkSubstring(check: Check, node: Node, [, ...args]: Node[]): void {
	const literals = args.map(literalOf);
	if (literals.some((each) => each === undefined))
		check.refuse("substring with a place that is computed (substr takes one)", node);
	if (literals[0]?.isText === true) checkFault(check, node, patternFault(args[0]));
}
