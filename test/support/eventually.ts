import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again and again until `probe` neither throws (a failed expectation does) nor answers undefined or false, and
 * answers what it said. Past the deadline it fails with the last reason.
 */
export async function eventually<T>(
	probe: () => T | Promise<T>,
	{ withinMs = 20_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<Awaited<T>, undefined | false>> {
	const deadline = performance.now() + withinMs;
	for (;;) {
		let reason: unknown;
		try {
			const answer = await probe();
			if (answer !== undefined && answer !== false) return answer as Exclude<Awaited<T>, undefined | false>;
			reason = `the last answer was ${answer}`;
		} catch (error) {
			reason = error;
		}
		if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${reason}`, { cause: reason });
		await sleep(everyMs);
	}
}
