/**
 * Where the pages of recent lists begin, so that who reads on, or turns to a page far back, does not have everything before it walked
 * through again. True for one data version: a list that has moved is begun anew.
 */
import { keepRecent } from "#libs/contract/keep-recent.ts";

/** `After` is what the row before a page's first is found by in the order of the list. */
export interface Start<After> {
	page: number;
	after: After;
}

interface List<After> {
	version: number;
	/** By page. */
	starts: Map<number, After>;
}

/** Most lists, and most pages of one: an entry is about a hundred bytes. */
const most = { lists: 500, pages: 2_000 };
/** So far back a known page is looked for. */
const reach = 100;

export class PageStarts<After> {
	readonly #lists = new Map<string, List<After>>();

	/** The nearest known beginning at or before a page, and of which version; undefined where the list's own is as near. */
	before(list: string, page: number): (Start<After> & { version: number }) | undefined {
		const known = this.#lists.get(list);
		if (known === undefined) return undefined;
		for (let at = page; at > Math.max(1, page - reach); at--) {
			const after = known.starts.get(at);
			if (after !== undefined) return { page: at, after, version: known.version };
		}
		return undefined;
	}

	set(list: string, version: number, { page, after }: Start<After>): void {
		const known = this.#lists.get(list);
		const kept = known?.version === version ? known : { version, starts: new Map<number, After>() };
		keepRecent(kept.starts, page, after, most.pages);
		keepRecent(this.#lists, list, kept, most.lists);
	}
}
