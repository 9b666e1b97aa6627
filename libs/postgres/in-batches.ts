/** Processes many rows in small transactions, so that none blocks others for long and an interrupted run can be continued. */

/**
 * Calls `processBatch`, which processes at most `most` rows, until it processes fewer. @returns the number of rows.
 * @throws the signal's reason when it fires
 */
export async function inBatches(
	signal: AbortSignal,
	most: number,
	processBatch: (most: number) => Promise<number>,
): Promise<number> {
	for (let total = 0; ; ) {
		signal.throwIfAborted();
		const done = await processBatch(most);
		total += done;
		if (done < most) return total;
	}
}
