/** How many exports a caller has made at once: each holds one of its owner's few places, and a snapshot of the data. */
import { tooManyRequests } from "#libs/contract/errors.ts";
import { accountSubject } from "../authorization/authorizer.ts";
import type { Caller } from "../callers/caller.ts";
import type { Holder } from "./spool.ts";

export interface Places {
	/** Answers how to give the place back. Throws 429 when the caller has all of his. */
	take(holder: Holder): () => void;
}

/** Whom limits count a caller under. Whoever is on the same machine has no limit of his own. */
export function holderOf(caller: Caller): Holder {
	if (caller.kind === "key") return accountSubject(caller.accountId);
	return caller.loopback ? undefined : `address:${caller.address}`;
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
