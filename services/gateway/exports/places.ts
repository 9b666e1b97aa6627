/** How many exports a caller has made at once: each holds one of its owner's few places, and a snapshot of the data. */
import { tooManyRequests } from "#libs/contract/errors.ts";
import { Shares } from "#libs/service/fair-queue.ts";
import type { Holder } from "./spool.ts";

export interface Places {
	/** Answers how to give the place back. @throws AppError 429 when the caller has as many as it may. */
	take(holder: Holder): () => void;
}

/** Of one gateway: with several a caller may have as many at each. */
export function placesOf(most: number): Places {
	const taken = new Shares();
	return {
		take(holder) {
			if (holder === undefined) return () => {};
			if (taken.of(holder) >= most)
				throw tooManyRequests(`${most} exports of yours are being made: ask for the next when one is there`, 5);
			taken.add(holder, 1);
			return () => taken.add(holder, -1);
		},
	};
}
