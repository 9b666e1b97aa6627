import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { StatusSum } from "../requests/sums.ts";

interface ChartProps {
	title: string;
	/** Description of the chart for screen readers. */
	label: string;
	height(width: number): number;
	/** Maximum width (CSS pixels). */
	maxWidth?: number;
	draw(width: number, height: number): ComponentChildren;
	table: ComponentChildren;
	legend?: ComponentChildren;
}

export function Chart({ title, label, height, maxWidth = 1_200, draw, table, legend }: ChartProps) {
	const { ref, width: available } = useWidth();
	const width = Math.min(available, maxWidth);
	const chartHeight = height(width);
	return (
		<figure class="chart">
			<figcaption>{title}</figcaption>
			{legend}
			<div ref={ref}>
				{width > 0 && (
					<svg role="img" aria-label={label} width={width} height={chartHeight} viewBox={`0 0 ${width} ${chartHeight}`}>
						{draw(width, chartHeight)}
					</svg>
				)}
			</div>
			<details class="as-table">
				<summary>As a table</summary>
				{table}
			</details>
		</figure>
	);
}

/** A legend. `kind` is the CSS class of an entry's mark; lines have the class `stroke`. */
export const Legend = ({ entries }: { entries: { kind: string; text: string }[] }) => (
	<ul class="legend">
		{entries.map(({ kind, text }) => (
			<li key={kind}>
				<svg viewBox="0 0 10 10" aria-hidden="true">
					{kind.startsWith("stroke") ? <path class={kind} d="M0 5H10" /> : <rect class={kind} width="10" height="10" />}
				</svg>
				{text}
			</li>
		))}
	</ul>
);

interface ValueAxisProps {
	ticks: readonly number[];
	text(value: number): string;
	/** Vertical position of a value (CSS pixels). */
	y(value: number): number;
	/** Ends of the grid lines (CSS pixels). */
	from: number;
	to: number;
}

export const ValueAxis = ({ ticks, text, y, from, to }: ValueAxisProps) => (
	<>
		{ticks.map((tick) => (
			<g key={tick}>
				<line class="grid" x1={from} x2={to} y1={y(tick)} y2={y(tick)} />
				<text x={from - 6} y={y(tick) + 4} text-anchor="end">
					{text(tick)}
				</text>
			</g>
		))}
	</>
);

/** A bar of MW by status. `max` is the value of the full width. */
export function Stack({ sums, max }: { sums: readonly StatusSum[]; max: number }) {
	let left = 0;
	return (
		<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
			{sums.map(({ status, mw }) => {
				const width = (100 * Math.max(0, mw)) / Math.max(max, 1);
				const x = left;
				left += width;
				return <rect key={status} class={status.toLowerCase()} x={x} width={width} height="10" />;
			})}
		</svg>
	);
}

/**
 * Measures the width of an element (CSS pixels; 0 until it is measured), so that a chart can be drawn at that width with text of the same size as
 * the page's.
 */
export function useWidth() {
	const ref = useRef<HTMLDivElement>(null);
	const [width, setWidth] = useState(0);
	useLayoutEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const measure = () => setWidth(Math.floor(element.clientWidth));
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return { ref, width };
}
