/**
 * Links a company name in a list, a filing or a form to a known developer, in steps of decreasing evidence: the whole name; the name without
 * generic words; a sponsor's word at its start; a typing error. A wrong link is worse than none.
 */
import type { NameMethod } from "#libs/contract/vocabulary.ts";
import { differOnlyLoosely, type FuzzyMatch, indexFuzzy, isSlip, tieWithin } from "./fuzzy.ts";
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
			/** The known name or prefix that was found. */
			matchedText: string;
	  } & ShellFacts)
	/** Not stored as a link, because a person must decide. */
	| ({ kind: "review"; candidates: ReviewCandidate[]; reason: "ambiguous" | "tie" | "alike" } & ShellFacts)
	/** A project company whose name does not show its sponsor. */
	| { kind: "shell"; family: string }
	/** An unknown company; `name` as filed, with tidy white space. */
	| { kind: "new"; name: string }
	/** Names no developer. */
	| { kind: "none"; reason: "blank" | "placeholder" | "too long" };

/**
 * `power list`: a list that names only developers and owners of power plants, in which "Constellation" is the power company. `any company`: a
 * filing of any company, where one ordinary word or a short acronym counts only beside a word about energy.
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
			const whole = matchWholeName(known, name, isPowerList);
			const found =
				whole ??
				matchWithoutGeneric(known, name) ??
				matchSponsor(known, name, isPowerList) ??
				matchFuzzily(name, fuzzy.alike(name)) ??
				unknownName(text, name);
			return reviewIfAbroad(known, name, found, { isWhole: whole !== undefined, isPowerList });
		},
	};
}

const isPlaceholder = ({ fullKey, words }: NameKeys): boolean =>
	placeholders.has(fullKey) ||
	words[0] === "confidential" ||
	/^(n a|to be (determined|announced|named)|not (available|applicable|disclosed|provided))$/.test(fullKey);

/** Step 1: the whole name, a name that was cut off from it, or both sides of a slash, is a known name. */
function matchWholeName(known: KnownNames, name: NameKeys, isPowerList: boolean): Resolution | undefined {
	const own = bearersOf(known, name);
	if (own.length > 0) return decide(own, name, isPowerList);
	const bearers = (part: string) => bearersOf(known, normaliseName(part)).filter((bearer) => !bearer.name.ambiguous);
	const sides = name.sides.map(bearers);
	// With one known side, the name is a joint venture, or a company and its project.
	const others = [...name.alternates.map(bearers), ...(sides.every((side) => side.length > 0) ? sides : [])].flat();
	return others.length > 0 ? decide(others, name, isPowerList) : undefined;
}

interface Bearer {
	name: KnownName;
	isExact: boolean;
}

function bearersOf(known: KnownNames, keys: NameKeys): Bearer[] {
	const exact = known.byFullKey.get(keys.fullKey);
	const isOwn = (name: KnownName) => hasOwnTails(known, keys, name);
	if (exact) return exact.filter(isOwn).map((name) => ({ name, isExact: true }));
	const joined = keys.fullKey.replaceAll(" ", "");
	const apart = joined.length >= 5 ? known.byJoinedKey.get(joined) : undefined;
	return (apart ?? []).filter((name) => !name.ambiguous && isOwn(name)).map((name) => ({ name, isExact: false }));
}

/** "Georgia Power Partners" is not Georgia Power; "Tenaska Partners" is Tenaska, because no other company has that word. */
const hasOwnTails = (known: KnownNames, { distinctKey, tails }: NameKeys, name: KnownName): boolean =>
	known.distinctiveWords.has(distinctKey) ||
	tails.every((tail) => !distinctiveTails.has(tail) || name.tails.includes(tail));

