/**
 * Batches reads of rows by key: keys that are requested while other statements are running are read together by the next statement. A batch
 * costs much less than separate reads, and a read with no others in progress is not delayed.
 */

export interface ReadTogetherOptions {
	/** Concurrent statements (2 when absent). */
	statements?: number;
	/** Maximum keys per statement (100 when absent). */
	keys?: number;
}

/**
 * Returns a function that reads the row of one key, undefined if there is none, with a statement that begins after the call. `read` returns the
 * rows of distinct keys. If a statement fails, all its callers receive the error; its span belongs to the trace of one of them.
 */
export function readTogether<V>(
	read: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
	{ statements = 2, keys: maxKeys = 100 }: ReadTogetherOptions = {},
): (key: string) => Promise<V | undefined> {
	const pending = new Map<string, PromiseWithResolvers<V | undefined>>();
	let running = 0;
	let scheduled = false;

	async function runBatch(): Promise<void> {
		scheduled = false;
		if (running >= statements || pending.size === 0) return;
		const batch = [...pending].slice(0, maxKeys);
		for (const [key] of batch) pending.delete(key);
		running++;
		try {
			const rows = await read(batch.map(([key]) => key));
			for (const [key, { resolve }] of batch) resolve(rows.get(key));
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
		// The batch starts at the end of this event-loop turn, because one packet often carries several requests.
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
