import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useKey } from "../../lib/api/key.ts";
import { readAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useOperation, useRead } from "../../lib/api/use-read.tsx";
import { listsPath, setWatched, watchedIds } from "../../lib/requests/watched.ts";
import { safeText } from "../../lib/text/format.ts";
import { Facts } from "./facts.tsx";
import { PlaceMap } from "./place-map.tsx";

type Project = Reply<"getProject">;

/** The facts that lenders read first, on one screen: status, chance, dates, companies and location. */
export const Summary = ({ project, as_of }: { project: Project; as_of: string | undefined }) => (
	<div class="summary">
		<div>
			<Facts project={project} as_of={as_of} />
			<Source project={project} as_of={as_of} />
			{as_of === undefined && (
				<div class="toolbar">
					<Watch id={project.id} />
					<a href={`/projects/compare?ids=${encodeURIComponent(project.id)}`}>Compare with another</a>
					<a href="#history">History</a>
				</div>
			)}
		</div>
		<PlaceMap project={project} as_of={as_of} />
	</div>
);

/** Shows the operator's list that contains the request, and the file that was read. */
function Source({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const path = `/projects/${encodeURIComponent(project.id)}/provenance`;
	const origin = useOperation("getProjectProvenance", path, { field: "queue_id", as_of });
	const catalog = useOperation("getDataCatalog", "/catalog/data");
	const list = catalog.data?.datasets.flatMap(({ sources }) => sources).find(({ source }) => source === project.feed);
	const file = origin.data?.files[0];
	return (
		<p class="soft listed-in">
			{file && (
				<>
					Listed in <Linked text={safeText(file.name, 80)} address={file.url} /> of {file.as_of.slice(0, 10)}
				</>
			)}
			{file && list && (
				<>
					, from <Linked text={list.title} address={list.url} /> ({list.publisher})
				</>
			)}
		</p>
	);
}

/** A link to an external site, or plain text if there is no URL. */
const Linked = ({ text, address }: { text: string; address: string | null }): ComponentChildren =>
	address !== null && /^https?:/.test(address) ? <a href={address}>{text}</a> : text;

/** A button that adds the request to the account's watched requests, or removes it. */
function Watch({ id }: { id: string }) {
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
