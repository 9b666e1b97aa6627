/** Finds the known developers that an article is about, each with a confidence. Pure. */
import type { NewsSubject } from "#libs/contract/vocabulary.ts";
import type { Article } from "../records/records.ts";
import { type Headline, isCompany } from "./company-sense.ts";
import {
	type FindableName,
	indexNames,
	type KnownDeveloper,
	type KnownProject,
	type NameToken,
	type NameTrie,
	type TokenRange,
	tokenizeNames,
	withoutLegalForm,
} from "./known-names.ts";
import { commodityWords, contextWords, isMisleading, trustedDomains, venueWords } from "./name-context.ts";
import { tidyTitle, withoutOutlet } from "./title.ts";
import { isNewsFromAbroad, isWorldwideName, subjectOf } from "./worldwide-groups.ts";

export interface FoundDeveloper {
	developerId: number;
	canonical: string;
	matchedOn: "title" | "url" | "title_project" | "organizations" | "body";
	confidence: number;
	matchedText: string;
	subject: NewsSubject;
}

export type Findable = Pick<Article, "title" | "url" | "domain" | "organizations" | "snippet">;

interface Finder {
	/** Returns the developers in the order in which they were found: headline, URL, organizations, snippet. Never throws. */
	find(article: Findable): FoundDeveloper[];
}

const confidenceOf = { named: 0.9, inContext: 0.75, url: 0.7, project: 0.6, organization: 0.6, body: 0.5 } as const;
/** A headline that names more developers is a round-up. */
const maxDevelopers = 3;
const roundUpConfidence = 0.5;
/** Maximum confidence in a worldwide group's name in news from abroad (`isNewsFromAbroad`). */
const abroadConfidence = 0.5;

/** Limits on what is read: lengths in UTF-16 units, and entries. */
const longestUrl = 2_000;
const longestSnippet = 2_000;
const longestOrganization = 200;
const maxOrganizations = 100;

/** Ignores projects with common names ("Solar Project 2", "Texas Wind"). */
export function createFinder(developers: readonly KnownDeveloper[], projects: readonly KnownProject[] = []): Finder {
	const names = indexNames(developers, projects);
	const canonicals = new Map(developers.map(({ id, canonical }) => [id, canonical]));
	return {
		find(article) {
			const developers = new Map<number, Omit<FoundDeveloper, "subject">>();
			const add = ({ developerId }: FindableName, evidence: MatchEvidence): void => {
				const canonical = canonicals.get(developerId);
				if (canonical === undefined || (developers.get(developerId)?.confidence ?? 0) >= evidence.confidence) return;
				developers.set(developerId, { developerId, canonical, ...evidence });
			};
			findInTitle(names, article, add);
			findInUrl(names, article.url, add);
			findInOrganizations(names, article.organizations, add);
			findInSnippet(names, article.snippet ?? "", add);
			const title = withoutOutlet(tidyTitle(article.title), article.domain);
			const subjects = [...developers.values()].map((one) => ({ ...one, subject: subjectOf(one, title) }));
			return limitRoundUps(limitForeignNews(subjects, title));
		},
	};
}

type MatchEvidence = Omit<FoundDeveloper, "developerId" | "canonical" | "subject">;
type AddMatch = (name: FindableName, matched: MatchEvidence) => void;

function limitRoundUps(developers: FoundDeveloper[]): FoundDeveloper[] {
	if (developers.length <= maxDevelopers) return developers;
	return developers.map((one) => ({ ...one, confidence: Math.min(one.confidence, roundUpConfidence) }));
}

/** Limits the confidence in worldwide names if the news is from abroad, even for matches of the URL, because it repeats the headline. */
function limitForeignNews(developers: FoundDeveloper[], title: string): FoundDeveloper[] {
	if (!developers.some(({ matchedText }) => isWorldwideName(matchedText))) return developers;
	if (!isNewsFromAbroad(tokenizeNames(title))) return developers;
	return developers.map((one) =>
		isWorldwideName(one.matchedText) ? { ...one, confidence: Math.min(one.confidence, abroadConfidence) } : one,
	);
}

function findInTitle(names: NameTrie, article: Findable, add: AddMatch): void {
	const title = withoutOutlet(tidyTitle(article.title), article.domain);
	const tokens = tokenizeNames(title);
	const isTrustedOutlet = isTrusted(article.domain);
	const headline = describeHeadline(title, tokens, names);
	const isMeant = (name: FindableName, span: TokenRange): boolean =>
		meansCompany(name, span, tokens, isTrustedOutlet) && (!needsEvidence(name) || isCompany(name.key, span, headline));
	for (const { name, span } of findNames(names, tokens, isMeant)) {
		const matchedText = textOf(title, tokens, span);
		if (name.kind === "project")
			add(name, { matchedOn: "title_project", confidence: confidenceOf.project, matchedText });
		else {
			const confidence = name.ambiguous ? confidenceOf.inContext : confidenceOf.named;
			add(name, { matchedOn: "title", confidence, matchedText });
		}
	}
}

/** Accepts only unambiguous names, because a slug has neither capitals nor punctuation. */
function findInUrl(names: NameTrie, url: string, add: AddMatch): void {
	const slug = slugOf(url);
	const tokens = tokenizeNames(slug);
	const isUnambiguous = (name: FindableName): boolean =>
		name.kind === "company" && !name.ambiguous && name.distinctive && !isShortAcronym(name);
	const isMeant = (name: FindableName, span: TokenRange): boolean =>
		isUnambiguous(name) && isWholeName(name, span, tokens);
	for (const { name, span } of findNames(names, tokens, isMeant))
		add(name, { matchedOn: "url", confidence: confidenceOf.url, matchedText: textOf(slug, tokens, span) });
}

