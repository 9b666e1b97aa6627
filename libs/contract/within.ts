/**
 * Waits for a promise for at most `timeoutMs`; undefined afterwards. A result that arrived while this process was too busy to read it is
 * still in time, because the other side did not cause the delay.
 */
export function within<T>(promise: Promise<T>, timeoutMs: number): Promise<{ value: T } | undefined> {
	return new Promise((resolve, reject) => {
		// The event loop runs timers before sockets, and immediates after them.
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
		const leave = () => reject(signal.reason);
		if (signal.aborted) leave();
		signal.addEventListener("abort", leave, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
	});
}
