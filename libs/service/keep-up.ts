/** Work that other transactions mark as due: done whenever it is notified, and once at the start for what was marked meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import { continuing, mostLinks } from "#libs/bus/trace.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "./logger.ts";

/** Runs one batch in a span that goes on from what has marked work since the batch before. */
export type InStep = <T>(batch: () => Promise<T>) => Promise<T>;

export interface Upkeep {
	/** Verb and noun, kebab. */
	name: string;
	/** PostgreSQL channel on which a commit that marked work wakes this; what it says there is its `traceparent`, if it has one. */
	channel: string;
	/** Does everything that is due, batch by batch. What fails is logged as `failure` and tried again, later each time. */
	run(signal: AbortSignal, inStep: InStep): Promise<void>;
	failure: string;
	log: Pick<Logger, "error">;
}

/** Longest pause after failures (ms). */
const longestPauseMs = 60_000;

/** Keeps up until disposed; that waits for the run at hand. Replicas may all do so: `run` shares the work out. */
export async function keepUp(sql: Sql, upkeep: Upkeep): Promise<AsyncDisposable> {
	const stop = new AbortController();
	const origins = new Origins();
	const inStep: InStep = (batch) => continuing({ name: upkeep.name }, origins.take(), batch);
	let due = false;
	let running: Promise<void> | undefined;
	const run = async () => {
		for (let failures = 0; due && !stop.signal.aborted; ) {
			due = false;
			origins.forget();
			try {
				await upkeep.run(stop.signal, inStep);
				failures = 0;
			} catch (err) {
				if (stop.signal.aborted) return;
				due = true;
				upkeep.log.error({ err }, upkeep.failure);
				const restMs = Math.min(longestPauseMs, 500 * 2 ** failures++);
				await pause(restMs, undefined, { signal: stop.signal }).catch(() => {});
			}
		}
	};
	const wake = (origin = "") => {
		origins.add(origin);
		due = true;
		running ??= run().finally(() => {
			running = undefined;
			if (due && !stop.signal.aborted) wake();
		});
	};
	const listening = await sql.listen(upkeep.channel, wake, () => wake());
	return {
		async [Symbol.asyncDispose]() {
			stop.abort();
			await listening.unlisten().catch(() => {});
			await running;
		},
	};
}

/** What marked work: each batch goes on from what has come since the one before, and where nothing has, from what that went on from. */
class Origins {
	readonly #come = new Set<string>();
	#last: string[] = [];

	/** Beyond what a span links to, none is kept. */
	add(origin: string): void {
		if (origin !== "" && this.#come.size < mostLinks) this.#come.add(origin);
	}

	/** What an earlier run went on from is none of the next one's. */
	forget(): void {
		this.#last = [];
	}

	take(): string[] {
		if (this.#come.size > 0) this.#last = [...this.#come];
		this.#come.clear();
		return this.#last;
	}
}
