/** The watchlist of an account that has single requests, by its name. */
import type { Reply } from "#libs/contract/index.ts";
import { callAs } from "../api/request.ts";

const listName = "Watched requests";

/** Ids of the watched requests, and a function that replaces them. */
export function watchedOf(watchlists: Reply<"listWatchlists"> | undefined, key: string) {
	const list = watchlists?.data.find(({ name }) => name === listName);
	const id = list?.filters.id;
	const save = (next: string[]): Promise<unknown> => {
		const filters = { id: next, population: "all", include_unlisted: true };
		if (list === undefined)
			return callAs("createWatchlist", "/watchlists", { method: "POST", key, body: { name: listName, filters } });
		const path = `/watchlists/${list.watchlist_id}`;
		return next.length === 0
			? callAs("deleteWatchlist", path, { method: "DELETE", key })
			: callAs("changeWatchlist", path, { method: "PATCH", key, body: { filters } });
	};
	return { ids: Array.isArray(id) ? id.map(String) : [], save };
}
