/** The results of an hour, as a table for docs/reliability.md. */
import { quantile } from "../bench/measure.ts";
import { short } from "../bench/report.ts";
import type { Growth } from "./growth.ts";

export interface Report {
	minutes: number;
	/** Requests a second: sent, and what was measured to be possible. */
	rate: number;
	capacity: number;
	/** Answers by their status; 0 broken, -1 none. */
	statuses: Record<string, number>;
	/** Latencies of some of them (ms). */
	latencies: readonly number[];
	/** Lists that were taken in. */
	lists: number;
	growths: readonly Growth[];
	/** A sentence for each thing that should not have been. */
	faults: readonly string[];
}

export function tableOf({ minutes, rate, capacity, statuses, latencies, lists, growths, faults }: Report): string[] {
	const answers = Object.entries(statuses).map(([status, times]) => `${times.toLocaleString("en")} × ${status}`);
	const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
	return [
		`${minutes} minutes of ${rate} requests a second, half of the ${capacity} that were measured, and ${lists} lists. Answers: ${answers.join(", ")}`,
		`(429 is what the key of few requests a minute gets); p50 ${short(p50)} ms, p99 ${short(p99)} ms.`,
		faults.length === 0 ? "Nothing died, nothing was refused." : faults.map((fault) => `**${fault}.**`).join(" "),
		"",
		"| | Second quarter | Last quarter | May grow by | |",
		"|---|---|---|---|---|",
		...growths.map(
			({ name, early, late, allowed, grew }) =>
				`| ${name} | ${short(early)} | ${short(late)} | ${short(allowed)} | ${grew ? "**grew**" : ""} |`,
		),
	];
}
