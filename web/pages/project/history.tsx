import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useAllRows } from "../../lib/api/use-all-rows.ts";
import { Section } from "../../lib/elements/page.tsx";
import { labelOf, safeText } from "../../lib/text/format.ts";
import type { State } from "./status-periods.ts";
import { TimeAxis } from "./time-axis.tsx";

const maxPages = 4;

/** All its states by year, newest first, each with the file that states it. */
export function History({ project }: { project: Reply<"getProject"> }) {
	const [pages, setPages] = useState(1);
	const path = `/projects/${encodeURIComponent(project.id)}/history`;
	const state = useAllRows("getProjectHistory", path, { order: "desc" }, pages, 60_000);
	const { rows = [], total = 0 } = state.data ?? {};
	const years = Map.groupBy(rows, ({ valid_from }) => valid_from.slice(0, 4));
	return (
		<Section id="history" title="Timeline" reads={[state]}>
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
			{total > rows.length && pages < maxPages && (
				<button type="button" onClick={() => setPages(pages + 1)}>
					Show more of {total}
				</button>
			)}
		</Section>
	);
}

/** More fields than this are folded. */
const maxOpen = 6;

function Line({ state }: { state: State }) {
	const status = state.differences.find(({ field }) => field === "status_std");
	const others = state.differences.filter((difference) => difference !== status);
	return (
		<li class={status === undefined ? undefined : "moved"}>
			<time dateTime={state.valid_from}>{state.valid_from.slice(0, 10)}</time>{" "}
			{status !== undefined && (
				<b class="status">
					{status.old_value === null ? "First listed: " : `${safeText(status.old_value, 40)} → `}
					<span class={`badge is-${(status.new_value ?? "").toLowerCase()}`}>
						{safeText(status.new_value ?? "none", 40)}
					</span>
				</b>
			)}{" "}
			<span class="soft">
				<File state={state} />
				{state.backfilled && " · loaded later"}
			</span>
			{others.length > 0 && (
				<details open={others.length <= maxOpen}>
					<summary>
						{others.length} {others.length === 1 ? "field" : "fields"}
					</summary>
					<ul>
						{others.map(({ field, old_value, new_value }) => (
							<li key={field}>
								{labelOf(field)}: {old_value !== null && <>{safeText(old_value, 80)} → </>}
								{safeText(new_value ?? "none", 80)}
							</li>
						))}
					</ul>
				</details>
			)}
		</li>
	);
}

function File({ state: { reason, file } }: { state: State }) {
	if (reason !== "list") return <>from another publisher</>;
	if (file === null) return <>list</>;
	const name = safeText(file.name, 80);
	return (
		<span title={`SHA-256 ${file.sha256}`}>
			{file.url !== null && /^https?:\/\//.test(file.url) ? <a href={file.url}>{name}</a> : name}
		</span>
	);
}
