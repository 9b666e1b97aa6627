/** The watchlist of the requests that an account watches individually. It is found by its name. */
import type { Reply } from "#libs/contract/index.ts";
import { callAs, readAs } from "../api/request.ts";

export const listsPath = "/watchlists?per_page=200";
const listName = "Watched requests";

const watchedList = (watchlists: Reply<"listWatchlists"> | undefined) =>
	watchlists?.data.find(({ name }) => name === listName);

/** IDs of the watched requests. */
export function watchedIds(watchlists: Reply<"listWatchlists"> | undefined): string[] {
	const id = watchedList(watchlists)?.filters.id;
	return Array.isArray(id) ? id.map(String) : [];
}

/**
 * Adds a request to the watched requests, or removes it. The watchlist is read again first, because another tab may have changed it. Returns the ID
 * of the watchlist; undefined if no request is watched.
 */
export async function setWatched(id: string, isWatched: boolean, key: string): Promise<number | undefined> {
	const watchlists = await readAs("listWatchlists", listsPath, key);
	const ids = watchedIds(watchlists);
	const list = watchedList(watchlists);
	if (ids.includes(id) === isWatched) return list?.watchlist_id;
	const next = isWatched ? [...ids, id] : ids.filter((one) => one !== id);
	const filters = { id: next, population: "all", include_unlisted: true };
	const path = `/watchlists/${list?.watchlist_id}`;
	if (list === undefined) {
		const call = { method: "POST", key, body: { name: listName, filters } };
		return (await callAs("createWatchlist", "/watchlists", call)).watchlist_id;
	}
	if (next.length > 0) await callAs("changeWatchlist", path, { method: "PATCH", key, body: { filters } });
	else await callAs("deleteWatchlist", path, { method: "DELETE", key });
	return next.length > 0 ? list.watchlist_id : undefined;
}

export interface MailChoice {
	/** Empty if no mails are wanted. */
	email: string;
	isDaily: boolean;
}

/** Creates a webhook that mails the changes of a watchlist, if an address is given and there is no such webhook yet. */
export async function mailChanges(watchlist_id: number, { email, isDaily }: MailChoice, key: string): Promise<void> {
	if (email.trim() === "") return;
	const url = `mailto:${email.trim()}`;
	const { data } = await readAs("listWebhooks", "/webhooks?per_page=200", key);
	if (data.some((each) => each.url === url && each.watchlist_id === watchlist_id)) return;
	const body = { url, watchlist_id, digest: isDaily ? "daily" : null };
	await callAs("createWebhook", "/webhooks", { method: "POST", key, body });
}
