/** Processes many rows in small transactions, so that none blocks others for long and an interrupted run can be resumed. */

/**
 * Calls `processBatch`, which processes up to `batchRows` rows, until it processes fewer. Returns the total number of rows.
 * @throws the signal's reason when it fires
 */
export async function inBatches(
	signal: AbortSignal,
	batchRows: number,
	processBatch: (batchRows: number) => Promise<number>,
): Promise<number> {
	for (let total = 0; ; ) {
		signal.throwIfAborted();
		const rows = await processBatch(batchRows);
		total += rows;
		if (rows < batchRows) return total;
	}
}
