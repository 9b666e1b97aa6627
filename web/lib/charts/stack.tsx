import type { StatusSum } from "../by-status.ts";

/** A bar of MW by status, within a row that says them. `most` is the whole width. */
export function Stack({ sums, most }: { sums: readonly StatusSum[]; most: number }) {
	let left = 0;
	return (
		<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
			{sums.map(({ status, mw }) => {
				const width = (100 * Math.max(0, mw)) / Math.max(most, 1);
				const x = left;
				left += width;
				return <rect key={status} class={status.toLowerCase()} x={x} width={width} height="10" />;
			})}
		</svg>
	);
}
