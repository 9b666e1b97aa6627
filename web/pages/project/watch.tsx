import { useState } from "preact/hooks";
import { useKey } from "../../lib/api/key.ts";
import { readAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useRead } from "../../lib/api/use-read.tsx";
import { listsPath, setWatched, watchedIds } from "../../lib/requests/watched.ts";

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
	const state = useRead(`${key} ${times}`, (signal) => readAs("listWatchlists", listsPath, key, signal));
	const isWatched = watchedIds(state.data).includes(id);
	const toggle = async () => {
		await action.run(() => setWatched(id, !isWatched, key));
		setTimes(times + 1);
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
