/**
 * Gauges that are read when the metrics are collected, within a time limit and never concurrently. A gauge that cannot be read is omitted.
 */
import { Gauge, register } from "prom-client";
import { within } from "#libs/contract/within.ts";

export interface Value {
	/** Label values must come from bounded sets: the metrics collector stores each combination. */
	labels?: Record<string, string>;
	value: number;
}

export interface GaugeOptions {
	name: string;
	help: string;
	labels?: readonly string[];
	read(): number | Value[] | undefined | Promise<number | Value[] | undefined>;
}

/** Longest wait for a value (ms): a collector waits for all of them, ten seconds at most. */
const readTimeoutMs = 1_000;

/** Registers a gauge of what `read` returns, replacing any gauge of the same name. It is omitted if it cannot be read in time. */
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
			// Zero would be a wrong value.
			else if (labels.length === 0) this.remove();
			else for (const { labels: its = {}, value } of found ?? []) this.set(its, value);
		},
	});
}

interface SharedGauge<R> extends Omit<GaugeOptions, "read"> {
	values(found: R): Value[];
}

/** Returns a function that registers gauges, all of which show the result of one `read`. */
export function gaugesFrom<R>(read: () => Promise<R | undefined>): (gauge: SharedGauge<R>) => void {
	const readOnce = inTime(read);
	return ({ values, ...options }) =>
		gaugeOf({
			...options,
			async read() {
				const found = await readOnce();
				return found && values(found);
			},
		});
}

/**
 * Calls `read`, never concurrently: calls during a read share its result. Returns undefined if it fails or takes too long. A hanging source
 * thus gets one request, however often the metrics are collected.
 */
export function inTime<T>(
	read: () => Promise<T>,
	defaultMs = readTimeoutMs,
): (withinMs?: number) => Promise<T | undefined> {
	let pending: Promise<T | undefined> | undefined;
	return async (withinMs = defaultMs) => {
		pending ??= read()
			.catch(() => undefined)
			.finally(() => {
				pending = undefined;
			});
		return (await within(pending, withinMs))?.value;
	};
}
