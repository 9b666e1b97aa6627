/** Lines over time or numbers, which uPlot draws on a canvas. */
import "uplot/dist/uPlot.min.css";
import { useEffect, useState } from "preact/hooks";
import uPlot from "uplot";
import { useWidth } from "../../../lib/charts/chart.tsx";
import { safeText } from "../../../lib/text/format.ts";
import type { Result } from "../run.ts";
import { isTime, numberOf, secondsOf, titleOf } from "./cells.ts";

const height = 340;

export function Series({ result, along, shown, title }: ChartProps) {
	const { ref: host, width } = useWidth();
	const isDark = useDark();
	useEffect(() => {
		const { current } = host;
		if (current === null || width === 0) return;
		const plot = new uPlot(
			optionsOf({ result, along, shown, title }, current, width),
			dataOf({ result, along, shown, title }),
			current,
		);
		return () => plot.destroy();
	}, [result, along, shown.join(), width, isDark]);
	return <div class="chart" ref={host} role="img" aria-label={`${title}; the numbers are in the table`} />;
}

/** Sorts the points by their value on the axis. Rows without such a value are omitted. */
function dataOf({ result: { columns, rows }, along, shown }: ChartProps): uPlot.AlignedData {
	const column = columns[along];
	const place = column !== undefined && isTime(column) ? secondsOf : numberOf;
	const points = rows
		.map((row) => ({ x: place(row[along]), row }))
		.filter(({ x }) => Number.isFinite(x))
		.sort((one, other) => one.x - other.x);
	return [
		points.map(({ x }) => x),
		...shown.map((at) => points.map(({ row }) => orNull(numberOf(row[at])))),
	] as uPlot.AlignedData;
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function optionsOf(
	{ result: { columns, rows }, along, shown }: ChartProps,
	host: Element,
	width: number,
): uPlot.Options {
	const colours = getComputedStyle(host);
	const colour = (name: string) => colours.getPropertyValue(name) || "currentColor";
	const axis = {
		stroke: colour("color"),
		grid: { stroke: colour("--line-colour"), width: 1 },
		ticks: { stroke: colour("--line-colour") },
	};
	const column = columns[along];
	const isOfTime = column !== undefined && isTime(column);
	const units = new Set(shown.map((place) => columns[place]?.unit ?? null));
	const [unit = null] = units.size === 1 ? units : [];
	return {
		width,
		height,
		tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
		scales: { x: { time: isOfTime } },
		axes: [
			// Years are written without separators.
			{ ...axis, ...(!isOfTime && { values: (_plot, ticks) => ticks.map(String) }) },
			{ ...axis, size: 70, ...(unit !== null && { label: unit }), values: (_plot, ticks) => ticks.map(formatShort) },
		],
		series: [
			{ label: safeText(column?.name ?? "", 60), ...(!isOfTime && { value: (_plot, value) => String(value ?? "–") }) },
			...shown.map((place, line) => ({
				label: titleOf(columns[place]),
				stroke: colour(`--line-${line}`),
				width: 2,
				points: { show: rows.length <= 60 },
				value: (_plot: uPlot, value: number | null) => (value === null ? "–" : value.toLocaleString("en-US")),
			})),
		],
	};
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });
const formatShort = (value: number | null): string => (value === null ? "" : compact.format(value));

/** Whether the color scheme is dark. When it changes, the canvas must be drawn again. */
function useDark(): boolean {
	const [query] = useState(() => matchMedia("(prefers-color-scheme: dark)"));
	const [isDark, setDark] = useState(query.matches);
	useEffect(() => {
		const read = () => setDark(query.matches);
		query.addEventListener("change", read);
		return () => query.removeEventListener("change", read);
	}, []);
	return isDark;
}

export interface ChartProps {
	result: Result;
	/** Index of the axis's column. */
	along: number;
	/** Indexes of the value columns. */
	shown: number[];
	title: string;
}
