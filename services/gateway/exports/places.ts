/** How many exports a caller has made at once: each holds one of its owner's few places, and a snapshot of the data. */
import { tooManyRequests } from "#libs/contract/errors.ts";
import type { Holder } from "./spool.ts";

export interface Places {
	/** Answers how to give the place back. @throws AppError 429 when the caller has as many as it may. */
	take(holder: Holder): () => void;
}

/** Of one gateway: with several a caller may have as many at each. */
export function placesOf(most: number): Places {
	const taken = new Map<string, number>();
	const add = (holder: string, by: number) => {
		const now = (taken.get(holder) ?? 0) + by;
		if (now > 0) taken.set(holder, now);
		else taken.delete(holder);
	};
	return {
		take(holder) {
			if (holder === undefined) return () => {};
			if ((taken.get(holder) ?? 0) >= most)
				throw tooManyRequests(`${most} exports of yours are being made: ask for the next when one is there`, 5);
			add(holder, 1);
			return () => add(holder, -1);
		},
	};
}
