import type { ComponentChildren } from "preact";
import { Chart, Legend, ValueAxis } from "./chart.tsx";
import { axisWidth, linear, startOfDay, ticksBetween, yearsBetween } from "./scale.ts";

export interface Point {
	/** YYYY-MM-DD */
	day: string;
	value: number;
	note: string;
}

export interface Series {
	name: string;
	points: Point[];
}

interface LinesProps {
	title: string;
	label: string;
	/** At max two series, each in chronological order. */
	series: Series[];
	/** Whether each value remains valid until the next one, so that the line has steps. */
	steps?: boolean;
	/** The day (YYYY-MM-DD) until which the last value is valid. */
	until?: string;
	/** The value axis ends at this value or above it. */
	max: number;
	text(value: number): string;
	height?: number;
	table: ComponentChildren;
}

const margins = { right: 14, top: 12, bottom: 24 };
const yearWidth = 52;

export function Lines({ series, steps = false, until, max, text, height = 180, ...rest }: LinesProps) {
	const days = series.flatMap(({ points }) => points.map(({ day }) => startOfDay(day)));
	const last = until === undefined ? [] : [startOfDay(until)];
	const [from, to] = [Math.min(...days, ...last), Math.max(...days, ...last)];
	const values = series.flatMap(({ points }) => points.map(({ value }) => value));
	const ticks = ticksBetween(Math.min(0, ...values), Math.max(max, ...values));
	const edge = { ...margins, left: axisWidth(ticks.map(text)) };
	return (
		<Chart
			{...rest}
			height={() => height}
			legend={
				series.length > 1 && (
					<Legend
						entries={series.map(({ name }, at) => ({ kind: at === 0 ? "stroke" : "stroke second", text: name }))}
					/>
				)
			}
			draw={(width) => {
				const x = linear([from, to], [edge.left, width - edge.right]);
				const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 0], [height - edge.bottom, edge.top]);
				const years = yearsBetween(from, to, (width - edge.left) / yearWidth);
				const bottom = height - edge.bottom;
				return (
					<>
						<ValueAxis ticks={ticks} text={text} y={y} from={edge.left} to={width - edge.right} />
						{years.map((year) => (
							<g key={year}>
								<line class="axis" x1={x(Date.UTC(year))} x2={x(Date.UTC(year))} y1={bottom} y2={bottom + 4} />
								<text x={x(Date.UTC(year))} y={bottom + 17} text-anchor="middle">
									{year}
								</text>
							</g>
						))}
						{years.length === 0 &&
							[...new Set([from, to])].map((day, at) => (
								<text key={day} x={x(day)} y={bottom + 17} text-anchor={at === 0 ? "start" : "end"}>
									{new Date(day).toISOString().slice(0, 10)}
								</text>
							))}
						<line class="axis" x1={edge.left} x2={width - edge.right} y1={y(0)} y2={y(0)} />
						{series.map(({ name, points }, at) => (
							<g key={name}>
								<path
									class={at === 0 ? "stroke" : "stroke second"}
									d={pathOf(
										points.map(({ day, value }) => [x(startOfDay(day)), y(value)]),
										steps,
										steps && until !== undefined ? x(startOfDay(until)) : undefined,
									)}
								/>
								{points.map(({ day, value, note }) => (
									<circle
										key={`${day} ${note}`}
										class={at === 0 ? "mark" : "down"}
										cx={x(startOfDay(day))}
										cy={y(value)}
										r="3.5"
									>
										<title>{note}</title>
									</circle>
								))}
							</g>
						))}
					</>
				);
			}}
		/>
	);
}

function pathOf(points: [number, number][], steps: boolean, end: number | undefined): string {
	const moves = points.map(([x, y], at) => {
		if (at === 0) return `M${x} ${y}`;
		return steps ? `H${x}V${y}` : `L${x} ${y}`;
	});
	return `${moves.join("")}${end === undefined ? "" : `H${end}`}`;
}
