/** Work on many rows in small transactions: none holds others up for long, and what is interrupted goes on next time. */

/** Does `some` with at most `most` rows a time until it finds fewer. Answers how many in all; throws the signal's reason when it fires. */
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
