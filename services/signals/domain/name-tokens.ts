/** A text as words to look names up by: whole words of letters and digits, with where they stand. Pure. */
import { normaliseName } from "#libs/names/normalise.ts";

export interface NameToken {
	/** As written. */
	text: string;
	/** As compared: lower case, without diacritics; "&" is "and". */
	key: string;
	/** Offsets in the text, in UTF-16 units. */
	start: number;
	end: number;
}

/** "Ørsted's 600MW" > orsted, s, 600mw. */
export function nameTokens(text: string): NameToken[] {
	return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+|&/gu), ({ 0: word, index }) => ({
		text: word,
		key: keyOf(word),
		start: index,
		end: index + word.length,
	}));
}

/** Plain letters need no folding. */
function keyOf(word: string): string {
	if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase();
	return word === "&" ? "and" : normaliseName(word).words.join("");
}
