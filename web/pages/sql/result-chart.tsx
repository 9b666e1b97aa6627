/** A result as a chart: a line along time or numbers, bars of anything else. What it shows is in the table. */
import { useId, useState } from "preact/hooks";
import { count, filed } from "../../lib/format.ts";
import { Bars, mostBars } from "./bars.tsx";
import { isNumeric, isTime, numberOf, titleOf } from "./cells.ts";
import type { ChartProps } from "./chart-props.ts";
import type { Column, Result } from "./run.ts";
import { useLoaded } from "./use-loaded.ts";

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
