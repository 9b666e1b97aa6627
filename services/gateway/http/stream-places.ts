/** How many streamed answers a caller reads at once: each holds one of its owner's few places, and a snapshot of the data, for as long as its reader takes. */
import { tooManyRequests } from "#libs/contract/errors.ts";
import type { Caller } from "../access/caller.ts";
import { accountSubject } from "../access/door.ts";

export interface StreamPlaces {
	/** Answers how to give the place back. Throws 429 when the caller has all of his. */
	take(caller: Caller): () => void;
}

/** Of one gateway: with several a caller may have as many at each. Whoever is on the same machine has no limit. */
export function streamPlaces(most: number): StreamPlaces {
	const taken = new Map<string, number>();
	const add = (subject: string, by: number) => {
		const now = (taken.get(subject) ?? 0) + by;
		if (now > 0) taken.set(subject, now);
		else taken.delete(subject);
	};
	return {
		take(caller) {
			if (caller.kind === "anonymous" && caller.loopback) return () => {};
			const subject = caller.kind === "key" ? accountSubject(caller.accountId) : `address:${caller.address}`;
			if ((taken.get(subject) ?? 0) >= most)
				throw tooManyRequests(`${most} files of yours are being sent: ask for the next when one has ended`, 5);
			add(subject, 1);
			return () => add(subject, -1);
		},
	};
}
