import { ago, count } from "../../lib/format.ts";
import { Files } from "./exports.tsx";
import { ResultChart } from "./result-chart.tsx";
import { ResultMap } from "./result-map.tsx";
import { ResultTable } from "./result-table.tsx";
import type { Result } from "./run.ts";
import type { ResultView } from "./statement.ts";

const views: [ResultView, string][] = [
	["table", "Table"],
	["chart", "Chart"],
	["map", "Map"],
];

interface ResultProps {
	result: Result;
	view: ResultView;
	show(view: ResultView): void;
}

export const ResultOf = ({ result, view, show }: ResultProps) => (
	<>
		<div class="toolbar">
			<fieldset class="views">
				<legend>Show as</legend>
				{views.map(([name, label]) => (
					<label key={name}>
						<input type="radio" name="view" checked={view === name} onChange={() => show(name)} /> {label}
					</label>
				))}
			</fieldset>
			<Files result={result} />
		</div>
		{view === "table" && <ResultTable result={result} />}
		{view === "chart" && <ResultChart result={result} />}
		{view === "map" && <ResultMap result={result} />}
	</>
);

/** How much came, how fast, and how new what was asked is. */
export function Summary({ result: { meta, ms } }: { result: Result }) {
	const limit =
		meta.truncated_by === "bytes" ? `${meta.byte_limit / 1024 / 1024} MiB` : `${count(meta.row_limit)} rows`;
	return (
		<>
			<b>
				{count(meta.rows)} {meta.rows === 1 ? "row" : "rows"}
			</b>{" "}
			in {(ms / 1_000).toFixed(2)} s{meta.truncated && <b>, cut off at the limit of {limit}: there are more</b>}
			{meta.views.length > 0 && (
				<span class="soft">
					{" "}
					· {meta.views.map(({ view, as_of }) => `${view} as of ${ago(as_of, Date.now())}`).join(", ")}
				</span>
			)}
		</>
	);
}
