/** What the parts of the check of a statement share. */
import { notAllowed, refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { byteOf, type Fields, type Node } from "./tree.ts";

export interface Check {
	/** The caller's text. */
	sql: string;
	views: ReadonlySet<string>;
	/** Columns that are named without their table, until it is known what stands in FROM. */
	bare: { name: string; node: Node; scope: Scope }[];
	/** Stars that stand where a column of the result is listed. */
	stars: WeakSet<Fields>;
	/** Something in it makes text, from which a long number might be read. */
	makesText: boolean;
	/** Casts to numeric of what may be text. */
	numericCasts: { arg: Node | undefined; at: Node }[];
	/** FROM has something that is computed: a column need not be stored. */
	computes: boolean;
	/** Columns that are searched for; their length is known where they are stored. */
	needleColumns: { node: Node; what: string }[];
	/** Characters of all that is searched for. */
	needleCharacters: number;
	/** How often a text is made of another. */
	textCalls: number;
	/** Bytes of all that is written out. */
	literalBytes: number;
	/** @throws AppError 400 */
	refuse: (what: string, node?: Node) => never;
}

export function newCheck(sql: string, views: Iterable<string>): Check {
	return {
		sql,
		views: new Set(views),
		bare: [],
		stars: new WeakSet(),
		makesText: false,
		numericCasts: [],
		computes: false,
		needleColumns: [],
		needleCharacters: 0,
		textCalls: 0,
		literalBytes: 0,
		refuse(what, node) {
			const byte = node && byteOf(node);
			throw refusal(notAllowed(what), sql, byte === undefined ? undefined : { byte });
		},
	};
}
