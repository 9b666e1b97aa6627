/** The names of developers and projects, in a trie of words. Pure. */
import type { KnownDeveloper as NamedDeveloper } from "#libs/names/known-names.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { facilityWords, genericWords, legalForms, phaseWords, states, technologyWords } from "#libs/names/words.ts";

export type KnownDeveloper = Omit<NamedDeveloper, "prefixes">;

export interface KnownProject {
	name: string;
	developerId: number;
}

export interface FindableName {
	developerId: number;
	kind: "company" | "project";
	/** The words as spelled in the list of developers; their case matters. */
	words: readonly NameToken[];
	/** The folded words (see `NameToken.key`), joined by spaces. */
	key: string;
	ambiguous: boolean;
	/** Whether any word is neither a state nor common in this field. False for "Georgia Power". */
	distinctive: boolean;
}

/** Indexes the names of developers and projects. Names of companies are added before names of projects. */
export function indexNames(developers: readonly KnownDeveloper[], projects: readonly KnownProject[]): NameTrie {
	const names = new NameTrie();
	const add = (text: string, name: Pick<FindableName, "developerId" | "kind" | "ambiguous">): void => {
		const words = tokenizeNames(text);
		const keys = words.map(({ key }) => key);
		if (keys.includes("")) return;
		const distinctive = keys.some((key) => !isCommon(key));
		if (name.kind === "project" && (keys.length < 2 || !distinctive)) return;
		names.add(keys, { ...name, words, key: keys.join(" "), distinctive });
	};
	for (const { id, canonical, ambiguous, aliases } of developers) {
		for (const name of [{ alias: canonical, ambiguous }, ...aliases])
			add(name.alias, { developerId: id, kind: "company", ambiguous: name.ambiguous });
	}
	for (const { name, developerId } of projects) {
		for (const text of spellingsOf(name)) add(text, { developerId, kind: "project", ambiguous: false });
	}
	return names;
}

/** Returns the name as filed, and without its legal form: "Blue Jay Solar II, LLC" and "Blue Jay Solar II". */
function spellingsOf(project: string): string[] {
	const withoutForm = project.replace(/,? ?\b(?:LLC|L\.L\.C\.|Inc\.?|LP|L\.P\.)$/i, "").trim();
	return withoutForm === project ? [project] : [project, withoutForm];
}

const stateWords = new Set([...states.values()].flatMap((state) => state.split(" ")));
const directionWords = new Set(
	"south east west northern southern eastern western central county city offshore onshore".split(" "),
);

function isCommon(key: string): boolean {
	const lists = [genericWords, technologyWords, facilityWords, phaseWords, legalForms, stateWords, directionWords];
	return /^(?:\d{1,4}|[ivx]+|[a-e]|and|of|the|s)$/.test(key) || lists.some((list) => list.has(key));
}

/** The name without its legal form: "invenergy" for "invenergy llc". */
export const withoutLegalForm = (organization: string): string => normaliseName(organization).fullKey;

interface Node {
	next: Map<string, Node>;
	values: FindableName[];
}

/** Positions of a name in the list of tokens. `to` is the first one after the name. */
export interface TokenRange {
	from: number;
	to: number;
}

interface Span extends TokenRange {
	values: FindableName[];
}

export class NameTrie {
	readonly #root: Node = { next: new Map(), values: [] };

	add(words: readonly string[], value: FindableName): void {
		if (words.length === 0) return;
		let node = this.#root;
		for (const word of words) {
			const next = node.next.get(word) ?? { next: new Map(), values: [] };
			node.next.set(word, next);
			node = next;
		}
		node.values.push(value);
	}

	/** Returns all names that begin at `from`, the longest first. */
	findFrom(tokens: readonly NameToken[], from: number): Span[] {
		const spans: Span[] = [];
		let node: Node | undefined = this.#root;
		for (let to = from; node !== undefined; to++) {
			if (node.values.length > 0) spans.unshift({ values: node.values, from, to });
			node = node.next.get(tokens[to]?.key ?? "");
		}
		return spans;
	}
}

export interface NameToken {
	text: string;
	/** Folded: lower case, without diacritics, "&" as "and". */
	key: string;
	start: number;
	end: number;
}

/** Splits a text into words. The keys for "Ørsted's 600MW" are orsted, s and 600mw. */
export function tokenizeNames(text: string): NameToken[] {
	return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+|&/gu), ({ 0: word, index }) => ({
		text: word,
		key: keyOf(word),
		start: index,
		end: index + word.length,
	}));
}

function keyOf(word: string): string {
	if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase();
	return word === "&" ? "and" : normaliseName(word).words.join("");
}
