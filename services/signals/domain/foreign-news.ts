/** Does a headline tell what a worldwide group does abroad? Pure. */
import { states } from "#libs/names/words.ts";
import { type NameToken, nameTokens } from "./name-tokens.ts";
import { foreignWords, usWords, worldwideNames } from "./parent-groups.ts";

const longestPhrase = 3;
const stateNames = new Set(states.values());

/**
 * The developers known here are the US companies of such groups. "ExxonMobil" in a story of Gabon is the group: it is named, so that
 * the link stays, but the news says next to nothing of the US company and must not weigh like its own.
 */
export const isNewsFromAbroad = (tokens: readonly NameToken[]): boolean => placeOf(tokens) === "abroad";

/** Where a headline plays; the United States go before all other places. Null where it says none. */
export function placeOf(tokens: readonly NameToken[]): "us" | "abroad" | null {
	let foreign = false;
	for (let from = 0; from < tokens.length; from++) {
		if (isUs(tokens[from])) return "us";
		for (const phrase of phrasesFrom(tokens, from).toReversed()) {
			if ((usWords.has(phrase) && phrase !== "us") || stateNames.has(phrase)) return "us";
			if (!foreignWords.has(phrase)) continue;
			foreign = true;
			// "Latin America" is not America.
			from += phrase.split(" ").length - 1;
			break;
		}
	}
	return foreign ? "abroad" : null;
}

/** Is this, as it stands in an article, a name of a group rather than of its US company? */
export const isWorldwideName = (written: string): boolean =>
	worldwideNames.has(
		nameTokens(written)
			.map(({ key }) => key)
			.join(" "),
	);

/** "US" and not "us"; GDELT's "U . S ." arrives as two letters. */
const isUs = (token: NameToken | undefined): boolean => token?.text === "US";

function phrasesFrom(tokens: readonly NameToken[], from: number): string[] {
	const keys = tokens.slice(from, from + longestPhrase).map(({ key }) => key);
	const phrases = keys.map((_, at) => keys.slice(0, at + 1).join(" "));
	return keys[0] === "u" && keys[1] === "s" ? ["usa", ...phrases] : phrases;
}
