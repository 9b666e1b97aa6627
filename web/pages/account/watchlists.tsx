import { useId, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs, read, readAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { ago, count, filed, words } from "../../lib/text/format.ts";
import type { List } from "./items.tsx";
import { Item } from "./items.tsx";

type Watchlist = Reply<"listWatchlists">["data"][number];

/** Filters that are kept, and what changed in the requests that they choose. */
export function Watchlists({ apiKey, list }: { apiKey: string; list: List<"listWatchlists"> }) {
	return (
		<section aria-labelledby="watchlists">
			<h2 id="watchlists">Watchlists</h2>
			<Failed state={list.state} />
			{list.state.data?.data.length === 0 && <p class="soft">None yet.</p>}
			<ul class="items">
				{list.state.data?.data.map((watchlist) => (
					<Row key={watchlist.watchlist_id} watchlist={watchlist} apiKey={apiKey} again={list.again} />
				))}
			</ul>
			<New apiKey={apiKey} again={list.again} />
		</section>
	);
}

interface RowProps {
	watchlist: Watchlist;
	apiKey: string;
	again(): void;
}

function Row({ watchlist, apiKey, again }: RowProps) {
	const { watchlist_id, name, filters, requests, created_at, expires_at } = watchlist;
	const expiry = expires_at === null ? "" : `deleted on ${expires_at.slice(0, 10)} unless it is used`;
	const action = useAction();
	const path = `/watchlists/${watchlist_id}`;
	const remove = () => action.run(() => callAs("deleteWatchlist", path, { method: "DELETE", key: apiKey })).then(again);
	return (
		<Item
			{...{ kind: "watchlist", id: watchlist_id, name: filed(name, 100), action }}
			state={requests === null ? "being read" : `${count(requests)} requests`}
			note={[filed(inWords(filters), 300), `since ${ago(created_at, Date.now())}`, expiry].filter(Boolean).join(" · ")}
			more={{ label: "What changed", content: <Changes path={path} apiKey={apiKey} /> }}
			remove={{ question: `The watchlist ${filed(name, 40)} is deleted.`, act: remove }}
		/>
	);
}

const inWords = (filters: object): string =>
	Object.entries(filters)
		.map(([name, value]) => `${words(name)}: ${Array.isArray(value) ? value.join(", ") : value}`)
		.join("; ");

const shown = 100;

function Changes({ path, apiKey }: { path: string; apiKey: string }) {
	const state = useRead(path, (signal) =>
		readAs("listWatchlistChanges", `${path}/changes?per_page=${shown}`, apiKey, signal),
	);
	return (
		<>
			<Failed state={state} />
			{state.data?.data.length === 0 && <p class="soft">Nothing yet.</p>}
			<ul>
				{state.data?.data.map((change) => (
					<li key={change.seq}>
						{change.event !== null && <b>{words(change.event)}: </b>}
						{filed(change.project_name ?? change.queue_id ?? "", 80)} · {words(change.change_type)}{" "}
						<span class="soft">{ago(change.detected_at, Date.now())}</span>
					</li>
				))}
			</ul>
			{(state.data?.data.length ?? 0) >= shown && <p class="soft">The first {shown}; the interface has the others.</p>}
		</>
	);
}

function New({ apiKey, again }: { apiKey: string; again(): void }) {
	const id = useId();
	const [name, setName] = useState("");
	const [region, setRegion] = useState("");
	const [state, setState] = useState("");
	const [technology, setTechnology] = useState("");
	const [least, setLeast] = useState("");
	const { data: stats } = useRead("stats", (signal) => read("getStats", "/stats", {}, signal));
	const action = useAction();
	const create = async (event: Event) => {
		event.preventDefault();
		const filters = {
			...(region !== "" && { region: [region] }),
			...(state.trim() !== "" && { state: state.split(/[\s,]+/).filter(Boolean) }),
			...(technology !== "" && { fuel_type: [technology] }),
			...(least !== "" && { capacity_min: Number(least) }),
		};
		const call = { method: "POST", key: apiKey, body: { name, filters } };
		if ((await action.run(() => callAs("createWatchlist", "/watchlists", call))) === undefined) return;
		setName("");
		again();
	};
	return (
		<details>
			<summary>New watchlist</summary>
			<form onSubmit={create} noValidate class="fields">
				<div>
					<label for={`${id}-name`}>Name</label>
					<input
						id={`${id}-name`}
						maxLength={100}
						value={name}
						onInput={(event) => setName(event.currentTarget.value)}
					/>
				</div>
				<div>
					<label for={`${id}-region`}>Grid operator</label>
					<select id={`${id}-region`} value={region} onChange={(event) => setRegion(event.currentTarget.value)}>
						<option value="">Any</option>
						{stats?.data.by_iso.map(({ iso }) => (
							<option key={iso}>{iso}</option>
						))}
					</select>
				</div>
				<div>
					<label for={`${id}-state`}>States, two letters each</label>
					<input
						id={`${id}-state`}
						maxLength={300}
						value={state}
						onInput={(event) => setState(event.currentTarget.value)}
					/>
				</div>
				<div>
					<label for={`${id}-technology`}>Technology</label>
					<select
						id={`${id}-technology`}
						value={technology}
						onChange={(event) => setTechnology(event.currentTarget.value)}
					>
						<option value="">Any</option>
						{stats?.data.by_fuel_type.map(({ fuel_type }) => (
							<option key={fuel_type}>{fuel_type}</option>
						))}
					</select>
				</div>
				<div>
					<label for={`${id}-least`}>At least (MW)</label>
					<input
						id={`${id}-least`}
						type="number"
						min={0}
						value={least}
						onInput={(event) => setLeast(event.currentTarget.value)}
					/>
				</div>
				<button type="submit" disabled={action.isBusy}>
					Create the watchlist
				</button>
			</form>
			<Problem action={action} />
			<p class="soft">
				Every filter of <a href="/docs">/projects</a> works by POST /watchlists.
			</p>
		</details>
	);
}
