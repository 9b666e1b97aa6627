/** Worker loops: one run after another, whenever there may be work. For jobs that only one replica runs at a time, see `schedule.ts`. */
import { setTimeout as pause } from "node:timers/promises";
import { maxLinks, runInLinkedSpan } from "#libs/bus/trace.ts";
import { backoffMs, Wake } from "#libs/bus/wake.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Runs one batch in a span that continues the traces that have woken the worker since the previous batch. */
export type RunBatch = <T>(batch: () => Promise<T>) => Promise<T>;

export interface WorkerOptions {
	/** Verb and noun in kebab case. */
	name: string;
	run(signal: AbortSignal, runBatch: RunBatch): Promise<unknown>;
	/** Called with the error of a run. The pause before the next run doubles with each failure, up to a minute. */
	onFailure(error: unknown): void;
	/** Maximum time between runs (ms); when absent, the worker runs only when it is woken. */
	everyMs?: number;
}

export interface Worker extends AsyncDisposable {
	/** Starts a run, after the current one if there is one. `origin` is the `traceparent` of the cause. */
	wake(origin?: string): void;
}

/** First pause after a failure if `everyMs` is absent (ms). */
const firstPauseMs = 500;
const maxPauseMs = 60_000;
/** Maximum duration of a timer in Node.js (ms). */
const maxSleepMs = 2 ** 31 - 1;

/** Runs until disposed; disposal waits for the current run. Replicas may run the same worker: `run` must divide the work. */
export function startWorker({ name, run, onFailure, everyMs }: WorkerOptions): Worker {
	const stop = new AbortController();
	const woken = new Wake();
	const origins = new Origins();
	const runBatch: RunBatch = (batch) => runInLinkedSpan({ name }, origins.take(), batch);
	const loop = async () => {
		for (let failures = 0; ; ) {
			if (failures === 0) await woken.sleep(everyMs ?? maxSleepMs);
			else {
				const restMs = backoffMs(failures, everyMs ?? firstPauseMs, maxPauseMs);
				await pause(restMs, undefined, { signal: stop.signal }).catch(() => {});
			}
			if (stop.signal.aborted) return;
			origins.reset();
			try {
				await run(stop.signal, runBatch);
				failures = 0;
			} catch (error) {
				if (stop.signal.aborted) return;
				failures++;
				onFailure(error);
			}
		}
	};
	const running = loop();
	return {
		wake(origin = "") {
			origins.add(origin);
			woken.call();
		},
		async [Symbol.asyncDispose]() {
			stop.abort();
			woken.call();
			await running;
		},
	};
}

/**
 * Starts a worker that is woken by notifications on a PostgreSQL channel (payload: a `traceparent` or empty), and once when listening begins.
 */
export async function startListening(sql: Sql, channel: string, options: WorkerOptions): Promise<Worker> {
	const worker = startWorker(options);
	const listening = await sql.listen(channel, worker.wake, () => worker.wake());
	return {
		wake: worker.wake,
		async [Symbol.asyncDispose]() {
			await listening.unlisten().catch(() => {});
			await worker[Symbol.asyncDispose]();
		},
	};
}

/**
 * Traces that woke the worker. A batch continues the traces received since the previous batch, or if there are none, those of the previous
 * batch.
 */
class Origins {
	readonly #received = new Set<string>();
	#last: string[] = [];

	/** Traces beyond a span's maximum number of links are dropped. */
	add(origin: string): void {
		if (origin !== "" && this.#received.size < maxLinks) this.#received.add(origin);
	}

	/** Drops the traces of the previous run. */
	reset(): void {
		this.#last = [];
	}

	take(): string[] {
		if (this.#received.size > 0) this.#last = [...this.#received];
		this.#received.clear();
		return this.#last;
	}
}
