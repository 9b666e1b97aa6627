/**
 * Rows read by their keys: what is asked for while statements are under way is read by the next one, together. One row costs a statement
 * much less in company than alone, and nobody who asks alone waits for anybody.
 */

export interface ReadTogetherOptions {
	/** Statements at once (2 when absent). */
	statements?: number;
	/** Most keys of a statement (100 when absent). */
	keys?: number;
}

/**
 * `read` answers the rows that it found of some keys, each key once. What the function answers is of a statement that began after it was
 * called; undefined where nothing was found. A statement that fails, fails for all its keys; it stands in the trace of one of its callers.
 */
export function readTogether<V>(
	read: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
	{ statements = 2, keys: mostKeys = 100 }: ReadTogetherOptions = {},
): (key: string) => Promise<V | undefined> {
	const waiting = new Map<string, PromiseWithResolvers<V | undefined>>();
	let underWay = 0;
	let begins = false;

	async function next(): Promise<void> {
		begins = false;
		if (underWay >= statements || waiting.size === 0) return;
		const batch = [...waiting].slice(0, mostKeys);
		for (const [key] of batch) waiting.delete(key);
		underWay++;
		try {
			const found = await read(batch.map(([key]) => key));
			for (const [key, { resolve }] of batch) resolve(found.get(key));
		} catch (error) {
			for (const [, { reject }] of batch) reject(error);
		} finally {
			underWay--;
			begin();
		}
	}

	function begin(): void {
		if (begins || underWay >= statements || waiting.size === 0) return;
		begins = true;
		// At the end of this turn: one packet often brings several requests.
		setImmediate(() => {
			void next();
			begin();
		});
	}

	return (key) => {
		const asked = waiting.get(key) ?? Promise.withResolvers<V | undefined>();
		waiting.set(key, asked);
		begin();
		return asked.promise;
	};
}
