import { count } from "../format.ts";
import { Head, number } from "../head.tsx";
import { median } from "../median.ts";

export interface Measure {
	name: string;
	/** What it is of, or how it comes about. */
	words?: string;
	/** Null where nothing states it: then it is left out. */
	own: number | null;
	peers: (number | null)[];
	/** The whole width; the largest value of all when absent. */
	most?: number;
	text(value: number): string;
}

/** Measures of one beside the median of its peers, a row each. */
export function Against({ caption, measures }: { caption: string; measures: Measure[] }) {
	const known = measures.filter(({ own }) => own !== null);
	if (known.length === 0) return null;
	return (
		<table class="own-words">
			<caption>{caption}</caption>
			<Head columns={["Measure", number("Own"), number("Peers")]} />
			<tbody>
				{known.map((measure) => (
					<Row key={measure.name} {...measure} />
				))}
			</tbody>
		</table>
	);
}

function Row({ name, words, own, peers, most, text }: Measure) {
	const middle = median(peers);
	const stated = peers.filter((value) => value !== null);
	const whole = Math.max(most ?? 0, own ?? 0, middle ?? 0) || 1;
	return (
		<tr data-measure={name}>
			<th scope="row">
				{name}
				{words !== undefined && <span class="soft"> {words}</span>}
				<svg class="against" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
					<rect class="own" width={(100 * Math.max(0, own ?? 0)) / whole} />
					{middle !== null && <rect class="median" x={Math.min(99.4, (100 * middle) / whole)} width="0.6" />}
				</svg>
			</th>
			<td class="number">{own === null ? "–" : text(own)}</td>
			<td class="number">
				{middle === null ? "–" : text(middle)}
				<div class="soft">of {count(stated.length)}</div>
			</td>
		</tr>
	);
}
