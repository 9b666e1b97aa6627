interface ValueAxisProps {
	ticks: readonly number[];
	text(value: number): string;
	/** Where a value stands (px). */
	y(value: number): number;
	/** Ends of its lines (px). */
	from: number;
	to: number;
}

/** Round values at the left of a chart, each with a line across it. */
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
