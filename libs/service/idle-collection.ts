/**
 * Gives memory back once a service has nothing more to do. By itself V8 keeps every page that a burst of work ever took, and collects none
 * of its garbage before as much again has come: only a browser tells it that it is idle.
 */
import { performance } from "node:perf_hooks";

/** How often it is looked at (ms). */
const usually = 5_000;
/** After so many times in a row that it had nothing to do: a request now and then is not to wait for a collection each time. */
const inARow = 3;
/** A service that is busy for a smaller share of the time is idle: it answers probes and heartbeats, and its jobs find nothing to do. */
const idleShare = 0.1;

/**
 * From now on until disposed: one whole collection after each time of work, some tens of milliseconds (of a large cache: a hundred).
 * Needs `--expose-gc` (deploy/local/services.ts, Dockerfile); without it nothing is done.
 */
export function collectWhenIdle(everyMs = usually): Disposable {
	let before = performance.eventLoopUtilization();
	let idle = 0;
	const timer = setInterval(() => {
		const now = performance.eventLoopUtilization();
		idle = performance.eventLoopUtilization(now, before).utilization < idleShare ? idle + 1 : 0;
		before = now;
		if (idle === inARow) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
	}, everyMs).unref();
	return { [Symbol.dispose]: () => clearInterval(timer) };
}
