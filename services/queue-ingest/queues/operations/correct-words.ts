/** Replaces words that do not occur in the data with the most similar words that do. */
import { nearestWords } from "#libs/contract/did-you-mean.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Shorter words are not corrected, because they resemble too many others. */
const minLetters = 4;
/** Maximum corrected words; the rest of a longer text is not changed. */
const maxWords = 5;
/** Maximum words with the same beginning or end that are compared, and maximum nearest words whose requests are counted. */
const maxCandidates = { compared: 5_000, counted: 20 };

/**
 * Returns the text with corrected words, or with only the words of its county corrected if it names one. Returns undefined if nothing needs
 * correcting or no known word is near. Words with digits are never changed, because a different number is a different request.
 */
export async function correctWords(sql: Sql, text: string, county: string | undefined): Promise<string | undefined> {
	const words = [...new Set((county ?? text).toLowerCase().match(/[a-z0-9]+/g))].filter(
		(word) => word.length >= minLetters && /^[a-z]+$/.test(word),
	);
	const corrected = new Map<string, string>();
	for (const word of words.slice(0, maxWords)) {
		const known = await (county === undefined ? readSimilarWords(sql, word) : readCountyWords(sql));
		// Not misspelled: a search also matches the beginning of a word.
		if (known.some((each) => each.startsWith(word))) continue;
		const nearest = preferComplete(word, nearestWords(word, known)).slice(0, maxCandidates.counted);
		if (nearest.length === 0) return undefined;
		corrected.set(word, nearest.length === 1 ? String(nearest[0]) : await pickMostFrequent(sql, nearest));
	}
	if (corrected.size === 0) return undefined;
	return text.toLowerCase().replace(/[a-z0-9]+/g, (word) => corrected.get(word) ?? word);
}

/**
 * Among equally near words, those with every typed letter in order come first: omitted letters are more frequent than wrong ones ("windstr"
 * is "windstar", not "windsor").
 */
function preferComplete(typed: string, nearest: string[]): string[] {
	const completeWords = nearest.filter((word) => hasInOrder(word, typed));
	return completeWords.length === 0 ? nearest : completeWords;
}

function hasInOrder(word: string, letters: string): boolean {
	let at = 0;
	for (const letter of word) if (letter === letters[at]) at++;
	return at === letters.length;
}

/**
 * Words of requests, developers and counties that share the first or second half of this word, or only swap the letters in its middle: all
 * words with one typo, and those with two typos in one half.
 */
async function readSimilarWords(sql: Sql, word: string): Promise<string[]> {
	const half = Math.floor(word.length / 2);
	const head = word.slice(0, half);
	const tail = [...word.slice(half)].reverse().join("");
	const swapped = word.slice(0, half - 1) + word.charAt(half) + word.charAt(half - 1) + word.slice(half + 1);
	const [minLength, maxLength] = [word.length - 2, word.length + 2];
	// '{' follows 'z'.
	const rows = await sql<{ word: string }[]>`
		with named as (
			select unnest(words_of(lower(canonical_name))) as word from developers
			union select unnest(words_of(lower(alias))) from developer_aliases
			union select unnest(words_of(lower_county)) from county_totals)
		(select word from searched_words where word >= ${head} and word < ${`${head}{`}
			and (length(word) between ${minLength} and ${maxLength} or starts_with(word, ${word})) limit ${maxCandidates.compared})
		union (select word from searched_words where reverse(word) >= ${tail} and reverse(word) < ${`${tail}{`}
			and length(word) between ${minLength} and ${maxLength} limit ${maxCandidates.compared})
		union (select word from searched_words where word = ${swapped})
		union select word from named
		where (starts_with(word, ${head}) or starts_with(reverse(word), ${tail}) or word = ${swapped})
			and (length(word) between ${minLength} and ${maxLength} or starts_with(word, ${word}))
		order by word`;
	return rows.map((row) => row.word);
}

/** Returns a few thousand words. */
async function readCountyWords(sql: Sql): Promise<string[]> {
	const rows = await sql<{ word: string }[]>`
		select distinct unnest(words_of(lower_county)) as word from county_totals where projects > 0 order by 1`;
	return rows.map((row) => row.word);
}

/** Picks the word that occurs in the most requests. */
async function pickMostFrequent(sql: Sql, words: string[]): Promise<string> {
	const [row] = await sql<{ word: string }[]>`
		select word from unnest(${words}::text[]) as w (word)
		order by (select count(*) from searched_projects s where s.words && array[word collate "C"]) desc, word limit 1`;
	return row?.word ?? "";
}
