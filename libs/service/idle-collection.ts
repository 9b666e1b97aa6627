/**
 * Releases memory when a service is idle. By itself V8 keeps the memory of a burst of work, and collects its garbage only when as much
 * has come again: only browsers notify it that they are idle.
 */
import { performance } from "node:perf_hooks";

/** How often the load is measured (ms). */
const defaultEveryMs = 5_000;
/** Idle measurements in a row before a collection, so that occasional requests do not each wait for one. */
const idleMeasurements = 3;
/** A service that is busy for a smaller share of the time is idle: probes, heartbeats and jobs without work take that much. */
const idleShare = 0.1;

/**
 * Until disposed, runs one full collection after each period of work, which takes some tens of milliseconds (a hundred with a large cache).
 * Needs `--expose-gc` (deploy/local/services.ts, Dockerfile); without it nothing is done.
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
