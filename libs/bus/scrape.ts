/** Numbers that are read when the metrics are: in a bounded time, once at a time, and left out when they cannot be had. */

import { Gauge, register } from "prom-client";
import { within } from "#libs/contract/within.ts";

export interface Value {
	/** From sets that are bounded: each combination is stored by the collector of the metrics. */
	labels?: Record<string, string>;
	value: number;
}

export interface GaugeOptions {
	name: string;
	help: string;
	labels?: readonly string[];
	read(): number | Value[] | undefined | Promise<number | Value[] | undefined>;
}

/** Longest that a number is waited for (ms): a collector waits for all, ten seconds at most. */
const patienceMs = 1_000;

/** A gauge of what `read` says; one of the same name that was there before is replaced. */
export function gaugeOf({ name, help, labels = [], read }: GaugeOptions): void {
	register.removeSingleMetric(name);
	const readInTime = inTime(async () => read());
	new Gauge({
		name,
		help,
		labelNames: [...labels],
		async collect() {
			const found = await readInTime();
			this.reset();
			if (typeof found === "number") this.set(found);
			// Zero would be a lie.
			else if (labels.length === 0) this.remove();
			else for (const { labels: its = {}, value } of found ?? []) this.set(its, value);
		},
	});
}

/**
 * Waits for `read`, which never runs twice at once: a call meanwhile waits for the same answer. Undefined when there is none in
 * time, or it fails. So what hangs is asked once, however often the metrics are collected.
 */
export function inTime<T>(
	read: () => Promise<T>,
	usuallyMs = patienceMs,
): (withinMs?: number) => Promise<T | undefined> {
	let underWay: Promise<T | undefined> | undefined;
	return async (withinMs = usuallyMs) => {
		underWay ??= read()
			.catch(() => undefined)
			.finally(() => {
				underWay = undefined;
			});
		return (await within(underWay, withinMs))?.value;
	};
}
