import { Lazy } from "../../../lib/elements/lazy.tsx";
import { Section } from "../../../lib/elements/page.tsx";
import { CopyButton } from "../../../lib/text/code.tsx";
import { csvOf, saveFile } from "../../../lib/text/csv.ts";
import { ago, count } from "../../../lib/text/format.ts";
import type { Column, Result } from "../run.ts";
import { curlOf, pythonOf, type ResultView, type Statement } from "../statement.ts";
import { isChartable } from "./cells.ts";
import { ResultChart } from "./chart.tsx";
import type { Places } from "./map.tsx";
import { ResultTable } from "./table.tsx";

const views: [ResultView, string][] = [
	["table", "Table"],
	["chart", "Chart"],
	["map", "Map"],
];

/** Whether the view shows something useful before the visitor chooses columns. */
export function suitsResult(view: ResultView, result: Result): boolean {
	if (view === "chart") return isChartable(result);
	return view === "table" || placesOf(result.columns) !== undefined;
}

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

const Files = ({ result }: { result: Result }) => (
	<>
		<button
			type="button"
			class="plain"
			onClick={() => saveFile("result.csv", new Blob([csvOf(result)], { type: "text/csv;charset=utf-8" }))}
		>
			Save CSV
		</button>
		<button
			type="button"
			class="plain"
			onClick={() => saveFile("result.json", new Blob([jsonOf(result)], { type: "application/json" }))}
		>
			Save JSON
		</button>
	</>
);

const jsonOf = ({ columns, rows }: Pick<Result, "columns" | "rows">): string =>
	`[\n${rows
		.map((row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]))))
		.join(",\n")}\n]\n`;

export function Commands({ statement, hasKey }: { statement: Statement; hasKey: boolean }) {
	const caller = { origin: location.origin, hasKey };
	const commands = [
		["curl", curlOf(statement, caller)],
		["Python", pythonOf(statement, caller)],
	] as const;
	return (
		<Section id="commands" title="The same in a program">
			{commands.map(([name, text]) => (
				<details key={name}>
					<summary>{name}</summary>
					<pre>
						<code data-command={name}>{text}</code>
					</pre>
					<p>
						<CopyButton text={text} label={`Copy for ${name}`} class="plain" />
					</p>
				</details>
			))}
			<p class="soft">
				With <code>Accept: text/csv</code> or <code>application/vnd.apache.parquet</code> the response is a file.
				{hasKey && " The variable KEY holds your key."}
			</p>
		</Section>
	);
}

function ResultMap({ result }: { result: Result }) {
	const places = placesOf(result.columns);
	if (places === undefined)
		return (
			<p>
				A map needs the columns <code>lat</code> and <code>lon</code>, or a number by <code>fips</code> or{" "}
				<code>state</code>.
			</p>
		);
	return <Lazy name="map" load={async () => (await import("./map.tsx")).ResultMap} props={{ result, places }} />;
}

const findColumn = (columns: Column[], pattern: RegExp): number | undefined => {
	const place = columns.findIndex(({ name }) => pattern.test(name));
	return place === -1 ? undefined : place;
};

/** Finds the columns that locate rows on a map; undefined if the result has none. */
function placesOf(columns: Column[]): Places | undefined {
	const lat = findColumn(columns, /^lat(itude)?$/i);
	const lon = findColumn(columns, /^(lon|lng|longitude)$/i);
	if (lat !== undefined && lon !== undefined) return { lat, lon };
	const county = findColumn(columns, /^(county_)?fips$/i);
	if (county !== undefined) return { county };
	const state = findColumn(columns, /^state$/i);
	return state === undefined ? undefined : { state };
}
