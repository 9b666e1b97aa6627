/** A histogram of durations. prom-client's histogram serializes labels at each observation, which took 3 % of the time of a cached response. */
import { Histogram } from "prom-client";

interface Value {
	metricName: string;
	labels: Record<string, string | number>;
	/** Labels that all values of a series share. */
	sharedLabels: Record<string, string>;
	value: number;
}

declare module "prom-client" {
	interface Histogram<T extends string> {
		/** Called by the registry and by `get`; missing in prom-client's types. */
		getForPromString(): Promise<{ name: string; help: string; values: Value[] }>;
	}
}

const name = "http_request_seconds";
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Label = "operation" | "status_class";

interface Series {
	counts: number[];
	seconds: number;
}

export class Durations extends Histogram<Label> {
	readonly #series = new Map<string, (Series | undefined)[]>();

	constructor() {
		super({
			name,
			help: "Time from a request's arrival to the end of its answer, by operation and class of status.",
			labelNames: ["operation", "status_class"],
			buckets,
		});
	}

	/** `operation` and `status` must be from bounded sets, because a series for each combination stays in memory. */
	record(operation: string, status: number, seconds: number): void {
		const series = this.#seriesOf(operation, Math.floor(status / 100));
		let at = 0;
		while (seconds > (buckets[at] ?? Number.POSITIVE_INFINITY)) at++;
		series.counts[at] = (series.counts[at] ?? 0) + 1;
		series.seconds += seconds;
	}

	#seriesOf(operation: string, digit: number): Series {
		const classes = this.#series.get(operation) ?? [];
		const series = classes[digit] ?? { counts: new Array<number>(buckets.length + 1).fill(0), seconds: 0 };
		if (classes[digit] === undefined) {
			classes[digit] = series;
			this.#series.set(operation, classes);
		}
		return series;
	}

	override async getForPromString() {
		const metric = await super.getForPromString();
		const values = [...this.#series].flatMap(([operation, classes]) =>
			classes.flatMap((series, digit) =>
				series === undefined ? [] : valuesOf({ operation, status_class: `${digit}xx` }, series),
			),
		);
		return { ...metric, values };
	}
}

function valuesOf(sharedLabels: Record<Label, string>, { counts, seconds }: Series): Value[] {
	let requests = 0;
	const upTo = counts.map((count, at) => {
		requests += count;
		return { metricName: `${name}_bucket`, labels: { le: buckets[at] ?? "+Inf" }, sharedLabels, value: requests };
	});
	return [
		...upTo,
		{ metricName: `${name}_sum`, labels: {}, sharedLabels, value: seconds },
		{ metricName: `${name}_count`, labels: {}, sharedLabels, value: requests },
	];
}
