import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { filed, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";
import { walk } from "../../lib/walk.ts";
import type { State } from "./status-periods.ts";
import { TimeAxis } from "./time-axis.tsx";

const mostPages = 4;

/** Every state that it has had, newest first, by year, with the list's file that says so. */
export function History({ project }: { project: Reply<"getProject"> }) {
	const [pages, setPages] = useState(1);
	const path = `/projects/${encodeURIComponent(project.id)}/history`;
	const query = { order: "desc", per_page: pageRows };
	const readPage = async (page: number, signal: AbortSignal) => {
		const { data, meta } = await read("getProjectHistory", path, { ...query, page }, signal);
		return { rows: data, total: meta.total };
	};
	const state = useRead(`${path} ${pages}`, (signal) => walk((page) => readPage(page, signal), pages), 60_000);
	const { rows = [], total = 0 } = state.data ?? {};
	const years = Map.groupBy(rows, ({ valid_from }) => valid_from.slice(0, 4));
	return (
		<section aria-labelledby="history">
			<h2 id="history">Time line</h2>
			<Failed state={state} />
			{rows.length > 0 && <TimeAxis project={project} states={rows} />}
			{[...years].map(([year, states]) => (
				<section key={year} class="year" aria-label={year}>
					<h3>{year}</h3>
					<ol class="states">
						{states.map((one) => (
							<Line key={`${one.valid_from} ${one.snapshot_id} ${one.version}`} state={one} />
						))}
					</ol>
				</section>
			))}
			{total > rows.length && pages < mostPages && (
				<button type="button" onClick={() => setPages(pages + 1)}>
					Show more of {total}
				</button>
			)}
		</section>
	);
}

/** What is not in the first lines of a state: it is there to be opened. */
const fewest = 6;

function Line({ state }: { state: State }) {
	const status = state.differences.find(({ field }) => field === "status_std");
	const others = state.differences.filter((difference) => difference !== status);
	return (
		<li class={status === undefined ? undefined : "moved"}>
			<time dateTime={state.valid_from}>{state.valid_from.slice(0, 10)}</time>{" "}
			{status !== undefined && (
				<b class="status">
					{status.old_value === null ? "First listed: " : `${filed(status.old_value, 40)} → `}
					<span class={`badge is-${(status.new_value ?? "").toLowerCase()}`}>
						{filed(status.new_value ?? "none", 40)}
					</span>
				</b>
			)}{" "}
			<span class="soft">
				<File state={state} />
				{state.backfilled && " · loaded later"}
			</span>
			{others.length > 0 && (
				<details open={others.length <= fewest}>
					<summary>
						{others.length} {others.length === 1 ? "field" : "fields"}
					</summary>
					<ul>
						{others.map(({ field, old_value, new_value }) => (
							<li key={field}>
								{words(field)}: {old_value !== null && <>{filed(old_value, 80)} → </>}
								{filed(new_value ?? "none", 80)}
							</li>
						))}
					</ul>
				</details>
			)}
		</li>
	);
}

function File({ state: { reason, file } }: { state: State }) {
	if (reason !== "list") return <>by what others publish</>;
	if (file === null) return <>list</>;
	const name = filed(file.name, 80);
	return (
		<span title={`SHA-256 ${file.sha256}`}>
			{file.url !== null && /^https?:\/\//.test(file.url) ? <a href={file.url}>{name}</a> : name}
		</span>
	);
}
