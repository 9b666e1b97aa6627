/** Timed jobs, each run by one replica at a time. */
import { setTimeout as pause } from "node:timers/promises";
import { Counter, Gauge } from "prom-client";
import { runInNewTrace } from "#libs/bus/trace.ts";
import { within } from "#libs/contract/within.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import type { Logger } from "./logger.ts";

/** A job is due `everyMs` after its last run has ended, or at a time of day. */
export type Timing = { everyMs: number } | { nextAt(after: Date): Date };

export type Job = Timing & {
	/** Verb and noun in kebab case; the advisory lock is `job:<schema>:<name>`. */
	name: string;
	sql: Sql;
	log: Pick<Logger, "debug" | "info" | "error">;
	/** Does the work. The signal fires when the service stops, or when another replica may have taken over the job. */
	run(signal: AbortSignal): Promise<void>;
	/** Time limit of a run (ms, an hour when absent): a longer run counts as failed, its signal fires, and its lock is released. */
	maxRunMs?: number;
	/** Maximum random delay before a run (ms), so that replicas and services do not all start at once. */
	jitterMs?: number;
	now?(): Date;
};

const defaultMaxRunMs = 3_600_000;
/** Maximum back-off after failures, in intervals. */
const maxIntervals = 16;
/** Timers of Node.js are limited to 24.8 days. Reading the clock every minute also detects that it was changed. */
const maxSleepMs = 60_000;
const daySeconds = 86_400;

// Prometheus itself uses the label "job".
const runs = new Counter({
	name: "job_runs_total",
	help: "Runs of jobs by outcome: done, failed. In the replica that ran them.",
	labelNames: ["job_name", "outcome"],
});
const doneAt = new Gauge({
	name: "job_done_timestamp_seconds",
	help: "When this replica last completed a run of the job; before its first run, when the job was scheduled.",
	labelNames: ["job_name"],
});
const dueSeconds = new Gauge({
	name: "job_interval_seconds",
	help: "Time between runs of the job if none fails; a day if it is due at a time of day.",
	labelNames: ["job_name"],
});

/** Runs `job` when it is due, until disposed; disposal waits for the current run. A failed run is logged and retried. */
export function schedule(job: Job): AsyncDisposable {
	const stop = new AbortController();
	for (const outcome of ["done", "failed"]) runs.inc({ job_name: job.name, outcome }, 0);
	doneAt.setToCurrentTime({ job_name: job.name });
	dueSeconds.set({ job_name: job.name }, "everyMs" in job ? job.everyMs / 1_000 : daySeconds);
	const running = runWhenDue(job, stop.signal);
	return {
		async [Symbol.asyncDispose]() {
			stop.abort(new Error("the service is stopping"));
			await running;
		},
	};
}

async function runWhenDue(job: Job, stop: AbortSignal): Promise<void> {
	const now = () => job.now?.() ?? new Date();
	for (let failures = 0; ; ) {
		const jitterMs = (job.jitterMs ?? 0) * Math.random();
		let due = dueAt(job, now(), failures, jitterMs);
		while (!stop.aborted && now() < due) {
			const restMs = Math.min(due.getTime() - now().getTime(), maxSleepMs);
			await pause(restMs, undefined, { signal: stop }).catch(() => {});
			// If the clock was set back, wait no longer than if the job had just run.
			due = earlier(due, dueAt(job, now(), failures, jitterMs));
		}
		if (stop.aborted) return;
		failures = (await runOnce(job, stop)) ? 0 : failures + 1;
	}
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** When a job that ended at `now` is due again. Each failure doubles an interval, but not a time of day. */
export function dueAt(timing: Timing, now: Date, failures: number, jitterMs: number): Date {
	if ("nextAt" in timing) return new Date(timing.nextAt(now).getTime() + jitterMs);
	const intervals = failures < 2 ? 1 : Math.min(maxIntervals, 2 ** (failures - 1));
	return new Date(now.getTime() + timing.everyMs * intervals + jitterMs);
}

/** Returns false if the run failed. If another replica runs the job, that is not a failure. */
async function runOnce(job: Job, stop: AbortSignal): Promise<boolean> {
	const { name, log } = job;
	const started = performance.now();
	const ms = () => Math.round(performance.now() - started);
	try {
		await using lock = await tryLock(job.sql, `job:${job.sql.options.connection.search_path}:${name}`);
		if (lock === undefined) {
			log.debug({ job: name }, "another replica is running the job");
			return true;
		}
		const timeout = new AbortController();
		const signal = AbortSignal.any([stop, lock.lost, timeout.signal]);
		signal.throwIfAborted();
		const maxRunMs = job.maxRunMs ?? defaultMaxRunMs;
		const run = runInNewTrace(`job ${name}`, () => job.run(signal));
		if ((await within(run, maxRunMs)) === undefined) {
			const error = new Error(`the job ran longer than ${maxRunMs} ms`);
			timeout.abort(error);
			run.catch(() => {});
			throw error;
		}
		runs.inc({ job_name: name, outcome: "done" });
		doneAt.setToCurrentTime({ job_name: name });
		log.debug({ job: name, ms: ms() }, "a job ran");
		return true;
	} catch (err) {
		if (stop.aborted) return false;
		runs.inc({ job_name: name, outcome: "failed" });
		log.error({ err, job: name, ms: ms() }, "a job failed");
		return false;
	}
}
