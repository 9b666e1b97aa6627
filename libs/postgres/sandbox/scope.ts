/** What a name in FROM means: a WITH query that is in scope there, or a view of the database. Nothing else exists. */
import type { Check } from "./check.ts";
import type { Growth } from "./growth.ts";
import { refusal } from "./refusal.ts";
import { byteOf, childOf, type Node, textOf } from "./tree.ts";

/** Of one SELECT. What is inside hides what is outside. */
export interface Scope {
	/** WITH queries by name, with the growth of each. */
	names: Map<string, Growth>;
	/** Names of what stands in FROM: alone, such a name is a whole row. */
	ranges: Set<string>;
	outer?: Scope;
}

export const newScope = (outer?: Scope): Scope => ({ names: new Map(), ranges: new Set(), ...(outer && { outer }) });

export function findQuery(scope: Scope | undefined, name: string): Growth | undefined {
	for (let each = scope; each !== undefined; each = each.outer) {
		const found = each.names.get(name);
		if (found !== undefined) return found;
	}
	return undefined;
}

export function isRange(scope: Scope | undefined, name: string): boolean {
	return scope !== undefined && (scope.ranges.has(name) || isRange(scope.outer, name));
}

/** PostgreSQL looks into its catalogs before it looks among the views, and among WITH queries before both. */
const isReserved = (name: string): boolean => /^pg_/i.test(name) || name.toLowerCase() === "information_schema";

export function checkRelation(check: Check, node: Node, scope: Scope): void {
	const name = textOf(node.fields, "relname");
	const alias = childOf(node.fields, "alias");
	scope.ranges.add(alias === undefined ? name : textOf(alias.fields, "aliasname"));
	if (findQuery(scope, name) !== undefined) return;
	if (check.views.has(name) && !isReserved(name)) return;
	const byte = byteOf(node);
	throw refusal(
		`there is no view ${JSON.stringify(name)} in this database: it has ${[...check.views].sort().join(", ") || "none"}`,
		check.sql,
		byte === undefined ? undefined : { byte },
	);
}

/** The name under which a WITH query is in scope after it. */
export function queryName(check: Check, query: Node, scope: Scope): string {
	const name = textOf(query.fields, "ctename");
	if (isReserved(name)) check.refuse(`the name ${name} for a WITH query`, query);
	if (scope.names.has(name)) check.refuse(`a second WITH query ${name}`, query);
	return name;
}
