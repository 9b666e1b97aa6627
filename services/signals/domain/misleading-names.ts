/** Does a name lie where it stands? By the words of `headline-names.ts`, and by its neighbours. Pure. */
import { misleading } from "./headline-names.ts";
import type { NameToken } from "./name-tokens.ts";

interface Neighbours {
	/** Phrases, each as its words. */
	before: string[][];
	after: string[][];
	beside: ReadonlySet<string>;
}

const phrases = (list = ""): string[][] => wordsOf(list).map((phrase) => phrase.split("_"));
const wordsOf = (list: string): string[] => list.split(/\s+/).filter((word) => word !== "");

const neighbours: ReadonlyMap<string, Neighbours> = new Map(
	Object.entries(misleading).map(([name, { before, after, beside = "" }]) => [
		name,
		{ before: phrases(before), after: phrases(after), beside: new Set(wordsOf(beside)) },
	]),
);

/** `key` is the name's words as compared, joined by blanks; the name stands at `from` up to, not including, `to`. */
export function isMisleading(
	key: string,
	{ from, to }: { from: number; to: number },
	tokens: readonly NameToken[],
): boolean {
	const known = neighbours.get(key);
	if (known === undefined) return false;
	const stands = (phrase: string[], at: number): boolean => phrase.every((word, nth) => tokens[at + nth]?.key === word);
	if (known.before.some((phrase) => stands(phrase, from - phrase.length))) return true;
	if (known.after.some((phrase) => stands(phrase, to))) return true;
	return tokens.some((token, at) => (at < from || at >= to) && known.beside.has(token.key));
}
