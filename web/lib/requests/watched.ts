/** The watchlist of an account that has single requests, by its name. */
import type { Reply } from "#libs/contract/index.ts";
import { callAs, readAs } from "../api/request.ts";

export const listsPath = "/watchlists?per_page=200";
const listName = "Watched requests";

const watchedList = (watchlists: Reply<"listWatchlists"> | undefined) =>
	watchlists?.data.find(({ name }) => name === listName);

/** Ids of the watched requests. */
export function watchedIds(watchlists: Reply<"listWatchlists"> | undefined): string[] {
	const id = watchedList(watchlists)?.filters.id;
	return Array.isArray(id) ? id.map(String) : [];
}

/** Adds a request to the watched ones, or removes it. Reads the watchlist again, because another tab may have changed it. */
export async function setWatched(id: string, isWatched: boolean, key: string): Promise<void> {
	const watchlists = await readAs("listWatchlists", listsPath, key);
	const ids = watchedIds(watchlists);
	if (ids.includes(id) === isWatched) return;
	const next = isWatched ? [...ids, id] : ids.filter((one) => one !== id);
	const filters = { id: next, population: "all", include_unlisted: true };
	const list = watchedList(watchlists);
	const path = `/watchlists/${list?.watchlist_id}`;
	if (list === undefined)
		await callAs("createWatchlist", "/watchlists", { method: "POST", key, body: { name: listName, filters } });
	else if (next.length === 0) await callAs("deleteWatchlist", path, { method: "DELETE", key });
	else await callAs("changeWatchlist", path, { method: "PATCH", key, body: { filters } });
}
