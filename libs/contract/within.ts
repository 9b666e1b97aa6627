/**
 * Waits for a promise for up to `timeoutMs`, and then returns undefined. A result that arrived in time but was not read because this process was busy
 * still counts, because the other side did not cause the delay.
 */
export function within<T>(promise: Promise<T>, timeoutMs: number): Promise<{ value: T } | undefined> {
	return new Promise((resolve, reject) => {
		// The event loop runs timers, then reads sockets, then runs immediates: the socket is therefore read once more before the timeout counts.
		const timer = setTimeout(() => setImmediate(() => resolve(undefined)), timeoutMs);
		promise.then(
			(value) => {
				clearTimeout(timer);
				resolve({ value });
			},
			(error) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}

/** Settles as the promise does, or rejects with the reason of `signal` if it fires first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		signal.addEventListener("abort", abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}
