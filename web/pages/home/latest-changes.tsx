import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { ago, filed, power, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

type Change = Reply<"listChanges">["data"][number];

const everyMs = 60_000;
const shown = 10;
const longestDays = 90;

/** The newest changes of all lists. */
export function LatestChanges() {
	const query = { since_days: longestDays, per_page: shown };
	const state = useRead("changes", (signal) => read("listChanges", "/changes", query, signal), everyMs);
	return (
		<section aria-labelledby="latest">
			<h2 id="latest">Latest changes</h2>
			<Failed state={state} />
			<ol class="changes">
				{state.data?.data.map((change) => (
					<Line key={change.seq} change={change} />
				))}
			</ol>
			{state.data?.data.length === 0 && <p>No list has changed in the last {longestDays} days.</p>}
		</section>
	);
}

function Line({ change }: { change: Change }) {
	const name = change.project_name ?? change.queue_id ?? "Many requests";
	return (
		<li data-seq={change.seq}>
			<span class="tag">{change.region}</span> <b>{filed(name, 80)}</b>
			{change.capacity_mw !== null && <> · {power(change.capacity_mw)}</>}
			{change.type_std !== null && <> · {words(change.type_std)}</>}
			{change.state !== null && <> · {filed(change.state, 40)}</>}
			<br />
			<span class="soft">
				{words(change.change_type)}
				{change.field_name !== null && (
					<>
						: {words(change.field_name)} {filed(change.old_value ?? "none", 60)} →{" "}
						{filed(change.new_value ?? "none", 60)}
					</>
				)}{" "}
				· <time dateTime={change.detected_at}>{ago(change.detected_at, Date.now())}</time>
			</span>
		</li>
	);
}
