/** Finds values in the newest lists that no adapter defines, and maps them to defined values. */
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { UserError } from "#libs/service/program.ts";
import { notReplaced } from "../../sources/archive.ts";
import { foldCase } from "../../sources/collector.ts";
import type { Feed } from "../../sources/source.ts";
import { isMapped, isTarget, targetsOf } from "../../sources/vocabulary.ts";
import { sourceOf, sources } from "../sources/index.ts";

interface UnknownWord {
	feed: Feed;
	/** The adapter's name of the column. */
	field: string;
	word: string;
	rows: number;
	/** Header as filed; null if the list's rows are unknown. */
	column: string | null;
	/** Number of the first request with the value. */
	example: string | null;
	/** Day of the first list with the value (`YYYY-MM-DD`). */
	firstSeen: string;
	/** The value that it is mapped to, which takes effect with the next list; null if it is not mapped. */
	means: string | null;
}

/** Reads the unknown values of one feed, or of all feeds, from the newest list of each that was accepted or is quarantined. */
export const readUnknownWords = (sql: Sql, feed?: Feed): Promise<UnknownWord[]> => sql<UnknownWord[]>`
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

interface Authorship {
	author: string;
	at: Date;
}

/**
 * Maps an unknown value, and ends an earlier mapping of it. `field` is required if several fields have the value. Returns the mapping's
 * number and field. Throws `UserError` if the newest list has no such unknown value, a rule reads the field, or the target is unknown.
 */
export async function mapWord(
	sql: Sql,
	{ feed, word, means, field }: { feed: Feed; word: string; means: string; field: string | undefined },
	{ author, at }: Authorship,
): Promise<{ id: number; field: string }> {
	const sameWords = (await readUnknownWords(sql, feed)).filter((one) => foldCase(one.word) === foldCase(word));
	const matches = sameWords.filter((one) => field === undefined || one.field === field);
	const [match, secondMatch] = matches;
	if (match === undefined) throw new UserError(`--map: "${word}" is not an unknown value in ${feed}'s newest list`);
	if (secondMatch !== undefined)
		throw new UserError(
			`--map: "${word}" occurs in ${matches.map((each) => each.field).join(" and ")}; choose one with --column`,
		);
	const words = sourceOf(feed).words?.[match.field];
	if (words === undefined)
		throw new UserError(`--map: the values of ${match.field} in ${feed} are read by a rule, so they cannot be mapped`);
	if (!isTarget(words, means))
		throw new UserError(
			`--map: "${means}" is not one of the known values of ${match.field} in ${feed}: ${targetsOf(words).join(", ")}`,
		);
	const id = await sql.begin(async (tx) => {
		await tx`
			update mapped_words set ended_at = ${at}, ended_by = ${author}
			where feed = ${feed} and field = ${match.field} and word_key = ${foldCase(word)} and ended_at is null`;
		const [row] = await tx<{ id: number }[]>`
			insert into mapped_words ${tx({ feed, field: match.field, word: match.word, word_key: foldCase(word), means, author, made_at: at })}
			returning mapped_id as id`;
		await raiseDataVersion(tx);
		return row?.id ?? 0;
	});
	return { id, field: match.field };
}

/** Ends a mapping: from the next list on, the value is unknown again. Throws `UserError` if no mapping with this number is in force. */
export async function withdrawWord(sql: Sql, id: number, { author, at }: Authorship): Promise<void> {
	await sql.begin(async (tx) => {
		const ended = await tx`
			update mapped_words set ended_at = ${at}, ended_by = ${author} where mapped_id = ${id} and ended_at is null`;
		if (ended.count === 0) throw new UserError(`--withdraw: no mapping ${id} is in force`);
		await raiseDataVersion(tx);
	});
}
