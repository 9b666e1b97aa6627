import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { notReplaced } from "../archive.ts";

/** Of each list the newest that was accepted, and the newest that a guard holds back since. */
export const newestStructures = (sql: Sql): Fragment => sql`
	select distinct on (l.feed, f.outcome) f.id, f.region, l.feed, f.outcome, coalesce(l.as_of, f.as_of) as as_of, l.sha256,
		l.format, l.layout, l.structure, l.compared_with, l.drift, l.unknown_values, l.mapped_words
	from snapshot_files l join snapshots f on f.id = l.snapshot_id
	where l.structure is not null and (f.outcome = 'applied' or f.outcome = 'quarantined' and ${notReplaced(sql)})
	order by l.feed, f.outcome, coalesce(l.as_of, f.as_of) desc, f.id desc`;
