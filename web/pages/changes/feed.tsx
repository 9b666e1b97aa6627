import { useEffect, useState } from "preact/hooks";
import { addressOf, read } from "../../lib/api.ts";
import { ChangeList } from "../../lib/change-list.tsx";
import { Failed } from "../../lib/failed.tsx";
import { count } from "../../lib/format.ts";
import { Pager } from "../../lib/pager.tsx";
import { useLive } from "../../lib/use-live.ts";
import { useRead } from "../../lib/use-read.ts";
import { type Filters, queryOf } from "./filters.ts";

const atOnce = 25;
const everyMs = 30_000;

/** The changes that the filters choose, newest first. */
export function Feed({ filters }: { filters: Filters }) {
	const key = addressOf("", queryOf(filters)).replace(/^[^?]*/, "");
	const [page, setPage] = useState(1);
	useEffect(() => setPage(1), [key]);
	const [asked, setAsked] = useState(0);
	const { change_type, as_of } = filters;
	const { region } = filters.further;
	const isOpen = as_of === undefined && filters.until === undefined;
	const isLive = useLive(isOpen && "/changes/stream", { region, change_type }, "change.recorded", () =>
		setAsked((n) => n + 1),
	);
	const query = { ...queryOf(filters), page, per_page: atOnce };
	const state = useRead(
		`${key} ${page} ${page === 1 ? asked : 0}`,
		(signal) => read("listChanges", "/changes", query, signal),
		page === 1 ? everyMs : 0,
	);
	const found = state.data;
	const total = found !== undefined && "total" in found ? found.total : 0;
	return (
		<section aria-labelledby="feed">
			<h2 id="feed">Changes</h2>
			<Failed state={state} />
			{found && (
				<p class="soft" data-figure="total">
					{count(total)} changes{" "}
					{page === 1 && isOpen && (
						<span class="tag" data-live={isLive}>
							{isLive ? "Live" : "Asked every 30 seconds"}
						</span>
					)}
				</p>
			)}
			{found && <ChangeList changes={found.data} />}
			<Pager page={page} total={total} atOnce={atOnce} words={{ before: "Newer", next: "Older" }} go={setPage} />
			<p class="soft">
				The same as JSON: <code>curl '{`${location.origin}/changes${key}`}'</code>
			</p>
		</section>
	);
}
