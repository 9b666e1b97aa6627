/** Names by their words, so that one pass over a text finds the longest one at each place. */
import type { NameToken } from "./name-tokens.ts";

interface Node<T> {
	next: Map<string, Node<T>>;
	values: T[];
}

export interface Span<T> {
	/** What was added under these words, in that order. */
	values: T[];
	/** Places in the list of tokens; `to` is the first one behind the name. */
	from: number;
	to: number;
}

export class NameTrie<T> {
	readonly #root: Node<T> = { next: new Map(), values: [] };

	add(words: readonly string[], value: T): void {
		if (words.length === 0) return;
		let node = this.#root;
		for (const word of words) {
			const next = node.next.get(word) ?? { next: new Map(), values: [] };
			node.next.set(word, next);
			node = next;
		}
		node.values.push(value);
	}

	/** All names that begin at `from`, the longest one first. */
	at(tokens: readonly NameToken[], from: number): Span<T>[] {
		const spans: Span<T>[] = [];
		let node: Node<T> | undefined = this.#root;
		for (let to = from; node !== undefined; to++) {
			if (node.values.length > 0) spans.unshift({ values: node.values, from, to });
			node = node.next.get(tokens[to]?.key ?? "");
		}
		return spans;
	}
}
