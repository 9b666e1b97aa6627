/** Whether a text is one SELECT that may run: parsed by PostgreSQL's own parser, walked by an allow list. */

import { badRequest } from "#libs/contract/errors.ts";
import { type Check, newCheck } from "./check.ts";
import { grammar, nameOf } from "./grammar.ts";
import { type Growth, tooLong } from "./growth.ts";
import { growthOf } from "./growth-of.ts";
import { checkNeedles } from "./needles.ts";
import { checkNumericCasts } from "./numbers.ts";
import { parser } from "./parser.ts";
import { refusal } from "./refusal.ts";
import { rules } from "./rules.ts";
import { isRange, newScope, queryName, type Scope } from "./scope.ts";
import { byteOf, childOf, type Node, nodeOf, nodesOf } from "./tree.ts";

export interface CheckedStatement {
	/** The one statement, without what stands around it. */
	sql: string;
	/** Where it begins in the caller's text (characters). */
	offset: number;
	/** How long its values may become. */
	growth: Growth;
	/** Bytes of all that is written out. */
	literalBytes: number;
	/** How often a text is made of another. */
	textCalls: number;
}

const deepest = 150;
const mostNodes = 6_000;

/**
 * Pure: the text and the names of the views decide.
 * @throws AppError 400 that says what is wrong, and where.
 */
export async function checkStatement(text: string, views: Iterable<string>): Promise<CheckedStatement> {
	// The parser and the server would not read half a character alike.
	const sql = text.toWellFormed();
	const [only, ...others] = await parsed(sql);
	if (only === undefined) throw badRequest("there is no statement in it");
	if (others.length > 0) throw badRequest(`one statement is run at a time, and these are ${others.length + 1}`);
	const check = newCheck(sql, views);
	const bytes = Buffer.from(sql);
	const start = only.stmt_location ?? 0;
	const root = nodeOf(only.stmt, "stmt");
	if (root?.kind !== "SelectStmt") return check.refuse(nameOf(root?.kind ?? "nothing"));
	const growth = walk(check, root);
	return {
		sql: bytes.subarray(start, only.stmt_len === undefined ? bytes.length : start + only.stmt_len).toString(),
		offset: [...bytes.subarray(0, start).toString()].length,
		growth,
		literalBytes: check.literalBytes,
		textCalls: check.textCalls,
	};
}

interface Statement {
	stmt?: unknown;
	/** In bytes; absent for 0, and for all that is left. */
	stmt_location?: number;
	stmt_len?: number;
}

async function parsed(sql: string): Promise<Statement[]> {
	if (sql.trim() === "") return [];
	const { hasSqlDetails, parse } = await parser();
	try {
		const { stmts = [] } = (await parse(sql)) as { stmts?: Statement[] };
		return stmts;
	} catch (error) {
		if (!hasSqlDetails(error)) throw badRequest("the statement cannot be parsed: it is nested too deeply or too long");
		// It counts characters, from 0, and says 0 where it does not know: the scanner's own errors know.
		const { cursorPosition = 0, fileName } = error.sqlDetails ?? {};
		const isKnown = cursorPosition > 0 || fileName === "scan.l";
		throw refusal(error.message, sql, isKnown ? { character: cursorPosition + 1 } : undefined);
	}
}

function walk(check: Check, root: Node): Growth {
	let nodes = 0;
	/** `near`: the last node on the way down whose place is known; many kinds have none. */
	const visit = (node: Node, scope: Scope, depth: number, near: Node): Growth => {
		const here = byteOf(node) === undefined ? near : node;
		if (++nodes > mostNodes) check.refuse(`a statement of more than ${mostNodes} parts`, here);
		if (depth > deepest) check.refuse(`nesting of more than ${deepest} levels`, here);
		checkFields(check, node, here);
		rules[node.kind]?.({ check, node, here, scope });
		const below = (child: Node, inside: Scope) => visit(child, inside, depth + 1, here);
		const inside = node.kind === "SelectStmt" ? withQueries(check, node, scope, below, here) : scope;
		return growthOf(node, { check, scope: inside, of: (child) => below(child, inside) });
	};
	const growth = visit(root, newScope(), 1, root);
	for (const { name, node, scope } of check.bare)
		if (isRange(scope, name)) check.refuse(`${name} as a whole row (name its columns)`, node);
	const fault = tooLong(growth);
	if (fault !== undefined) check.refuse(fault);
	checkNumericCasts(check);
	checkNeedles(check, growth);
	return growth;
}

/** The scope of a SELECT. Each query of its WITH sees those before it and not itself; the rest sees them all. */
function withQueries(
	check: Check,
	select: Node,
	outer: Scope,
	visit: (node: Node, scope: Scope) => Growth,
	here: Node,
): Scope {
	const scope = newScope(outer);
	const clause = childOf(select.fields, "withClause");
	if (clause !== undefined) checkFields(check, clause, here);
	for (const query of clause === undefined ? [] : nodesOf(clause.fields, "ctes")) {
		const growth = visit(query, scope);
		scope.names.set(queryName(check, query, scope), growth);
	}
	// What stands in FROM is seen by the rest, and not by the queries.
	return newScope(scope);
}

/** Every kind and every field is in the list, or refused. */
function checkFields(check: Check, node: Node, here: Node): void {
	const fields = grammar[node.kind] ?? check.refuse(nameOf(node.kind), here);
	for (const field of Object.keys(node.fields))
		if (!fields.includes(field)) check.refuse(nameOf(node.kind, field), here);
}
