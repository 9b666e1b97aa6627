/** Whose news a headline is that names a worldwide group: of the developer known here, its US business, or of the group. Pure. */
import type { matchPlaces, NewsSubject } from "#libs/contract/vocabulary.ts";
import { isWorldwideName, placeOf } from "./foreign-news.ts";
import { contextWords } from "./headline-names.ts";
import { type NameToken, nameTokens } from "./name-tokens.ts";

/** What the groups' US companies do and the groups' oil, gas and shares are not; capacities count too. */
const businessWords: ReadonlySet<string> = new Set([
	...contextWords,
	...["hydrogen", "geothermal", "electricity", "hydropower", "microgrid", "agrivoltaics", "sequestration"],
]);

interface NamedDeveloper {
	canonical: string;
	matchedOn: (typeof matchPlaces)[number];
	/** As it stands in the article. */
	matchedText: string;
}

/**
 * A group's name is its US company's only where the headline itself says a place of the United States and what such a company does:
 * suits, layoffs and shares are the group's. A developer that is the group itself has no other news than its own, but for what it does abroad.
 */
export function subjectOf({ canonical, matchedText, matchedOn }: NamedDeveloper, title: string): NewsSubject {
	if (!isWorldwideName(matchedText)) return "us_business";
	const tokens = withoutName(nameTokens(title), nameTokens(matchedText));
	const place = placeOf(tokens);
	if (isWorldwideName(canonical)) return place === "abroad" ? "parent" : "us_business";
	return matchedOn === "title" && place === "us" && tokens.some(isOfBusiness) ? "us_business" : "parent";
}

const isOfBusiness = ({ key }: NameToken): boolean => businessWords.has(key) || /^\d+[mg]wh?$/.test(key);

/** "EDF Renewables" says nothing of what the headline is about. */
function withoutName(tokens: readonly NameToken[], name: readonly NameToken[]): NameToken[] {
	const at = tokens.findIndex((_, from) => name.every(({ key }, offset) => tokens[from + offset]?.key === key));
	return at < 0 ? [...tokens] : tokens.toSpliced(at, name.length);
}
