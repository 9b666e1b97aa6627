/** The names that a finder looks for, as words with what must hold where one is found. Pure. */
import type { KnownDeveloper as NamedDeveloper } from "#libs/names/known-names.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { facilityWords, genericWords, legalForms, phaseWords, states, technologyWords } from "#libs/names/words.ts";
import { type NameToken, nameTokens } from "./name-tokens.ts";
import { NameTrie } from "./name-trie.ts";

export type KnownDeveloper = Omit<NamedDeveloper, "prefixes">;

export interface KnownProject {
	name: string;
	developerId: number;
}

export interface FindableName {
	developerId: number;
	kind: "company" | "project";
	/** As the list of developers writes it: its capitals count. */
	words: readonly NameToken[];
	/** The words as compared, joined by blanks. */
	key: string;
	ambiguous: boolean;
	/** Is one of its words neither a state nor common in this field? Not so "Georgia Power". */
	distinctive: boolean;
}

/** Company names first, so that they win where a project is called alike. */
export function findableNames(
	developers: readonly KnownDeveloper[],
	projects: readonly KnownProject[],
): NameTrie<FindableName> {
	const names = new NameTrie<FindableName>();
	const add = (text: string, name: Pick<FindableName, "developerId" | "kind" | "ambiguous">): void => {
		const words = nameTokens(text);
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

/** A project as filed, and without the tail that no headline writes: "Blue Jay Solar II, LLC" > "Blue Jay Solar II". */
function spellingsOf(project: string): string[] {
	const short = project.replace(/,? ?\b(?:LLC|L\.L\.C\.|Inc\.?|LP|L\.P\.)$/i, "").trim();
	return short === project ? [project] : [project, short];
}

const stateWords = new Set([...states.values()].flatMap((state) => state.split(" ")));
const compass = new Set([
	"south",
	"east",
	"west",
	"northern",
	"southern",
	"eastern",
	"western",
	"central",
	"county",
	"city",
]);

function isCommon(key: string): boolean {
	const lists = [genericWords, technologyWords, facilityWords, phaseWords, legalForms, stateWords, compass];
	return /^(?:\d{1,4}|[ivx]+|[a-e]|and|of|the|s)$/.test(key) || lists.some((list) => list.has(key));
}

/** Legal tails off, as a list of organisations writes names: "invenergy llc" > "invenergy". */
export const withoutTail = (organization: string): string => normaliseName(organization).fullKey;
