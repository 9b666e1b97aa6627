/** Works on many rows in small transactions, so that none blocks others for long and an interrupted run continues next time. */

/**
 * Calls `some`, which handles at most `most` rows, until it handles fewer. @returns the number of rows. @throws the signal's reason when it
 * fires
 */
export async function inBatches(
	signal: AbortSignal,
	most: number,
	some: (most: number) => Promise<number>,
): Promise<number> {
	for (let total = 0; ; ) {
		signal.throwIfAborted();
		const done = await some(most);
		total += done;
		if (done < most) return total;
	}
}
