import { read } from "../../lib/api.ts";
import { ChangeList } from "../../lib/change-list.tsx";
import { Failed } from "../../lib/failed.tsx";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;
const shown = 10;

/** The newest changes of all lists. */
export function LatestChanges() {
	// Lists that were loaded are not always of the last days.
	const query = { since: "2000-01-01", per_page: shown };
	const state = useRead("changes", (signal) => read("listChanges", "/changes", query, signal), everyMs);
	const changes = state.data?.data;
	return (
		<section aria-labelledby="latest">
			<h2 id="latest">Latest changes</h2>
			<Failed state={state} />
			{changes && <ChangeList changes={changes} />}
			{changes?.length === 0 && <p>No list has changed yet.</p>}
			<p>
				<a href="/changes">All changes, by day and region, and between two days</a>
			</p>
		</section>
	);
}
