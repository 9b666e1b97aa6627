/** A result as a chart: a line along time or numbers, bars of anything else. What it shows is in the table. */
import { useId, useState } from "preact/hooks";
import { useWidth } from "../../../lib/elements/use-width.ts";
import { count, filed } from "../../../lib/text/format.ts";
import type { Column, Result } from "../run.ts";
import { isNumeric, isTime, numberOf, textOf, titleOf } from "./cells.ts";
import { useLoaded } from "./result.tsx";

export function ResultChart({ result }: { result: Result }) {
	const { columns, rows } = result;
	const id = useId();
	const [along, setAlong] = useState(() =>
		Math.max(
			0,
			columns.findIndex((column) => !isNumeric(column) || isYear(column)),
		),
	);
	const [off, setOff] = useState<ReadonlySet<number>>(() => smallOnes(result));
	const numbers = columns.flatMap((column, place) => (isNumeric(column) && place !== along ? [place] : []));
	const shown = numbers.filter((place) => !off.has(place)).slice(0, mostLines);
	const of = columns[along];
	if (of === undefined || numbers.length === 0)
		return <p>A chart needs a column of numbers, and another along which they go.</p>;
	const toggle = (place: number) => {
		const next = new Set(off);
		if (!next.delete(place)) next.add(place);
		setOff(next);
	};
	const isSeries = isTime(of) || isNumeric(of);
	const title = `${shown.map((place) => titleOf(columns[place])).join(", ")} by ${of.name}`;
	return (
		<>
			<div class="choices">
				<span>
					<label for={id}>Along</label>{" "}
					<select id={id} value={along} onChange={(event) => setAlong(Number(event.currentTarget.value))}>
						{columns.map(({ name }, place) => (
							<option key={place} value={place}>
								{filed(name, 60)}
							</option>
						))}
					</select>
				</span>
				<fieldset>
					<legend>Values</legend>
					{numbers.map((place) => (
						<label key={place}>
							<input type="checkbox" checked={!off.has(place)} onChange={() => toggle(place)} />{" "}
							{titleOf(columns[place])}
						</label>
					))}
				</fieldset>
			</div>
			{isSeries ? (
				<LazySeries result={result} along={along} shown={shown} title={title} />
			) : (
				<Bars result={result} along={along} shown={shown} title={title} />
			)}
			{numbers.length > mostLines && <p class="soft">At most {mostLines} columns at once.</p>}
			{!isSeries && rows.length > mostBars && (
				<p class="soft">
					The first {mostBars} of {count(rows.length)} rows.
				</p>
			)}
		</>
	);
}

const mostLines = 6;

/** Columns of so much smaller numbers that they would lie on the line of zero. */
function smallOnes({ columns, rows }: Result): Set<number> {
	const largest = columns.map((column, place) =>
		isNumeric(column) ? Math.max(0, ...rows.map((row) => Math.abs(numberOf(row[place])) || 0)) : 0,
	);
	const most = Math.max(...largest);
	return new Set(largest.flatMap((each, place) => (each * 20 < most ? [place] : [])));
}

/** A year is a number along which others go. */
const isYear = ({ name }: Column): boolean =>
	/^(year|month|quarter|week|hour|day|date)(_|$)|_(year|month)$/i.test(name);

/** Its library is loaded when it is first needed. */
function LazySeries(props: ChartProps) {
	const { part, failed } = useLoaded(() => import("./series.tsx"));
	if (failed) return <p class="failure">The chart could not be loaded: open the page again.</p>;
	return part === undefined ? <p>Loading the chart.</p> : <part.Series {...props} />;
}

/** More would be a list. */
export const mostBars = 40;
const barHeight = 16;
const space = 10;

/** A group of bars a row, with its values beside them. */
export function Bars({ result: { columns, rows }, along, shown, title }: ChartProps) {
	const { ref: host, width } = useWidth();
	const of = rows.slice(0, mostBars).map((row) => ({
		name: row[along] === null ? "null" : filed(textOf(row[along] ?? null), 60),
		values: shown.map((place) => numberOf(row[place])),
	}));
	const every = of.flatMap(({ values }) => values.filter(Number.isFinite));
	const least = Math.min(0, ...every);
	const most = Math.max(0, ...every);
	const names = Math.min(width * 0.36, 9 * Math.max(4, ...of.map(({ name }) => name.length)) + 8);
	const room = Math.max(40, width - names - 90);
	const scale = (value: number) => ((value - least) / (most - least || 1)) * room;
	const groupHeight = shown.length * barHeight + space;
	const fitting = Math.floor(names / 8.2);
	return (
		<div class="chart" ref={host}>
			{width > 0 && (
				<svg
					role="img"
					aria-label={`${title}; the numbers are in the table`}
					width={width}
					height={of.length * groupHeight}
				>
					{of.map(({ name, values }, row) => (
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

export interface ChartProps {
	result: Result;
	/** Place of the column along which the values go. */
	along: number;
	/** Places of the columns with the values. */
	shown: number[];
	title: string;
}
