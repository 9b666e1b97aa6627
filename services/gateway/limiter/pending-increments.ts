/**
 * Requests that were counted (or given back) in memory while Redis was away. They are added to the month's counter when Redis is back,
 * if it is the same generation; a counter that was made since comes from the ledger, which has counted these requests already.
 */
import type { RedisStore } from "./redis-store.ts";

/** Most counters with pending increments; further ones are dropped, in the customer's favour. */
const capacity = 50_000;
/** Counters that are asked at once. */
const batch = 100;

export interface Increment {
	subject: string;
	month: string;
	requests: number;
	/** Of the counter that is meant. */
	generation: number;
}

export class PendingIncrements {
	readonly #shared: Pick<RedisStore, "add">;
	readonly #increments = new Map<string, Increment>();
	#flushing: Promise<void> | undefined;

	constructor(shared: Pick<RedisStore, "add">) {
		this.#shared = shared;
	}

	get size(): number {
		return this.#increments.size;
	}

	enqueue(increment: Increment): void {
		const key = `${increment.generation} ${increment.month} ${increment.subject}`;
		const known = this.#increments.get(key);
		if (known !== undefined) known.requests += increment.requests;
		else if (this.#increments.size < capacity) this.#increments.set(key, { ...increment });
	}

	/** Stops where Redis is away; never throws. */
	flush(): Promise<void> {
		this.#flushing ??= this.#flushAll().finally(() => {
			this.#flushing = undefined;
		});
		return this.#flushing;
	}

	/** One first: it finds out whether Redis is back. */
	async #flushAll(): Promise<void> {
		for (let size = 1; this.#increments.size > 0; size = batch) {
			const flushed = await Promise.all(this.#take(size).map((increment) => this.#flushOne(increment)));
			if (flushed.includes(false)) return;
		}
	}

	/** Takes them out first: what comes meanwhile is another increment. */
	#take(size: number): Increment[] {
		const increments: Increment[] = [];
		for (const [key, increment] of this.#increments) {
			if (increments.length === size) break;
			this.#increments.delete(key);
			if (increment.requests !== 0) increments.push(increment);
		}
		return increments;
	}

	async #flushOne(increment: Increment): Promise<boolean> {
		const reply = await this.#shared.add(increment.subject, increment.month, increment.requests, increment.generation);
		if (!reply.away) return true;
		if (reply.lateResult === undefined) this.enqueue(increment);
		// Perhaps it was done. In the customer's favour only what is given back is tried again.
		else if (increment.requests < 0)
			void reply.lateResult.then((used) => used === undefined && this.enqueue(increment));
		return false;
	}
}
