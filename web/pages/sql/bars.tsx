import { useRef } from "preact/hooks";
import { count, filed } from "../../lib/format.ts";
import { numberOf, textOf, titleOf } from "./cells.ts";
import type { ChartProps } from "./chart-props.ts";
import { useWidth } from "./use-width.ts";

/** More would be a list. */
export const mostBars = 40;
const barHeight = 16;
const space = 10;

/** A group of bars a row, with its values beside them. */
export function Bars({ result: { columns, rows }, along, shown, title }: ChartProps) {
	const host = useRef<HTMLDivElement>(null);
	const width = useWidth(host);
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
