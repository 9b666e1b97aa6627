/**
 * Links a company name in a list, a filing or a form to a known developer, in steps of decreasing evidence: the whole name; the name without
 * generic words; a sponsor's prefix at its start; a typing error. A wrong link is worse than none.
 */
import type { NameMethod } from "#libs/contract/vocabulary.ts";
import { differOnlyInLooseWords, type FuzzyMatch, indexFuzzy, isSlip, tieWithin } from "./fuzzy.ts";
import { indexNames, type KnownDeveloper, type KnownName, type KnownNames } from "./known-names.ts";
import { maxNameLength, type NameKeys, normaliseName } from "./normalise.ts";
import { matchPrefix } from "./prefixes.ts";
import { jaroWinkler, trigramSimilarity } from "./similarity.ts";
import { tidyName } from "./tidy-name.ts";
import { isAbroad, mentionsAny } from "./unrelated-companies.ts";
import { contextWords, distinctiveTails, placeholders } from "./words.ts";

export type { KnownDeveloper } from "./known-names.ts";

/** Confidence of a match by its method, from 0 to 1. */
export const confidences: Readonly<Record<NameMethod, number>> = {
	developer_exact: 1,
	developer_alias: 1,
	developer_distinct: 0.95,
	developer_prefix: 0.9,
	developer_fuzzy: 0.85,
};

interface ShellFacts {
	isShell: boolean;
	family: string | null;
}

export interface ReviewCandidate {
	developerId: number;
	canonical: string;
	jaroWinkler: number;
	trigram: number;
}

export type Resolution =
	| ({
			kind: "matched";
			developerId: number;
			canonical: string;
			method: NameMethod;
			confidence: number;
			/** The known name or prefix that matched. */
			matchedText: string;
	  } & ShellFacts)
	/** Not stored as a link, because a person must decide. */
	| ({ kind: "review"; candidates: ReviewCandidate[]; reason: "ambiguous" | "tie" | "alike" } & ShellFacts)
	/** A project company whose name does not show its sponsor. */
	| { kind: "shell"; family: string }
	/** An unknown company; `name` as filed, with tidy white space. */
	| { kind: "new"; name: string }
	/** The text names no developer. */
	| { kind: "none"; reason: "blank" | "placeholder" | "too long" };

/**
 * `power list`: a list that names only developers and owners of power plants, in which "Constellation" is the power company. `any company`:
 * filings of all kinds of companies, in which one ordinary word or a short acronym counts only next to a word about energy.
 */
export type NameSource = "power list" | "any company";

export interface Resolver {
	/** Never throws. */
	resolve(raw: string, source?: NameSource): Resolution;
}

export function createResolver(developers: readonly KnownDeveloper[]): Resolver {
	const known = indexNames(developers);
	const fuzzy = indexFuzzy(known.names);
	return {
		resolve(raw, source = "power list") {
			const text = raw.trim();
			if (text.length > maxNameLength) return { kind: "none", reason: "too long" };
			const name = normaliseName(text);
			if (!/\p{L}/u.test(name.fullKey)) return { kind: "none", reason: "blank" };
			if (isPlaceholder(name)) return { kind: "none", reason: "placeholder" };
			const isPowerList = source === "power list";
			const wholeMatch = matchWholeName(known, name, isPowerList);
			const resolution =
				wholeMatch ??
				matchWithoutGeneric(known, name) ??
				matchSponsor(known, name, isPowerList) ??
				matchFuzzily(name, fuzzy.findSimilar(name)) ??
				unknownName(text, name);
			return reviewIfAbroad(known, name, resolution, { isWhole: wholeMatch !== undefined, isPowerList });
		},
	};
}

const isPlaceholder = ({ fullKey, words }: NameKeys): boolean =>
	placeholders.has(fullKey) ||
	words[0] === "confidential" ||
	/^(n a|to be (determined|announced|named)|not (available|applicable|disclosed|provided))$/.test(fullKey);

