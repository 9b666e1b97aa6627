import type { Step } from "../requests/score-steps.ts";
import { points, signed } from "../text/format.ts";

interface WaterfallProps {
	steps: Step[];
	/** What the steps come to. */
	total: { name: string; words: string; points: number };
	/** The whole width. */
	most: number;
}

/** Steps from nothing to a total, a line each: its words, where it begins and ends, its points. */
export function Waterfall({ steps, total, most }: WaterfallProps) {
	let sum = 0;
	const drawn = steps.map((step) => {
		const from = sum;
		sum += step.points;
		return { ...step, from, to: sum };
	});
	return (
		<ol class="waterfall">
			{drawn.map((step) => (
				<li key={`${step.name} ${step.words}`} data-step={points(step.points)}>
					<div class="what">
						<b>{step.name}</b> <span class="soft">{step.words}</span>
					</div>
					<Bar from={step.from} to={step.to} most={most} kind={step.points < 0 ? "down" : "mark"} />
					<span class="number">{signed(step.points)}</span>
				</li>
			))}
			<li data-step={points(total.points)}>
				<div class="what">
					{total.name} <span class="soft">{total.words}</span>
				</div>
				<Bar from={0} to={total.points} most={most} kind="total" />
				<span class="number">{points(total.points)}</span>
			</li>
		</ol>
	);
}

/** The line at its end goes on to the next bar's. Across in percent of the width, down by the style sheet. */
function Bar({ from, to, most, kind }: { from: number; to: number; most: number; kind: "mark" | "down" | "total" }) {
	const at = (value: number) => `${Math.round((10_000 * value) / most) / 100}%`;
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