/** Each organization is a complete name, often in lower case. */
function findInOrganizations(names: NameTrie, organizations: readonly string[], add: AddMatch): void {
	for (const organization of organizations.slice(0, maxOrganizations)) {
		const text = organization.slice(0, longestOrganization);
		for (const spelling of [text, withoutLegalForm(text)]) {
			const tokens = tokenizeNames(spelling);
			const whole = names.findFrom(tokens, 0).find(({ to }) => to === tokens.length);
			const name = whole && soleOwner(whole.values.filter(({ kind, ambiguous }) => kind === "company" && !ambiguous));
			if (name)
				add(name, { matchedOn: "organizations", confidence: confidenceOf.organization, matchedText: text.trim() });
		}
	}
}

function findInSnippet(names: NameTrie, snippet: string, add: AddMatch): void {
	const text = snippet.slice(0, longestSnippet);
	const tokens = tokenizeNames(text);
	const isUnambiguous = (name: FindableName): boolean => name.kind === "company" && !name.ambiguous;
	const isMeant = (name: FindableName, span: TokenRange): boolean =>
		isUnambiguous(name) && meansCompany(name, span, tokens, false);
	for (const { name, span } of findNames(names, tokens, isMeant))
		add(name, { matchedOn: "body", confidence: confidenceOf.body, matchedText: textOf(text, tokens, span) });
}

/** Ambiguous acronyms need no further evidence: they match only in capitals, in which common words are not written. */
const needsEvidence = (name: FindableName): boolean => name.ambiguous && !isShortAcronym(name);

function describeHeadline(text: string, tokens: readonly NameToken[], names: NameTrie): Headline {
	const isUnambiguous = (name: FindableName, span: TokenRange): boolean =>
		name.kind === "company" && (!name.ambiguous || isShortAcronym(name)) && isWrittenAs(name, span, tokens);
	const spans = findNames(names, tokens, isUnambiguous).map(({ span }) => span);
	const starts = new Set(spans.map(({ from }) => from));
	const ends = new Set(spans.map(({ to }) => to - 1));
	return { text, tokens, nameBegins: (at) => starts.has(at), nameEnds: (at) => ends.has(at) };
}

/** Finds the longest accepted name at each position. Names do not overlap. */
function findNames(
	names: NameTrie,
	tokens: readonly NameToken[],
	isMeant: (name: FindableName, span: TokenRange) => boolean,
): { name: FindableName; span: TokenRange }[] {
	const matches: { name: FindableName; span: TokenRange }[] = [];
	for (let from = 0; from < tokens.length; from++) {
		for (const span of names.findFrom(tokens, from)) {
			const name = soleOwner(span.values.filter((value) => isMeant(value, span)));
			if (name === null) continue;
			matches.push({ name, span });
			from = span.to - 1;
			break;
		}
	}
	return matches;
}

/** Returns the name if only one developer has it, otherwise null ("IPL", "PGE"). Companies take precedence over projects. */
function soleOwner(values: readonly FindableName[]): FindableName | null {
	const companies = values.filter(({ kind }) => kind === "company");
	const candidates = companies.length > 0 ? companies : values;
	const first = candidates.find(({ ambiguous }) => !ambiguous) ?? candidates[0];
	return first && candidates.every(({ developerId }) => developerId === first.developerId) ? first : null;
}

function meansCompany(
	name: FindableName,
	span: TokenRange,
	tokens: readonly NameToken[],
	isTrustedOutlet: boolean,
): boolean {
	if (!isWrittenAs(name, span, tokens) || !isWholeName(name, span, tokens)) return false;
	if (!name.ambiguous) return true;
	const wordBefore = tokens[span.from - 1]?.key;
	return wordBefore !== "a" && wordBefore !== "an" && (isTrustedOutlet || hasContext(span, tokens));
}

function isWholeName(name: FindableName, span: TokenRange, tokens: readonly NameToken[]): boolean {
	const next = tokens[span.to]?.key ?? "";
	if (venueWords.has(next) || (!name.distinctive && commodityWords.has(next))) return false;
	return !isMisleading(name.key, span, tokens);
}

/** Acronyms must be in capitals ("AES"), other names capitalized ("Pattern", "Georgia Power"). */
function isWrittenAs(name: FindableName, span: TokenRange, tokens: readonly NameToken[]): boolean {
	return name.words.every(({ text }, at) => {
		const spelling = tokens[span.from + at]?.text ?? "";
		if (isAcronym(text)) return spelling === text;
		return !/^\p{Lu}/u.test(text) || /^\p{Lu}/u.test(spelling);
	});
}

const isAcronym = (word: string): boolean => /^[A-Z][A-Z0-9]{1,3}$/.test(word);
const isShortAcronym = ({ words }: FindableName): boolean =>
	words.length === 1 && words.every(({ text }) => isAcronym(text));

/** Whether a word or a capacity outside the name shows that the headline is about energy. */
function hasContext(span: TokenRange, tokens: readonly NameToken[]): boolean {
	return tokens.some(({ key }, at) => {
		if (at >= span.from && at < span.to) return false;
		if (key === "power" && tokens[at + 1]?.key.startsWith("plant")) return true;
		return contextWords.has(key) || /^\d+[mg]wh?$/.test(key);
	});
}

function isTrusted(domain: string): boolean {
	const labels = domain.toLowerCase().split(".");
	return labels.some((_, at) => trustedDomains.has(labels.slice(at).join(".")));
}

function slugOf(url: string): string {
	if (url.length > longestUrl || !URL.canParse(url)) return "";
	return new URL(url).pathname.replace(/%[\da-f]{2}|[^\p{L}\p{N}]+/giu, " ").trim();
}

function textOf(text: string, tokens: readonly NameToken[], { from, to }: TokenRange): string {
	return text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
}
