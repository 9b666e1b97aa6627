/**
 * Decides whether an ambiguous name in a headline means the company. Lists of other meanings are never complete ("Swift Current's city
 * council", "Recurrent flooding"), so the name counts only if the words around it make sense only for a company. Pure.
 */
import { states } from "#libs/names/words.ts";
import {
	agencyPrepositions,
	auxiliaries,
	civicWords,
	connectors,
	consumerGoods,
	corporateNouns,
	dealVerbs,
	developerNouns,
	energyAdjectives,
	inflectedForms,
	placePrepositions,
	plainNames,
	titles,
	townMatters,
	townVerbs,
	verbForms,
} from "./company-words.ts";
import type { NameToken, TokenRange } from "./known-names.ts";

export interface Headline {
	text: string;
	tokens: readonly NameToken[];
	/** Whether an unambiguous name of a developer begins at this token. */
	nameBegins(at: number): boolean;
	/** Whether such a name ends with this token. */
	nameEnds(at: number): boolean;
}

/** Maximum words from the name to the asset: "Hecate's 200 MW Greene County solar project". */
const longestPhrase = 7;
const maxAuxiliaries = 3;
const maxPartnerWords = 3;

export function isCompany(key: string, range: TokenRange, headline: Headline): boolean {
	const isPlainName = plainNames.has(key);
	const { from, to } = range;
	const isAbout = (matters: ReadonlySet<string>): boolean => headline.tokens.some((token) => matters.has(token.key));
	if (isAbout(consumerGoods) || (isPlainName && isAbout(townMatters))) return false;
	const next = keyAt(headline, to);
	if (civicWords.has(next) || isPlaceName(range, headline)) return false;
	const punctuation = punctuationBetween(headline, to - 1, to);
	if (next === "s" && /^['’‘]$/.test(punctuation)) return isFollowedByAsset(to + 1, isPlainName, headline);
	if (isBesideKnownName(range, headline)) return true;
	if (endsPhrase(punctuation, next))
		return isPrecededByAgency(from, isPlainName, headline) || isIntroduced(punctuation, next, isPlainName);
	if (isFollowedByVerb(to, isPlainName, headline)) return true;
	if (connectors.has(next)) return isPrecededByAgency(from, isPlainName, headline);
	if (isFollowedByAsset(to, isPlainName, headline, false)) return true;
	return (
		isPrecededByAgency(from, isPlainName, headline) && (auxiliaries.has(next) || isFollowedByVerb(to, false, headline))
	);
}

const keyAt = ({ tokens }: Headline, at: number): string => tokens[at]?.key ?? "";

/** The punctuation between two tokens, without the hyphen of "Hecate-owned". */
function punctuationBetween({ text, tokens }: Headline, left: number, right: number): string {
	const between = text.slice(tokens[left]?.end ?? 0, tokens[right]?.start ?? text.length);
	return between === "-" ? "" : between.trim();
}

const endsPhrase = (punctuation: string, next: string): boolean => next === "" || /^[:,;|()?!–—-]/.test(punctuation);

/** True for "Hecate: ..." and "Hecate, a developer, ..."; not for "Apex, N.C." or "recurrent, costly". */
function isIntroduced(punctuation: string, next: string, isPlainName: boolean): boolean {
	return !isPlainName && next !== "" && /^[:,(]/.test(punctuation) && !isState(next);
}

const stateNames = new Set([...states.keys(), ...[...states.values()].map((name) => name.split(" ")[0] ?? "")]);
const isState = (word: string): boolean =>
	stateNames.has(word) || /^(?:n|s|w|fla|calif|wis|ill|ind|mass|conn|penn|sask)$/.test(word);

/** True for "in Apex", "near Swift Current" and "Jupiter, Fla."; not for "stake in Apex". */
function isPlaceName({ from, to }: TokenRange, headline: Headline): boolean {
	const before = keyAt(headline, from - 1);
	if (/^(?:in|near|at|around|outside|across|of)$/.test(before)) {
		const ownershipWords =
			/^(?:stakes?|shares?|interests?|invests?|investments?|acquisition|sale|part|owners?|parent|purchase|portfolio|half|lawsuit|majority|minority|ceo)$/;
		return !ownershipWords.test(keyAt(headline, from - 2));
	}
	return (
		/^,/.test(punctuationBetween(headline, to - 1, to)) &&
		isState(keyAt(headline, to)) &&
		keyAt(headline, to).length > 1
	);
}

/** True for "Hecate and Invenergy sign" and "Invenergy, Pattern", if Invenergy is known. */
function isBesideKnownName({ from, to }: TokenRange, headline: Headline): boolean {
	const listed = (left: number): boolean => /^[,/&]/.test(punctuationBetween(headline, left, left + 1));
	if (listed(to - 1) && headline.nameBegins(to)) return true;
	if (listed(from - 1) && headline.nameEnds(from - 1)) return true;
	const joins = (at: number): boolean => keyAt(headline, at) === "and";
	return (joins(to) && headline.nameBegins(to + 1)) || (joins(from - 1) && headline.nameEnds(from - 2));
}

/** Whether a business verb follows the name, or the name and a partner. */
function isFollowedByVerb(at: number, isPlainName: boolean, headline: Headline): boolean {
	const verb = keyAt(headline, at);
	if (inflectedForms.has(verb)) return !(isPlainName && townVerbs.has(verb));
	if (/^(?:break|go)s?$/.test(verb)) return /^(?:ground|live|online)$/.test(keyAt(headline, at + 1));
	if (auxiliaries.has(verb)) return hasVerbAfterAuxiliaries(at + 1, isPlainName, headline);
	return verb === "and" && isPartnerBeforeVerb(at + 1, headline);
}

function hasVerbAfterAuxiliaries(start: number, isPlainName: boolean, headline: Headline): boolean {
	let at = start;
	while (at < start + maxAuxiliaries && auxiliaries.has(keyAt(headline, at))) at++;
	const verb = keyAt(headline, at);
	return verbForms.has(verb) && !(isPlainName && (townVerbs.has(verb) || townVerbs.has(`${verb}s`)));
}

/** Whether capitalized words and then a verb follow, as in "Clearway and Meta sign". */
function isPartnerBeforeVerb(start: number, headline: Headline): boolean {
	for (let at = start; at <= start + maxPartnerWords; at++) {
		const token = headline.tokens[at];
		if (token === undefined || civicWords.has(token.key)) return false;
		if (at > start && verbForms.has(token.key)) return true;
		if (!/^[\p{Lu}\d]/u.test(token.text)) return false;
	}
	return false;
}

/** Whether the words before the name fit a company: "by Hecate", "sues Hecate"; not "from Jupiter", which may be a place. */
function isPrecededByAgency(from: number, isPlainName: boolean, headline: Headline): boolean {
	const before = keyAt(headline, from - 1);
	if (dealVerbs.has(before) || titles.has(before)) return true;
	if (agencyPrepositions.has(before)) return !(isPlainName && placePrepositions.has(before));
	return /^(?:in|of)$/.test(before) || (!isPlainName && closesList(from, headline));
}

/** Whether the name ends a list of companies: "with Google, Hecate" and "with Google and Hecate". */
function closesList(from: number, headline: Headline): boolean {
	const hasAnd = keyAt(headline, from - 1) === "and";
	if (!hasAnd && punctuationBetween(headline, from - 1, from) !== ",") return false;
	for (let at = from - (hasAnd ? 2 : 1); at >= from - 2 - maxPartnerWords; at--) {
		const token = headline.tokens[at];
		if (token === undefined) return false;
		if (agencyPrepositions.has(token.key)) return true;
		if (!/^\p{Lu}/u.test(token.text)) return false;
	}
	return false;
}

/** Whether the first noun that follows is something that companies own. After a possessive, a proper name may precede the noun. */
function isFollowedByAsset(start: number, isPlainName: boolean, headline: Headline, isPossessive = true): boolean {
	for (let at = start; at < start + longestPhrase; at++) {
		const token = headline.tokens[at];
		if (token === undefined || civicWords.has(token.key)) return false;
		if (corporateNouns.has(token.key)) return at === start || !isPlainName;
		if (developerNouns.has(token.key)) return !isPlainName;
		const isAdjective = energyAdjectives.has(token.key) || /^\d+(?:[mg]wh?)?$/.test(token.key);
		if (isAdjective || (isPossessive && isPartOfName(token))) continue;
		// "Plus Power's Hawaii battery replaces a coal plant"
		return (
			isPossessive && !isPlainName && inflectedForms.has(token.key) && energyAdjectives.has(keyAt(headline, at - 1))
		);
	}
	return false;
}

const isPartOfName = ({ text, key }: NameToken): boolean => /^\p{Lu}/u.test(text) && !verbForms.has(key);
