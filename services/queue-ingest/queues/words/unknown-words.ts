/** Words of the newest lists that no adapter knows and that are not mapped. */
import type { Sql } from "#libs/postgres/connect.ts";
import { notReplaced } from "../../sources/archive.ts";
import { isMapped } from "../../sources/mapped-words.ts";
import type { Feed } from "../../sources/source.ts";
import { sources } from "../sources/index.ts";

export interface UnknownWord {
	feed: Feed;
	/** As the adapter calls the column. */
	field: string;
	word: string;
	rows: number;
	/** Header as filed; null where the rows of the list are not known. */
	column: string | null;
	/** Number of the first request with it. */
	example: string | null;
	/** `YYYY-MM-DD` of the first list with it. */
	firstSeen: string;
	/** Mapped since: in force from the next list on. */
	means: string | null;
}

/** Of one list, or of all; of each the newest that was accepted or is held back. */
export const unknownWords = (sql: Sql, feed?: Feed): Promise<UnknownWord[]> => sql<UnknownWord[]>`
	with newest as (
		select distinct on (l.feed) l.feed, l.unknown_values
		from snapshot_files l join snapshots f on f.id = l.snapshot_id
		where l.feed = any(${feed === undefined ? sources.map((source) => source.feed) : [feed]}) and l.unknown_values is not null
			and (f.outcome = 'applied' or f.outcome = 'quarantined' and ${notReplaced(sql)})
		order by l.feed, coalesce(l.as_of, f.as_of) desc, f.id desc)
	select n.feed, v.field, v.value as word, v.count as rows, v.column, v.example, m.means,
		(select to_char(min(coalesce(l.as_of, s.as_of)) at time zone 'UTC', 'YYYY-MM-DD')
			from snapshot_files l join snapshots s on s.id = l.snapshot_id where l.feed = n.feed
				and l.unknown_values @> jsonb_build_array(jsonb_build_object('field', v.field, 'value', v.value))) as "firstSeen"
	from newest n
	cross join jsonb_to_recordset(n.unknown_values) as v (field text, value text, count integer, "column" text, example text)
	left join mapped_words m on ${isMapped(sql, "n")}
	order by n.feed, v.count desc, v.field, v.value`;
