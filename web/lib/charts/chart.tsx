import type { ComponentChildren } from "preact";
import { useWidth } from "./use-width.ts";

interface ChartProps {
	title: string;
	/** What the picture shows, for those who do not see it; the figures are in `table`. */
	label: string;
	height(width: number): number;
	/** Widest that the picture becomes (CSS pixels). */
	widest?: number;
	draw(width: number, height: number): ComponentChildren;
	/** The same figures. */
	table: ComponentChildren;
	legend?: ComponentChildren;
}

/** A picture as wide as its place, with its figures as a table. */
export function Chart({ title, label, height, widest = 1_200, draw, table, legend }: ChartProps) {
	const { ref, width: room } = useWidth();
	const width = Math.min(room, widest);
	const high = height(width);
	return (
		<figure class="chart">
			<figcaption>{title}</figcaption>
			{legend}
			<div ref={ref}>
				{width > 0 && (
					<svg role="img" aria-label={label} width={width} height={high} viewBox={`0 0 ${width} ${high}`}>
						{draw(width, high)}
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
