/** Corrects words that do not occur to the nearest ones that do. */
import { nearestWords } from "#libs/contract/did-you-mean.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Shorter ones resemble too many. */
const shortest = 4;
/** Corrected at most: the rest of a longer text stays as it is. */
const mostWords = 5;
/** Words of one beginning or end that are compared, and of the nearest those whose requests are counted. */
const most = { compared: 5_000, counted: 20 };

/**
 * The text with its words corrected, or those of the county that it names; undefined where there is nothing to correct, or nothing near
 * it. A word with digits is a number, and stays: another number is another request.
 */
export async function correctWords(sql: Sql, text: string, county: string | undefined): Promise<string | undefined> {
	const words = [...new Set((county ?? text).toLowerCase().match(/[a-z0-9]+/g))].filter(
		(word) => word.length >= shortest && /^[a-z]+$/.test(word),
	);
	const corrected = new Map<string, string>();
	for (const word of words.slice(0, mostWords)) {
		const known = await (county === undefined ? resembling(sql, word) : wordsOfCounties(sql));
		// A piece of a word is what a search looks for.
		if (known.some((each) => each.startsWith(word))) continue;
		const nearest = preferred(word, nearestWords(word, known)).slice(0, most.counted);
		if (nearest.length === 0) return undefined;
		corrected.set(word, nearest.length === 1 ? String(nearest[0]) : await commonest(sql, nearest));
	}
	if (corrected.size === 0) return undefined;
	return text.toLowerCase().replace(/[a-z0-9]+/g, (word) => corrected.get(word) ?? word);
}

/**
 * Among equally near words, those with every typed letter in order come first: who types in haste leaves letters out more often than another
 * in its place ("windstr" is "windstar", not "windsor").
 */
function preferred(typed: string, nearest: string[]): string[] {
	const whole = nearest.filter((word) => hasInOrder(word, typed));
	return whole.length === 0 ? nearest : whole;
}

function hasInOrder(word: string, letters: string): boolean {
	let at = 0;
	for (const letter of word) if (letter === letters[at]) at++;
	return at === letters.length;
}

/**
 * Words of requests, developers and counties that share the first or the second half of this one, or are it with the letters in its middle
 * swapped: with one slip all that resemble it, with two those whose slips are in one half.
 */
async function resembling(sql: Sql, word: string): Promise<string[]> {
	const half = Math.floor(word.length / 2);
	const head = word.slice(0, half);
	const tail = [...word.slice(half)].reverse().join("");
	const swapped = word.slice(0, half - 1) + word.charAt(half) + word.charAt(half - 1) + word.slice(half + 1);
	const [least, longest] = [word.length - 2, word.length + 2];
	// '{' is what follows 'z'.
	const rows = await sql<{ word: string }[]>`
		with named as (
			select unnest(words_of(lower(canonical_name))) as word from developers
			union select unnest(words_of(lower(alias))) from developer_aliases
			union select unnest(words_of(lower_county)) from county_totals)
		(select word from searched_words where word >= ${head} and word < ${`${head}{`}
			and (length(word) between ${least} and ${longest} or starts_with(word, ${word})) limit ${most.compared})
		union (select word from searched_words where reverse(word) >= ${tail} and reverse(word) < ${`${tail}{`}
			and length(word) between ${least} and ${longest} limit ${most.compared})
		union (select word from searched_words where word = ${swapped})
		union select word from named
		where (starts_with(word, ${head}) or starts_with(reverse(word), ${tail}) or word = ${swapped})
			and (length(word) between ${least} and ${longest} or starts_with(word, ${word}))
		order by word`;
	return rows.map((row) => row.word);
}

/** Some thousand at most. */
async function wordsOfCounties(sql: Sql): Promise<string[]> {
	const rows = await sql<{ word: string }[]>`
		select distinct unnest(words_of(lower_county)) as word from county_totals where projects > 0 order by 1`;
	return rows.map((row) => row.word);
}

/** Picks the word that most requests have. */
async function commonest(sql: Sql, words: string[]): Promise<string> {
	const [row] = await sql<{ word: string }[]>`
		select word from unnest(${words}::text[]) as w (word)
		order by (select count(*) from searched_projects s where s.words && array[word collate "C"]) desc, word limit 1`;
	return row?.word ?? "";
}
