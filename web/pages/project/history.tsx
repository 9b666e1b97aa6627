import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { filed, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

type State = Reply<"getProjectHistory">["data"][number];

const atOnce = 50;

/** Every state that it has had, newest first, with the list's file that says so. */
export function History({ id }: { id: string }) {
	const [shown, setShown] = useState(atOnce);
	const path = `/projects/${encodeURIComponent(id)}/history`;
	const query = { order: "desc", per_page: Math.min(shown, 200) };
	const state = useRead(`${path} ${shown}`, (signal) => read("getProjectHistory", path, query, signal), 60_000);
	const { data, meta } = state.data ?? {};
	return (
		<section aria-labelledby="history">
			<h2 id="history">History</h2>
			<Failed state={state} />
			<ol class="states">
				{data?.map((one) => (
					<Line key={`${one.valid_from} ${one.snapshot_id} ${one.version}`} state={one} />
				))}
			</ol>
			{meta && data && meta.total > data.length && shown < 200 && (
				<button type="button" onClick={() => setShown(shown * 2)}>
					Show more of {meta.total}
				</button>
			)}
		</section>
	);
}

function Line({ state }: { state: State }) {
	return (
		<li class={state.corrected ? "corrected" : undefined}>
			<time dateTime={state.valid_from}>{state.valid_from.slice(0, 10)}</time>{" "}
			<span class="soft">
				{state.reason === "list" ? (state.file === null ? "list" : filed(state.file.name, 80)) : "derived"}
				{state.backfilled && " · loaded later"}
				{state.corrected && " · taken back since"}
			</span>
			<details open={state.differences.length <= 6}>
				<summary>
					{state.differences.length} {state.differences.length === 1 ? "field" : "fields"}
				</summary>
				<ul>
					{state.differences.map(({ field, old_value, new_value }) => (
						<li key={field}>
							{words(field)}: {filed(old_value ?? "none", 80)} → {filed(new_value ?? "none", 80)}
						</li>
					))}
				</ul>
			</details>
		</li>
	);
}
