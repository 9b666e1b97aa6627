import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useKey } from "../../lib/api/key.ts";
import { callAs, readAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useRead } from "../../lib/api/use-read.tsx";

/** The watchlist of the account that this button adds to, by its name. */
const listName = "Watched requests";

/** Adds the request to a watchlist of the account, or removes it. */
export function Watch({ id }: { id: string }) {
	const key = useKey()?.key;
	const [isAsked, setAsked] = useState(false);
	if (key !== undefined) return <WatchAs id={id} apiKey={key} />;
	return (
		<>
			<button type="button" class="plain" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
				Watch
			</button>
			{isAsked && (
				<span role="status">
					Watching needs an account: <a href="/account">get a free key or enter yours</a>, then come back.
				</span>
			)}
		</>
	);
}

function WatchAs({ id, apiKey: key }: { id: string; apiKey: string }) {
	const [times, setTimes] = useState(0);
	const action = useAction();
	const state = useRead(`${key} ${times}`, (signal) =>
		readAs("listWatchlists", "/watchlists?per_page=200", key, signal),
	);
	const list = state.data?.data.find(({ name }) => name === listName);
	const ids = idsOf(list);
	const isWatched = ids.includes(id);
	const toggle = async () => {
		await action.run(() => save(isWatched ? ids.filter((one) => one !== id) : [...ids, id]));
		setTimes(times + 1);
	};
	const save = (next: string[]): Promise<unknown> => {
		const filters = { id: next, population: "all", include_unlisted: true };
		if (list === undefined)
			return callAs("createWatchlist", "/watchlists", { method: "POST", key, body: { name: listName, filters } });
		const path = `/watchlists/${list.watchlist_id}`;
		return next.length === 0
			? callAs("deleteWatchlist", path, { method: "DELETE", key })
			: callAs("changeWatchlist", path, { method: "PATCH", key, body: { filters } });
	};
	return (
		<>
			<button
				type="button"
				class="plain"
				aria-pressed={isWatched}
				disabled={action.isBusy || state.data === undefined}
				onClick={toggle}
			>
				{isWatched ? "Watched" : "Watch"}
			</button>
			{isWatched && <a href="/account#watchlists">What changed</a>}
			<Problem action={action} />
		</>
	);
}

function idsOf(list: Reply<"listWatchlists">["data"][number] | undefined): string[] {
	const id = list?.filters.id;
	return Array.isArray(id) ? id.map(String) : [];
}
