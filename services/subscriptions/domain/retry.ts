/** When a delivery that failed is tried again, and when no more. Pure. */

const hourMs = 3_600_000;
/** From the first attempt to the last one. */
export const retryForMs = 72 * hourMs;
const longestPauseMs = 8 * hourMs;
/** More than clocks differ, or are put back by hand. */
const clocksDifferMs = 2 * hourMs;

/**
 * The next attempt after `attempts`, of which the first was at `firstAt` and the last has failed at `now`: after `firstPauseMs`, then
 * after three times as long each time, up to eight hours. The last attempt is three days after the first; null after it.
 */
export function nextAttempt(attempts: number, firstAt: Date, now: Date, firstPauseMs = 5_000): Date | null {
	const end = firstAt.getTime() + retryForMs;
	if (now.getTime() >= end) return null;
	const pauseMs = Math.min(longestPauseMs, firstPauseMs * 3 ** (attempts - 1));
	return new Date(Math.min(end, now.getTime() + pauseMs));
}

/** The latest time that an attempt can be planned for: one after it was planned by a clock that was wrong, and is due at once. */
export const latestAttempt = (now: Date): Date => new Date(now.getTime() + longestPauseMs + clocksDifferMs);

export const isDue = (attempt: Date, now: Date): boolean => attempt <= now || attempt > latestAttempt(now);