/** Step 1: the whole name, a name that was cut off from it, or each side of a slash is a known name. */
function matchWholeName(known: KnownNames, name: NameKeys, isPowerList: boolean): Resolution | undefined {
	const wholeMatches = findMatches(known, name);
	if (wholeMatches.length > 0) return decide(wholeMatches, name, isPowerList);
	const matchPart = (part: string) => findMatches(known, normaliseName(part)).filter((match) => !match.name.ambiguous);
	const sides = name.sides.map(matchPart);
	// If only one side is known, the name is that of a joint venture, or of a company and its project.
	const partMatches = [
		...name.alternates.map(matchPart),
		...(sides.every((side) => side.length > 0) ? sides : []),
	].flat();
	return partMatches.length > 0 ? decide(partMatches, name, isPowerList) : undefined;
}

interface WholeMatch {
	name: KnownName;
	isExact: boolean;
}

/** Known names with the same full key, or with the same letters and different spaces. */
function findMatches(known: KnownNames, keys: NameKeys): WholeMatch[] {
	const exact = known.byFullKey.get(keys.fullKey);
	const isSameCompany = (name: KnownName) => allowsTails(known, keys, name);
	if (exact) return exact.filter(isSameCompany).map((name) => ({ name, isExact: true }));
	const joined = keys.fullKey.replaceAll(" ", "");
	const respaced = (joined.length >= 5 ? known.byJoinedKey.get(joined) : undefined) ?? [];
	return respaced.filter((name) => !name.ambiguous && isSameCompany(name)).map((name) => ({ name, isExact: false }));
}

/**
 * Whether the tails allow the name to be that of the known company. "Georgia Power Partners" is not Georgia Power; "Tenaska Partners" is Tenaska,
 * because no other company's name has that word.
 */
const allowsTails = (known: KnownNames, { distinctKey, tails }: NameKeys, name: KnownName): boolean =>
	known.distinctiveWords.has(distinctKey) ||
	tails.every((tail) => !distinctiveTails.has(tail) || name.tails.includes(tail));

function decide(matches: WholeMatch[], name: NameKeys, isPowerList: boolean): Resolution {
	const review = (reason: "ambiguous" | "tie"): Resolution => {
		const fuzzyMatches = matches.map((match) => ({ name: match.name, jaroWinkler: 1, trigram: 1 }));
		return { kind: "review", candidates: candidatesOf(fuzzyMatches), reason, ...shellFacts(name) };
	};
	if (new Set(matches.map((match) => match.name.developer.id)).size > 1) return review("tie");
	const [closest] = matches.toSorted((a, b) => rankSimilarity(b.name, name) - rankSimilarity(a.name, name));
	if (closest === undefined) return review("ambiguous");
	const isOrdinary = closest.name.ambiguous;
	// With a legal form, an ordinary word may be any company's name ("Matrix LLC"), unless a known name has that form ("AES Corp"). Without one, in
	// a list of plant owners, it is the power company ("Constellation").
	const hasKnownTail = matches.some((match) => !match.name.ambiguous && sharesTail(match.name, name));
	if (isOrdinary && !hasKnownTail && (!isPowerList || name.tails.length > 0)) return review("ambiguous");
	const method = closest.name.isCanonical ? "developer_exact" : "developer_alias";
	return matchOf(closest.name, closest.isExact ? method : "developer_distinct");
}

const sharesTail = (known: KnownName, name: NameKeys): boolean => name.tails.some((tail) => known.tails.includes(tail));

/** Ranks known names for `name`: the canonical one is best, then one with the same tails, then one without tails. */
function rankSimilarity(known: KnownName, name: NameKeys): number {
	if (known.isCanonical) return 3;
	if (known.tails.join() === name.tails.join()) return 2;
	return known.tails.length === 0 ? 1 : 0;
}

