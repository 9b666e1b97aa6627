/** Meanings that people gave to unknown values of a list. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Feed } from "./source.ts";
import type { MappedWord } from "./vocabulary.ts";

/** Mappings in force. */
export const mappedWords = (sql: Sql | Transaction, feed: Feed): Promise<MappedWord[]> => sql<MappedWord[]>`
	select mapped_id as id, field, word, means, author, to_char(made_at at time zone 'UTC', 'YYYY-MM-DD') as on
	from mapped_words where feed = ${feed} and ended_at is null order by mapped_id`;

/** The condition that mapping `m` stands for unknown value `v` of list `of`: words are compared as by `fold`. */
export const isMapped = (sql: Sql, of: "l" | "n"): Fragment => sql`
	m.feed = ${sql(of)}.feed and m.field = v.field and m.word_key = btrim(regexp_replace(lower(btrim(v.value)), '[*:]+$', ''))
	and m.ended_at is null`;
