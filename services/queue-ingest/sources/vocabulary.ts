/** Mappings, made by people, of values that an operator files and its adapter does not define. */
import { technologyParts } from "#libs/contract/vocabulary.ts";
import { known } from "#libs/files/values.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { standardTechnology } from "./technology.ts";

/** The values of a column that an adapter defines, folded: a Map or a Set. */
export interface KnownWords {
	has(word: string): boolean;
	keys(): Iterable<string>;
}

export type WordsByField = Readonly<Record<string, KnownWords | "technology">>;

/** A value that is read as a value that the adapter defines. */
export interface MappedWord {
	id: number;
	field: string;
	word: string;
	/** The value that the adapter defines or, for a technology, a standard technology. */
	means: string;
	author: string;
	on: string;
}

export interface ReadWord extends MappedWord {
	count: number;
}

/** Whether values can be mapped to `means`. They cannot be mapped to an empty value, because an empty cell states nothing. */
export function isTarget(words: KnownWords | "technology", means: string): boolean {
	if (known(means) === null) return false;
	if (words !== "technology") return words.has(means.toLowerCase());
	const { typeStd, unknown } = standardTechnology(means);
	return unknown.length === 0 && typeStd !== "Unknown";
}

export function targetsOf(words: KnownWords | "technology"): string[] {
	if (words === "technology") return technologyParts.filter((part) => part !== "Unknown");
	return [...words.keys()].filter((word) => word !== "").sort();
}

export const readMappedWords = (sql: Sql | Transaction, feed: string): Promise<MappedWord[]> => sql<MappedWord[]>`
	select mapped_id as id, field, word, means, author, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD') as on
	from mapped_words where feed = ${feed} and ended_at is null order by mapped_id`;

/** Condition that mapping `m` applies to unknown value `v` of list `list`. Compares values as `foldCase` does. */
export const isMapped = (sql: Sql, list: "l" | "n"): Fragment => sql`
	m.feed = ${sql(list)}.feed and m.field = v.field and m.word_key = btrim(regexp_replace(lower(btrim(v.value)), '[*:]+$', ''))
	and m.ended_at is null`;
