/**
 * Where pages of recent lists begin, so that who reads on, or turns to a page far back, does not have everything before it walked
 * through again. True for one data version: a list that has moved is begun anew.
 */
import { keepRecent } from "#libs/contract/keep-recent.ts";

/** A place in a list: so many rows are before it, the last of which is found by `after` in the order of the list. */
export type Start<After> = [row: number, after: After];

interface List<After> {
	version: number;
	/** By rows before it. */
	starts: Map<number, After>;
}

/** Most lists, and most places in one: an entry is about a hundred bytes. */
const most = { lists: 500, starts: 2_000 };

export class PageStarts<After> {
	readonly #lists = new Map<string, List<After>>();

	/** The last known place with at most so many rows before it, and of which version; undefined where the list's own beginning is as near. */
	before(list: string, row: number): { start: Start<After>; version: number } | undefined {
		const known = this.#lists.get(list);
		if (known === undefined) return undefined;
		let start: Start<After> | undefined;
		for (const [at, after] of known.starts) if (at <= row && at > (start?.[0] ?? 0)) start = [at, after];
		return start && { start, version: known.version };
	}

	set(list: string, version: number, starts: readonly Start<After>[]): void {
		const known = this.#lists.get(list);
		const kept = known?.version === version ? known : { version, starts: new Map<number, After>() };
		for (const [row, after] of starts) keepRecent(kept.starts, row, after, most.starts);
		keepRecent(this.#lists, list, kept, most.lists);
	}
}
