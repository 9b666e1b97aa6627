import { useEffect, useState } from "preact/hooks";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { type Query, read, withQuery } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Pager } from "../../lib/elements/pager.tsx";
import { ChangeList } from "../../lib/requests/change-list.tsx";
import { counted } from "../../lib/text/format.ts";
import { exportQuery, type Filters, queryOf } from "./filters.ts";

const perPage = pageRows;
const everyMs = 30_000;

/** The query as part of a URL, with its question mark. */
const searchOf = (query: Query): string => withQuery("", query).replace(/^[^?]*/, "");

export function Feed({ filters }: { filters: Filters }) {
	const key = searchOf(queryOf(filters));
	const [page, setPage] = useState(1);
	useEffect(() => setPage(1), [key]);
	const [version, setVersion] = useState(0);
	const { change_type, as_of } = filters;
	const { region } = filters.further;
	const isOpen = as_of === undefined && filters.until === undefined;
	const isLive = useLive(isOpen && "/changes/stream", { region, change_type }, "change.recorded", () =>
		setVersion((before) => before + 1),
	);
	const query = { ...queryOf(filters), page, per_page: perPage };
	const state = useRead(
		`${key} ${page} ${page === 1 ? version : 0}`,
		(signal) => read("listChanges", "/changes", query, signal),
		page === 1 ? everyMs : 0,
	);
	const found = state.data;
	const total = found !== undefined && "total" in found ? found.total : 0;
	return (
		<Section id="feed" title="Changes" reads={[state]}>
			{found && (
				<p class="soft" data-figure="total">
					{counted(total, "change")}{" "}
					{page === 1 && isOpen && (
						<span class="tag" data-live={isLive}>
							{isLive ? "Live" : "Checked every 30 seconds"}
						</span>
					)}
				</p>
			)}
			{found && <ChangeList changes={found.data} />}
			<Pager page={page} total={total} perPage={perPage} labels={["Newer", "Older"]} go={setPage} />
			<p>
				<a href={`/export/changes.csv${searchOf(exportQuery(filters))}`} download>
					Save as CSV
				</a>{" "}
				<span class="soft">
					or read it as JSON: <code>curl '{`${location.origin}/changes${key}`}'</code>
				</span>
			</p>
		</Section>
	);
}

const retryMs = 30_000;
/** Events arrive in bursts; each burst calls `onEvent` once. */
const burstMs = 500;

/**
 * Follows a stream of server-sent events while the page is visible. Calls `onEvent` after events of this name, and after a reconnection, because
 * events may have been missed. Returns whether the stream is open; if it is not, the caller must poll. If `path` is `false`, no stream is opened.
 */
function useLive(path: string | false, query: Query, event: string, onEvent: () => void): boolean {
	const [isOpen, setIsOpen] = useState(false);
	const address = path && withQuery(path, query);
	useEffect(() => {
		if (address === false) return;
		let source: EventSource | undefined;
		let burst: ReturnType<typeof setTimeout> | undefined;
		let retry: ReturnType<typeof setTimeout> | undefined;
		let wasLost = false;
		const close = () => {
			source?.close();
			source = undefined;
			clearTimeout(retry);
			wasLost = true;
			setIsOpen(false);
		};
		const connect = () => {
			const opened = new EventSource(address);
			source = opened;
			opened.onopen = () => {
				setIsOpen(true);
				if (wasLost) onEvent();
			};
			// Browsers reconnect by themselves after a lost connection, but not after a refused one.
			opened.onerror = () => {
				wasLost = true;
				setIsOpen(false);
				if (opened.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMs);
			};
			opened.addEventListener(event, () => {
				clearTimeout(burst);
				burst = setTimeout(onEvent, burstMs);
			});
		};
		// Browsers allow few connections per origin, so a hidden page closes its connection.
		const follow = () => (document.hidden ? close() : connect());
		follow();
		document.addEventListener("visibilitychange", follow);
		return () => {
			document.removeEventListener("visibilitychange", follow);
			clearTimeout(burst);
			close();
		};
	}, [address, event]);
	return isOpen;
}
