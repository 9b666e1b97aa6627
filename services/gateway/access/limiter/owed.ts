/**
 * What was admitted (or given back) in memory and Redis does not know yet. It is added to the month's counter when Redis is back, if
 * that is the counter that was asked before; one that was made since comes from the ledger, which has been told of these requests
 * like of all others.
 */
import type { Shared } from "./shared.ts";

/** Most counters that something is owed to; beyond it, in the customer's favour, it is forgotten. */
const capacity = 50_000;
/** Counters that are asked at once. */
const batch = 100;

export interface Debt {
	subject: string;
	month: string;
	requests: number;
	/** Of the counter that is meant. */
	born: number;
}

export class Owed {
	readonly #shared: Pick<Shared, "add">;
	readonly #debts = new Map<string, Debt>();
	#paying: Promise<void> | undefined;

	constructor(shared: Pick<Shared, "add">) {
		this.#shared = shared;
	}

	get size(): number {
		return this.#debts.size;
	}

	owe(debt: Debt): void {
		const key = `${debt.born} ${debt.month} ${debt.subject}`;
		const known = this.#debts.get(key);
		if (known !== undefined) known.requests += debt.requests;
		else if (this.#debts.size < capacity) this.#debts.set(key, { ...debt });
	}

	/** Stops where Redis is away; never throws. */
	pay(): Promise<void> {
		this.#paying ??= this.#payAll().finally(() => {
			this.#paying = undefined;
		});
		return this.#paying;
	}

	/** One first: it finds out whether Redis is back. */
	async #payAll(): Promise<void> {
		for (let size = 1; this.#debts.size > 0; size = batch) {
			const paid = await Promise.all(this.#take(size).map((debt) => this.#payOne(debt)));
			if (paid.includes(false)) return;
		}
	}

	/** Takes them out first: what comes meanwhile is another debt. */
	#take(size: number): Debt[] {
		const debts: Debt[] = [];
		for (const [key, debt] of this.#debts) {
			if (debts.length === size) break;
			this.#debts.delete(key);
			if (debt.requests !== 0) debts.push(debt);
		}
		return debts;
	}

	async #payOne(debt: Debt): Promise<boolean> {
		const reply = await this.#shared.add(debt.subject, debt.month, debt.requests, debt.born);
		if (!reply.away) return true;
		if (reply.doubt === undefined) this.owe(debt);
		// Perhaps it was done. In the customer's favour only what is given back is tried again.
		else if (debt.requests < 0) void reply.doubt.then((used) => used === undefined && this.owe(debt));
		return false;
	}
}
