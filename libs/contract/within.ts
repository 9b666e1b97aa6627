/**
 * Waits for a promise for at most `timeoutMs`; undefined afterwards. A result that arrived while this process was too busy to read it
 * is still in time: the delay does not show that the other side hangs.
 */
export function within<T>(promise: Promise<T>, timeoutMs: number): Promise<{ value: T } | undefined> {
	return new Promise((resolve, reject) => {
		// Timers come before sockets in a turn of the event loop, immediates after them.
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
