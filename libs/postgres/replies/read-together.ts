/**
 * Batches reads of rows by key: keys that are requested while statements are running are read together by the next statement. A batch costs
 * much less than single reads; a single request is not delayed.
 */

export interface ReadTogetherOptions {
	/** Concurrent statements (2 when absent). */
	statements?: number;
	/** Maximum keys per statement (100 when absent). */
	keys?: number;
}

/**
 * `read` returns the rows of distinct keys. The returned function resolves with the row that a statement begun after the call has read, or
 * undefined if there is none. A failed statement rejects all its keys; its span belongs to the trace of one of the callers.
 */
export function readTogether<V>(
	read: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
	{ statements = 2, keys: mostKeys = 100 }: ReadTogetherOptions = {},
): (key: string) => Promise<V | undefined> {
	const pending = new Map<string, PromiseWithResolvers<V | undefined>>();
	let running = 0;
	let scheduled = false;

	async function runBatch(): Promise<void> {
		scheduled = false;
		if (running >= statements || pending.size === 0) return;
		const batch = [...pending].slice(0, mostKeys);
		for (const [key] of batch) pending.delete(key);
		running++;
		try {
			const found = await read(batch.map(([key]) => key));
			for (const [key, { resolve }] of batch) resolve(found.get(key));
		} catch (error) {
			for (const [, { reject }] of batch) reject(error);
		} finally {
			running--;
			scheduleBatch();
		}
	}

	function scheduleBatch(): void {
		if (scheduled || running >= statements || pending.size === 0) return;
		scheduled = true;
		// Waits for the end of this event-loop turn: one packet often carries several requests.
		setImmediate(() => {
			void runBatch();
			scheduleBatch();
		});
	}

	return (key) => {
		const request = pending.get(key) ?? Promise.withResolvers<V | undefined>();
		pending.set(key, request);
		scheduleBatch();
		return request.promise;
	};
}
