import type { Step } from "../requests/score-steps.ts";
import { points, signedPoints } from "../text/format.ts";

interface WaterfallProps {
	steps: Step[];
	total: { name: string; reason: string; points: number };
	/** The value of the full width. */
	max: number;
}

export function Waterfall({ steps, total, max }: WaterfallProps) {
	let sum = 0;
	const drawn = steps.map((step) => {
		const from = sum;
		sum += step.points;
		return { ...step, from, to: sum };
	});
	return (
		<ol class="waterfall">
			{drawn.map((step) => (
				<li key={`${step.name} ${step.reason}`} data-step={points(step.points)}>
					<div class="what">
						<b>{step.name}</b> <span class="soft">{step.reason}</span>
					</div>
					<Bar from={step.from} to={step.to} max={max} kind={step.points < 0 ? "down" : "mark"} />
					<span class="number">{signedPoints(step.points)}</span>
				</li>
			))}
			<li data-step={points(total.points)}>
				<div class="what">
					{total.name} <span class="soft">{total.reason}</span>
				</div>
				<Bar from={0} to={total.points} max={max} kind="total" />
				<span class="number">{points(total.points)}</span>
			</li>
		</ol>
	);
}

/**
 * Draws one bar. Lines at its ends connect it to the adjacent bars. Horizontal values are percentages; the style sheet sets the vertical ones.
 */
function Bar({ from, to, max, kind }: { from: number; to: number; max: number; kind: "mark" | "down" | "total" }) {
	const at = (value: number) => `${Math.round((10_000 * value) / max) / 100}%`;
	return (
		<div class="track">
			<svg aria-hidden="true">
				{from !== 0 && <rect class="join before" x={at(from)} width="1" />}
				{kind !== "total" && <rect class="join after" x={at(to)} width="1" />}
				<rect class={`step ${kind}`} x={at(Math.min(from, to))} width={at(Math.abs(to - from))} />
			</svg>
		</div>
	);
}
