/** Words that an operator files and no table of its adapter knows: what a person said that they mean. Pure. */
import { technologyParts } from "#libs/contract/vocabulary.ts";
import { known } from "#libs/files/values.ts";
import { standardTechnology } from "./technology.ts";

/** The words of a column that an adapter knows, folded: a Map or a Set of them. */
export interface KnownWords {
	has(word: string): boolean;
	keys(): Iterable<string>;
}

/** By the name under which the adapter counts unknown words; `technology`: one vocabulary for all operators. */
export type WordsByField = Readonly<Record<string, KnownWords | "technology">>;

/** A word that is read as another one, which the adapter knows. */
export interface MappedWord {
	id: number;
	field: string;
	/** As filed. */
	word: string;
	/** The known word, or of a technology the standard one. */
	means: string;
	author: string;
	/** `YYYY-MM-DD` on which it was said. */
	on: string;
}

/** A mapping as applied to a list. */
export interface ReadWord extends MappedWord {
	/** Rows. */
	count: number;
}

/** Is `means` a word that can be mapped to? Empty words are none: an empty cell says nothing. */
export function isTarget(words: KnownWords | "technology", means: string): boolean {
	if (known(means) === null) return false;
	if (words !== "technology") return words.has(means.toLowerCase());
	const { typeStd, unknown } = standardTechnology(means);
	return unknown.length === 0 && typeStd !== "Unknown";
}

/** Describes the values that an unknown one can be mapped to. */
export function targetsOf(words: KnownWords | "technology"): string[] {
	if (words === "technology") return technologyParts.filter((part) => part !== "Unknown");
	return [...words.keys()].filter((word) => word !== "").sort();
}
