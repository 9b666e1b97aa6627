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

/** Maximum time to read one gauge (ms): a metrics collector waits for all gauges together, but no longer than ten seconds. */
const readTimeoutMs = 1_000;

/** Registers a gauge with the values that `read` returns, and replaces any gauge of the same name. It is omitted if `read` takes too long. */
export function gaugeOf({ name, help, labels = [], read }: GaugeOptions): void {
	register.removeSingleMetric(name);
	const readInTime = inTime(async () => read());
	new Gauge({
		name,
		help,
		labelNames: [...labels],
		async collect() {
			const result = await readInTime();
			this.reset();
			if (typeof result === "number") this.set(result);
			// After a reset, a gauge without labels would show 0, which would be wrong.
			else if (labels.length === 0) this.remove();
			else for (const { labels: labelValues = {}, value } of result ?? []) this.set(labelValues, value);
		},
	});
}

interface SharedGauge<R> extends Omit<GaugeOptions, "read"> {
	values(result: R): Value[];
}

/** Returns a function that registers gauges. All gauges registered with it take their values from one call of `read`. */
export function gaugesFrom<R>(read: () => Promise<R | undefined>): (gauge: SharedGauge<R>) => void {
	const readOnce = inTime(read);
	return ({ values, ...options }) =>
		gaugeOf({
			...options,
			async read() {
				const result = await readOnce();
				return result && values(result);
			},
		});
}

/**
 * Returns a function that calls `read` and returns its result, or undefined if `read` fails or takes too long. While a `read` is in progress,
 * all calls wait for its result, so that a hanging source gets only one request, however often the metrics are collected.
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
