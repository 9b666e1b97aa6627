/** Slots that callers share, with limits in total and per caller. Callers take turns, so none has to wait for all requests of another. */
import { tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import { isPaidPlan, type PlanName } from "#libs/contract/vocabulary.ts";

export interface FairQueueLimits {
	/** The plural noun that errors use for the work in the slots, such as "statements". */
	what: string;
	slots: number;
	/** Slots of one account, or of a caller without an account. */
	slotsPerCaller: number;
	/** Slots of one IP address, whichever accounts it uses (`slotsPerCaller` when absent). */
	slotsPerAddress?: number;
	/**
	 * Slots of all callers without a paid plan together; all slots when absent. If set, callers with a paid plan have priority, both for a free
	 * slot and in a full queue.
	 */
	slotsUnpaid?: number;
	/** Maximum waiting requests, in total. */
	waiting: number;
	/** Maximum waiting requests of one account, and of one address. */
	waitingPerCaller: number;
	/** Longest wait (ms). */
	waitMs: number;
}

/**
 * Identifies the caller that a request is counted for. All requests without an account and an address count as one caller, to which only the
 * total limits apply.
 */
export interface QueueCaller {
	account?: string | undefined;
	address?: string | undefined;
	plan?: PlanName | undefined;
}

interface Waiter {
	caller: QueueCaller;
	slots: number;
	enter(): void;
	refuse(error: Error): void;
}

export class Shares {
	readonly #shares = new Map<string, number>();

	of(subject: string): number {
		return this.#shares.get(subject) ?? 0;
	}

	add(subject: string, by: number): void {
		const share = this.of(subject) + by;
		if (share > 0) this.#shares.set(subject, share);
		else this.#shares.delete(subject);
	}

	addForCaller(caller: QueueCaller, by: number): void {
		for (const subject of subjectsOf(caller)) this.add(subject, by);
	}

	/** The count of the caller's account or that of its address, whichever is larger. */
	largestOf(caller: QueueCaller): number {
		return Math.max(0, ...subjectsOf(caller).map((subject) => this.of(subject)));
	}
}

/** The slots of one process; each replica has its own. */
export class FairQueue {
	readonly #limits: FairQueueLimits;
	readonly #running = new Shares();
	readonly #waiting = new Shares();
	/** Waiting requests by caller, in the order of turns. */
	readonly #turns = new Map<string, Waiter[]>();
	#slotsTaken = 0;
	#slotsTakenUnpaid = 0;
	#waitingCount = 0;

	constructor(limits: FairQueueLimits) {
		this.#limits = limits;
	}

	get load(): { running: number; waiting: number } {
		return { running: this.#slotsTaken, waiting: this.#waitingCount };
	}

	/**
	 * Resolves with a slot, at once or at this caller's turn; disposing it releases the slot. A large request can take several `slots`. If it
	 * takes more than its caller's limit, it waits until the caller holds none.
	 * @throws AppError 429 if the caller has too many requests, 503 if all callers together have too many or the wait is too long; the reason of
	 * `signal` if it aborts first
	 */
	async acquire(caller: QueueCaller, signal?: AbortSignal, slots = 1): Promise<Disposable> {
		signal?.throwIfAborted();
		const canStart = this.#hasRoom(slots) && this.#mayRun(caller, slots) && !this.#isRoomAwaited();
		if (canStart) this.#start(caller, slots);
		else await this.#wait(caller, signal, slots);
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (!held) return;
				held = false;
				this.#start(caller, -slots);
				this.#next();
			},
		};
	}

	#start(caller: QueueCaller, slots: number): void {
		this.#slotsTaken += slots;
		if (!isPaidPlan(caller.plan)) this.#slotsTakenUnpaid += slots;
		this.#running.addForCaller(caller, slots);
	}

	#hasRoom(slots: number): boolean {
		return this.#slotsTaken === 0 || this.#slotsTaken + slots <= this.#limits.slots;
	}

	/** Whether a waiting request lacks only free slots. Smaller requests must not overtake it, or it would wait forever. */
	#isRoomAwaited(): boolean {
		for (const [first] of this.#turns.values())
			if (first !== undefined && this.#mayRun(first.caller, first.slots)) return true;
		return false;
	}

	#mayRun(caller: QueueCaller, slots: number): boolean {
		const { slotsPerCaller, slotsPerAddress = slotsPerCaller, slotsUnpaid } = this.#limits;
		const takenUnpaid = !isPaidPlan(caller.plan) ? this.#slotsTakenUnpaid : 0;
		if (takenUnpaid > 0 && slotsUnpaid !== undefined && takenUnpaid + slots > slotsUnpaid) return false;
		const addressLimit = caller.account === undefined ? Math.min(slotsPerCaller, slotsPerAddress) : slotsPerAddress;
		const fits = (subject: string | undefined, limit: number) => {
			const running = subject === undefined ? 0 : this.#running.of(subject);
			return running === 0 || running + slots <= limit;
		};
		return fits(accountOf(caller), slotsPerCaller) && fits(addressOf(caller), addressLimit);
	}

	#wait(caller: QueueCaller, signal: AbortSignal | undefined, slots: number): Promise<void> {
		this.#makeQueueRoom(caller, slots);
		return new Promise((resolve, reject) => {
			const refuse = (error: unknown) => {
				this.#leave(waiter);
				settled();
				reject(error);
			};
			const waiter: Waiter = {
				caller,
				slots,
				enter: () => {
					settled();
					this.#start(caller, slots);
					resolve();
				},
				refuse,
			};
			const abort = () => refuse(signal?.reason);
			const timer = setTimeout(() => refuse(this.#busy()), this.#limits.waitMs);
			const settled = () => {
				clearTimeout(timer);
				signal?.removeEventListener("abort", abort);
			};
			signal?.addEventListener("abort", abort, { once: true });
			this.#join(waiter);
		});
	}

	/**
	 * If the queue is full, refuses a request of the caller with the most waiting requests to make room for one of a caller with fewer.
	 * @throws AppError if there is no such caller, or this caller itself has too many waiting requests
	 */
	#makeQueueRoom(caller: QueueCaller, slots: number): void {
		const { waiting, waitingPerCaller } = this.#limits;
		const callerWaiting = this.#waiting.largestOf(caller);
		if (callerWaiting >= waitingPerCaller && (callerWaiting > 0 || !this.#mayRun(caller, slots))) throw this.#tooMany();
		if (this.#waitingCount < waiting) return;
		const turnLength = this.#turns.get(keyOf(caller))?.length ?? 0;
		// If paid plans have priority, a caller without one counts as having more waiting requests than any caller with one.
		const handicap = (other: QueueCaller) => (this.#paidFirst && !isPaidPlan(other.plan) ? waiting : 0);
		let maxLength = turnLength + 1 + handicap(caller);
		let longestTurn: Waiter[] = [];
		for (const turn of this.#turns.values()) {
			const length = turn.length + handicap(turn[0]?.caller ?? caller);
			if (length <= maxLength) continue;
			maxLength = length;
			longestTurn = turn;
		}
		if (longestTurn.length === 0) throw this.#busy();
		longestTurn.at(-1)?.refuse(this.#busy());
	}

	get #paidFirst(): boolean {
		return this.#limits.slotsUnpaid !== undefined;
	}

	#join(waiter: Waiter): void {
		const key = keyOf(waiter.caller);
		const turn = this.#turns.get(key);
		if (turn === undefined) this.#turns.set(key, [waiter]);
		else turn.push(waiter);
		this.#waitingCount++;
		this.#waiting.addForCaller(waiter.caller, 1);
	}

	#leave(waiter: Waiter): void {
		const key = keyOf(waiter.caller);
		const turn = this.#turns.get(key) ?? [];
		const index = turn.indexOf(waiter);
		if (index < 0) return;
		turn.splice(index, 1);
		if (turn.length === 0) this.#turns.delete(key);
		this.#waitingCount--;
		this.#waiting.addForCaller(waiter.caller, -1);
	}

	#next(): void {
		if (this.#paidFirst) this.#nextAmong(({ plan }) => isPaidPlan(plan));
		this.#nextAmong(() => true);
	}

	/** Starts the first request of each matching caller in turn, while there are free slots. A caller whose turn it was moves to the end. */
	#nextAmong(isAmong: (caller: QueueCaller) => boolean): void {
		for (const [key, turn] of this.#turns) {
			const waiter = turn[0];
			if (waiter === undefined || !isAmong(waiter.caller) || !this.#mayRun(waiter.caller, waiter.slots)) continue;
			if (!this.#hasRoom(waiter.slots)) return;
			this.#leave(waiter);
			if (this.#turns.delete(key)) this.#turns.set(key, turn);
			waiter.enter();
		}
	}

	#tooMany() {
		return tooManyRequests(
			`you have too many ${this.#limits.what} in progress: send the next when one has finished`,
			1,
		);
	}

	#busy() {
		return unavailable(`too many ${this.#limits.what} are in progress: try again soon`, 2);
	}
}

const accountOf = ({ account }: QueueCaller) => (account === undefined ? undefined : `account:${account}`);
const addressOf = ({ address }: QueueCaller) => (address === undefined ? undefined : `address:${address}`);
/** The key by which requests take turns. */
export const keyOf = (caller: QueueCaller): string => accountOf(caller) ?? addressOf(caller) ?? "";
const subjectsOf = (caller: QueueCaller): string[] =>
	[accountOf(caller), addressOf(caller)].filter((subject) => subject !== undefined);