/** Step 2: the names differ only in generic words, and these cannot mean a different company. */
function matchWithoutGeneric(known: KnownNames, name: NameKeys): Resolution | undefined {
	const { distinctKey } = name;
	if (distinctKey.length < 5) return undefined;
	const candidates = known.byDistinctKey.get(distinctKey) ?? [];
	if (new Set(candidates.map((candidate) => candidate.developer.id)).size !== 1) return undefined;
	const isBrand = known.distinctiveWords.has(distinctKey);
	const mayDiffer = mentionsAny(name.words, contextWords);
	const match = candidates.find((candidate) => {
		const { ambiguous, generic } = candidate;
		if (ambiguous || !allowsTails(known, name, candidate)) return false;
		if (isBrand || generic.join(" ") === name.generic.join(" ")) return true;
		return mayDiffer && distinctKey.includes(" ") && differOnlyInLooseWords(name.generic, generic);
	});
	return match && matchOf(match, "developer_distinct");
}

/** Step 3: the name begins with a sponsor's prefix. */
function matchSponsor(known: KnownNames, name: NameKeys, isPowerList: boolean): Resolution | undefined {
	const match = matchPrefix(known, name, isPowerList);
	if (match === undefined) return undefined;
	const { developer, text } = match.prefix;
	if (!match.isSure) return reviewOne(name, developer, text, "alike");
	const method = match.mistyped ? "developer_fuzzy" : "developer_prefix";
	return { ...matchOf({ developer, text }, method), ...shellFacts(name) };
}

/** Step 4: a known name is similar. It is accepted if the difference is a typing error; otherwise a person decides. */
function matchFuzzily(name: NameKeys, similar: FuzzyMatch[]): Resolution | undefined {
	const [first, second] = similar;
	if (first === undefined) return undefined;
	const isTie = second !== undefined && first.jaroWinkler - second.jaroWinkler <= tieWithin;
	if (!isTie && isSlip(name, first)) return matchOf(first.name, "developer_fuzzy");
	return { kind: "review", candidates: candidatesOf(similar), reason: isTie ? "tie" : "alike", ...shellFacts(name) };
}

/** If a name points abroad and the developer's names do not, it probably belongs to a foreign sister company, so a person must decide. */
function reviewIfAbroad(
	known: KnownNames,
	name: NameKeys,
	resolution: Resolution,
	context: Parameters<typeof isAbroad>[2],
): Resolution {
	if (resolution.kind !== "matched") return resolution;
	const words = [name.words, ...name.alternates.map((part) => normaliseName(part).words)];
	const knownWords = known.wordsById.get(resolution.developerId) ?? new Set();
	if (!words.some((part) => isAbroad(part, knownWords, context))) return resolution;
	const { developerId: id, canonical, matchedText } = resolution;
	return reviewOne(name, { id, canonical }, matchedText, "ambiguous");
}

function reviewOne(
	name: NameKeys,
	{ id, canonical }: Pick<KnownDeveloper, "id" | "canonical">,
	text: string,
	reason: "ambiguous" | "alike",
): Resolution {
	const known = normaliseName(text);
	const candidate = {
		developerId: id,
		canonical,
		jaroWinkler: jaroWinkler(name.distinctKey, known.distinctKey),
		trigram: trigramSimilarity(name.fullKey, known.fullKey),
	};
	return { kind: "review", candidates: [candidate], reason, ...shellFacts(name) };
}

function unknownName(text: string, name: NameKeys): Resolution {
	if (name.isShell && name.family !== null) return { kind: "shell", family: name.family };
	return { kind: "new", name: tidyName(text) };
}

function matchOf({ developer, text }: Pick<KnownName, "developer" | "text">, method: NameMethod) {
	return {
		kind: "matched" as const,
		developerId: developer.id,
		canonical: developer.canonical,
		method,
		confidence: confidences[method],
		matchedText: text,
		isShell: false,
		family: null,
	};
}

const shellFacts = ({ isShell, family }: NameKeys): ShellFacts => ({ isShell, family });

const maxCandidates = 5;

function candidatesOf(matches: FuzzyMatch[]): ReviewCandidate[] {
	const byDeveloper = new Map<number, ReviewCandidate>();
	for (const { name, jaroWinkler, trigram } of matches) {
		const { id, canonical } = name.developer;
		if (!byDeveloper.has(id)) byDeveloper.set(id, { developerId: id, canonical, jaroWinkler, trigram });
	}
	return [...byDeveloper.values()].slice(0, maxCandidates);
}
