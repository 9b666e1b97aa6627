/** Work that other transactions mark as due: done whenever it is told of, and once at the start for what was marked meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "./logger.ts";

export interface Upkeep {
	/** PostgreSQL channel on which a commit that marked work wakes this. */
	channel: string;
	/** Does everything that is due. What fails is logged as `failure` and tried again, later each time. */
	run(signal: AbortSignal): Promise<void>;
	failure: string;
	log: Pick<Logger, "error">;
}

/** Longest pause after failures (ms). */
const longestPauseMs = 60_000;

/** Keeps up until disposed; that waits for the run at hand. Replicas may all do so: `run` shares the work out. */
export async function keepUp(sql: Sql, upkeep: Upkeep): Promise<AsyncDisposable> {
	const stop = new AbortController();
	let due = false;
	let running: Promise<void> | undefined;
	const run = async () => {
		for (let failures = 0; due && !stop.signal.aborted; ) {
			due = false;
			try {
				await upkeep.run(stop.signal);
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
	const wake = () => {
		due = true;
		running ??= run().finally(() => {
			running = undefined;
			if (due && !stop.signal.aborted) wake();
		});
	};
	const listening = await sql.listen(upkeep.channel, wake, wake);
	return {
		async [Symbol.asyncDispose]() {
			stop.abort();
			await listening.unlisten().catch(() => {});
			await running;
		},
	};
}
