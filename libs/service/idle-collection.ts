/**
 * Releases memory when a service is idle. After a burst of work, V8 collects the garbage only when as much has accumulated again: only browsers
 * notify it that they are idle.
 */
import { performance } from "node:perf_hooks";

/** How often the load is measured (ms). */
const defaultEveryMs = 5_000;
/** Consecutive idle measurements before a collection, so that occasional requests do not each wait for one. */
const idleMeasurements = 3;
/** A service is idle if it works less than this share of the time: a little more than probes, heartbeats and jobs without work take. */
const idleShare = 0.1;

/**
 * Until disposed, runs one full collection after each period of work. It takes some tens of milliseconds (a hundred with a large cache). Does
 * nothing without `--expose-gc` (deploy/local/services.ts, Dockerfile).
 */
export function collectWhenIdle(everyMs = defaultEveryMs): Disposable {
	let lastUtilization = performance.eventLoopUtilization();
	let idleCount = 0;
	const timer = setInterval(() => {
		const utilization = performance.eventLoopUtilization();
		const isIdle = performance.eventLoopUtilization(utilization, lastUtilization).utilization < idleShare;
		idleCount = isIdle ? idleCount + 1 : 0;
		lastUtilization = utilization;
		if (idleCount === idleMeasurements) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
	}, everyMs).unref();
	return { [Symbol.dispose]: () => clearInterval(timer) };
}