function decide(bearers: Bearer[], name: NameKeys, isPowerList: boolean): Resolution {
	const review = (reason: "ambiguous" | "tie"): Resolution => {
		const alike = bearers.map((bearer) => ({ name: bearer.name, jaroWinkler: 1, trigram: 1 }));
		return { kind: "review", candidates: candidatesOf(alike), reason, ...shellFacts(name) };
	};
	if (new Set(bearers.map((bearer) => bearer.name.developer.id)).size > 1) return review("tie");
	const [closest] = bearers.toSorted((a, b) => rankSimilarity(b.name, name) - rankSimilarity(a.name, name));
	if (closest === undefined) return review("ambiguous");
	const isOrdinary = closest.name.ambiguous;
	// "Matrix LLC" may be any company and "EQT Corp" drills for gas, but AES itself is called "AES Corp". Plain "Constellation" in a list of
	// plant owners is the power company.
	const isCalledSo = bearers.some((bearer) => !bearer.name.ambiguous && sharesTail(bearer.name, name));
	if (isOrdinary && !isCalledSo && (!isPowerList || name.tails.length > 0)) return review("ambiguous");
	const method = closest.name.isCanonical ? "developer_exact" : "developer_alias";
	return matchOf(closest.name, closest.isExact ? method : "developer_distinct");
}

const sharesTail = (known: KnownName, name: NameKeys): boolean => name.tails.some((tail) => known.tails.includes(tail));

/** Ranks the known names to be shown for `name`: first the canonical one, then one with the same tails, then one without tails. */
function rankSimilarity(known: KnownName, name: NameKeys): number {
	if (known.isCanonical) return 3;
	if (known.tails.join() === name.tails.join()) return 2;
	return known.tails.length === 0 ? 1 : 0;
}

/** Step 2: the same name apart from generic words, if these cannot mean another company. */
function matchWithoutGeneric(known: KnownNames, name: NameKeys): Resolution | undefined {
	const { distinctKey } = name;
	if (distinctKey.length < 5) return undefined;
	const bearers = known.byDistinctKey.get(distinctKey) ?? [];
	if (new Set(bearers.map((bearer) => bearer.developer.id)).size !== 1) return undefined;
	const isBrand = known.distinctiveWords.has(distinctKey);
	const mayDiffer = mentionsAny(name.words, contextWords);
	const found = bearers.find((bearer) => {
		const { ambiguous, generic } = bearer;
		if (ambiguous || !hasOwnTails(known, name, bearer)) return false;
		if (isBrand || generic.join(" ") === name.generic.join(" ")) return true;
		return mayDiffer && distinctKey.includes(" ") && differOnlyLoosely(name.generic, generic);
	});
	return found && matchOf(found, "developer_distinct");
}

/** Step 3: a sponsor's word at the start of the name. */
function matchSponsor(known: KnownNames, name: NameKeys, isPowerList: boolean): Resolution | undefined {
	const match = matchPrefix(known, name, isPowerList);
	if (match === undefined) return undefined;
	const { developer, text } = match.prefix;
	if (!match.isSure) return reviewOne(name, developer, text, "alike");
	const method = match.mistyped ? "developer_fuzzy" : "developer_prefix";
	return { ...matchOf({ developer, text }, method), ...shellFacts(name) };
}

/** Step 4: a similar name, accepted as a typing error or left to a person. */
function matchFuzzily(name: NameKeys, alike: FuzzyMatch[]): Resolution | undefined {
	const [first, second] = alike;
	if (first === undefined) return undefined;
	const isTie = second !== undefined && first.jaroWinkler - second.jaroWinkler <= tieWithin;
	if (!isTie && isSlip(name, first)) return matchOf(first.name, "developer_fuzzy");
	return { kind: "review", candidates: candidatesOf(alike), reason: isTie ? "tie" : "alike", ...shellFacts(name) };
}

/** If a name points abroad and the developer's names do not, it probably belongs to a foreign sister company, so a person must decide. */
function reviewIfAbroad(
	known: KnownNames,
	name: NameKeys,
	found: Resolution,
	how: Parameters<typeof isAbroad>[2],
): Resolution {
	if (found.kind !== "matched") return found;
	const words = [name.words, ...name.alternates.map((part) => normaliseName(part).words)];
	const own = known.wordsById.get(found.developerId) ?? new Set();
	if (!words.some((part) => isAbroad(part, own, how))) return found;
	return reviewOne(name, { id: found.developerId, canonical: found.canonical }, found.matchedText, "ambiguous");
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

function candidatesOf(alike: FuzzyMatch[]): ReviewCandidate[] {
	const found = new Map<number, ReviewCandidate>();
	for (const { name, jaroWinkler, trigram } of alike) {
		const { id, canonical } = name.developer;
		if (!found.has(id)) found.set(id, { developerId: id, canonical, jaroWinkler, trigram });
	}
	return [...found.values()].slice(0, maxCandidates);
}
