/**
 * Releases memory when a service is idle. V8 retains the memory of a burst of work, and collects the garbage only when as much has
 * accumulated again, because only browsers notify it of idleness.
 */
import { performance } from "node:perf_hooks";

/** How often the load is measured (ms). */
const defaultEveryMs = 5_000;
/** Consecutive idle measurements before a collection, so that occasional requests do not each wait for one. */
const idleMeasurements = 3;
/** A service is idle if it is busy for less than this share of the time; probes, heartbeats and jobs without work take about that much. */
const idleShare = 0.1;

/**
 * Until disposed, runs one full collection after each period of work. It takes some tens of milliseconds (a hundred with a large cache). Does
 * nothing without `--expose-gc` (deploy/local/services.ts, Dockerfile).
 */
export function collectWhenIdle(everyMs = defaultEveryMs): Disposable {
	let before = performance.eventLoopUtilization();
	let idle = 0;
	const timer = setInterval(() => {
		const now = performance.eventLoopUtilization();
		idle = performance.eventLoopUtilization(now, before).utilization < idleShare ? idle + 1 : 0;
		before = now;
		if (idle === idleMeasurements) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
	}, everyMs).unref();
	return { [Symbol.dispose]: () => clearInterval(timer) };
}
