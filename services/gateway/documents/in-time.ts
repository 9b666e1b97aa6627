/** Rejects when the signal fires first; what was asked for goes on, and is kept when it comes. */
export function inTime<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const late = () => reject(signal.reason);
		asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", late));
		if (signal.aborted) late();
		else signal.addEventListener("abort", late, { once: true });
	});
}
