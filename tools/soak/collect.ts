/**
 * Loaded into every process that is soaked: collects all garbage on SIGUSR2, so that a heap is read as what is held on to, and not as
 * what a collector has not got round to.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	process.on("SIGUSR2", () => {
		collect();
		// Frees what finalizers released.
		setImmediate(collect);
	});
}
