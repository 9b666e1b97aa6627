import { points, signed } from "../quantity.ts";
import type { Step } from "./step.ts";

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

/** The line at its end goes on to the next bar's. */
function Bar({ from, to, most, kind }: { from: number; to: number; most: number; kind: "mark" | "down" | "total" }) {
	const at = (value: number) => (100 * value) / most;
	const left = at(Math.min(from, to));
	return (
		<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
			<line class="step-end" x1={at(from)} x2={at(from)} y1="0" y2="3" />
			<rect class={kind} x={left} y="2" width={Math.max(0.3, Math.abs(at(to) - at(from)))} height="6" />
			{kind !== "total" && <line class="step-end" x1={at(to)} x2={at(to)} y1="8" y2="10" />}
		</svg>
	);
}
