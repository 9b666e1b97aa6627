import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useAllRows } from "../../lib/api/use-read.tsx";
import { Lines } from "../../lib/charts/line.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { labelOf, safeText, signedPoints } from "../../lib/text/format.ts";
import type { State } from "./status-periods.ts";
import { TimeAxis } from "./time-axis.tsx";

const maxPages = 4;

/** All states of the request by year, newest first, each with the file that it comes from. */
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

/** Maximum fields that are shown without being collapsed. */
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

type Change = Reply<"getScoreHistory">["data"][number];

export function ScoreHistory({ id }: { id: string }) {
	const state = useAllRows("getScoreHistory", `/score/${encodeURIComponent(id)}/history`, { order: "asc" }, 4, 300_000);
	const changes = state.data?.rows;
	if (changes?.length === 0) return null;
	return (
		<Section id="score-history" title="Score over time" reads={[state]}>
			{changes && (
				<>
					<Lines
						title="Score, as it was published"
						label={`The score from ${changes[0]?.day} on: ${changes.map(({ day, investability_score }) => `${investability_score} from ${day}`).join(", ")}`}
						series={[{ name: "Score", points: changes.map(pointOf) }]}
						steps
						until={changes.at(-1)?.until ?? new Date().toISOString().slice(0, 10)}
						max={100}
						height={150}
						text={String}
						table={<ScoreRows changes={changes.toReversed()} />}
					/>
					{changes.some((change) => change.in_sample) && (
						<p class="soft">
							A score of a day that its version was fitted on has seen what became of such requests:{" "}
							<a href="/scores#fitted">what it was fitted on</a>.
						</p>
					)}
				</>
			)}
		</Section>
	);
}

const pointOf = (change: Change) => ({
	day: change.day,
	value: change.investability_score,
	note: [`${change.day}: ${change.investability_score}`, ...changedInputs(change)].join("\n"),
});

const valueText = (value: unknown): string =>
	value === null || value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value);

const changedInputs = ({ inputs }: Change): string[] =>
	inputs.map(
		({ name, old, new: now }) => `${labelOf(name)}: ${safeText(valueText(old), 60)} → ${safeText(valueText(now), 60)}`,
	);

const ScoreRows = ({ changes }: { changes: Change[] }) => (
	<Table
		scrolls="Changes of the score"
		rows={changes}
		attributes={({ day, investability_score }) => ({ "data-score-day": `${day} ${investability_score}` })}
		columns={[
			["From", ({ day }) => day, "day"],
			["Score", ({ investability_score }) => investability_score, "number"],
			[
				"What changed it",
				(change) => (
					<>
						{changedInputs(change).map((line) => (
							<div key={line}>{line}</div>
						))}
						{Object.entries(change.components).map(([name, by]) => (
							<div key={name} class="soft">
								{labelOf(name)} {signedPoints(by)}
							</div>
						))}
					</>
				),
			],
			["Version", ({ score_version, in_sample }) => `${score_version}${in_sample ? ", in sample" : ""}`],
		]}
	/>
);
