/** A result as a chart: lines over time or numbers, bars over anything else. */
import { useState } from "preact/hooks";
import { useWidth } from "../../../lib/charts/chart.tsx";
import { CheckBox, Choice } from "../../../lib/elements/fields.tsx";
import { Lazy } from "../../../lib/elements/lazy.tsx";
import { count, safeText } from "../../../lib/text/format.ts";
import type { Result } from "../run.ts";
import { isMeasure, isNumeric, isTime, numberOf, textOf, titleOf } from "./cells.ts";
import type { ChartProps } from "./series.tsx";

export function ResultChart({ result }: { result: Result }) {
	const { columns, rows } = result;
	const [along, setAlong] = useState(() =>
		Math.max(
			0,
			columns.findIndex((column) => !isMeasure(column)),
		),
	);
	const [off, setOff] = useState<ReadonlySet<number>>(() => smallColumns(result));
	const numbers = columns.flatMap((column, place) => (isMeasure(column) && place !== along ? [place] : []));
	const shown = numbers.filter((place) => !off.has(place)).slice(0, maxLines);
	const axis = columns[along];
	if (axis === undefined || numbers.length === 0)
		return <p>A chart needs a column of numbers, and a second column for its axis.</p>;
	const toggle = (place: number) => {
		const next = new Set(off);
		if (!next.delete(place)) next.add(place);
		setOff(next);
	};
	const isSeries = isTime(axis) || isNumeric(axis);
	const title = `${shown.map((place) => titleOf(columns[place])).join(", ")} by ${axis.name}`;
	return (
		<>
			<div class="choices">
				<Choice
					label="Along"
					value={String(along)}
					set={(place) => setAlong(Number(place))}
					options={columns.map(({ name }, place) => [String(place), safeText(name, 60)])}
				/>
				<fieldset>
					<legend>Values</legend>
					{numbers.map((place) => (
						<CheckBox key={place} label={titleOf(columns[place])} value={!off.has(place)} set={() => toggle(place)} />
					))}
				</fieldset>
			</div>
			{isSeries ? (
				<Lazy
					name="chart"
					load={async () => (await import("./series.tsx")).Series}
					props={{ result, along, shown, title }}
				/>
			) : (
				<Bars result={result} along={along} shown={shown} title={title} />
			)}
			{numbers.length > maxLines && <p class="soft">At most {maxLines} columns at once.</p>}
			{!isSeries && rows.length > maxBars && (
				<p class="soft">
					The first {maxBars} of {count(rows.length)} rows.
				</p>
			)}
		</>
	);
}

const maxLines = 6;

/** Returns the columns whose numbers are so small that they cannot be distinguished from the axis. */
function smallColumns({ columns, rows }: Result): Set<number> {
	const largest = columns.map((column, place) =>
		isMeasure(column) ? Math.max(0, ...rows.map((row) => Math.abs(numberOf(row[place])) || 0)) : 0,
	);
	const max = Math.max(...largest);
	return new Set(largest.flatMap((each, place) => (each * 20 < max ? [place] : [])));
}

const maxBars = 40;
const barHeight = 16;
const barGap = 10;

function Bars({ result: { columns, rows }, along, shown, title }: ChartProps) {
	const { ref: host, width } = useWidth();
	const bars = rows.slice(0, maxBars).map((row) => ({
		name: row[along] === null ? "null" : safeText(textOf(row[along] ?? null), 60),
		values: shown.map((place) => numberOf(row[place])),
	}));
	const every = bars.flatMap(({ values }) => values.filter(Number.isFinite));
	const least = Math.min(0, ...every);
	const max = Math.max(0, ...every);
	const names = Math.min(width * 0.36, 9 * Math.max(4, ...bars.map(({ name }) => name.length)) + 8);
	const room = Math.max(40, width - names - 90);
	const scale = (value: number) => ((value - least) / (max - least || 1)) * room;
	const groupHeight = shown.length * barHeight + barGap;
	const fitting = Math.floor(names / 8.2);
	return (
		<div class="chart" ref={host}>
			{width > 0 && (
				<svg
					role="img"
					aria-label={`${title}; the numbers are in the table`}
					width={width}
					height={bars.length * groupHeight}
				>
					{bars.map(({ name, values }, row) => (
						<g key={row} transform={`translate(0 ${row * groupHeight})`}>
							<text x={names - 8} y={(shown.length * barHeight) / 2 + 5} class="bar-name">
								{name.length > fitting ? `${name.slice(0, fitting - 1)}…` : name}
								<title>{name}</title>
							</text>
							{values.map((value, place) => {
								const from = scale(Math.min(0, value || 0));
								const to = scale(Math.max(0, value || 0));
								return (
									<g key={place} transform={`translate(${names} ${place * barHeight})`}>
										<rect
											class={`line-${place}`}
											x={from}
											width={Math.max(1, to - from)}
											y={1}
											height={barHeight - 2}
										/>
										<text x={to + 6} y={barHeight - 4} class="bar-value">
											{Number.isFinite(value) ? count(value) : "null"}
										</text>
									</g>
								);
							})}
						</g>
					))}
				</svg>
			)}
			{(shown.length > 1 || shown.some((place) => columns[place]?.unit != null)) && (
				<ul class="legend">
					{shown.map((place, line) => (
						<li key={place}>
							<svg width="14" height="14" aria-hidden="true">
								<rect class={`line-${line}`} width="14" height="14" />
							</svg>{" "}
							{titleOf(columns[place])}
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
