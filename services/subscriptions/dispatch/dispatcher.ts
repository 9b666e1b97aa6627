/**
 * Sends due deliveries to many webhooks at the same time, each in a slot. Only one replica at a time sends to a webhook, one delivery after
 * another; later deliveries wait for a failed one. Accounts take turns, and webhooks whose last attempt failed use at most half of the slots.
 */
import { LRUCache } from "lru-cache";
import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { isDue, latestAttempt } from "../domain/delivery.ts";
import { type LogHead, Outage } from "../queue-ingest.ts";
import { attemptDelivery } from "./attempt.ts";
import type { Deliver } from "./deliver.ts";
import { queueNext } from "./messages.ts";
import { ReplicaLocks } from "./replica-locks.ts";
import { readFirstPending, readWebhook } from "./rows.ts";

interface DispatcherOptions {
	sql: Sql;
	changeLog: ChangeLog;
	head: LogHead;
	deliver: Deliver;
	now(): Date;
	log: Pick<Logger, "error">;
	/** Pause after the first failed attempt (ms). */
	retryMs: number;
	atOnce: number;
	atOncePerAccount: number;
}

/** A webhook's turn ends after this many deliveries or this time (ms). */
const turnLimits = { deliveries: 100, ms: 10_000 };
/** How long to skip a webhook that another replica has locked (ms): all replicas choose the same webhooks first. */
const skipMs = 1_000;
/** Maximum accounts whose last turn is stored. */
const maxStoredTurns = 1_000;
/** A slot is stuck after this time without progress (ms), which is longer than any step of a turn may take. */
const stuckAfterMs = 180_000;

interface Slot {
	accountId: number;
	/** `last_delivered` of the webhook when the turn began. */
	lastDelivered: boolean;
	/** When the turn last made progress, by `performance.now()`. */
	progressAt: number;
	done: Promise<void>;
}

interface DueWebhook {
	id: number;
	account_id: number;
	last_delivered: boolean;
}

export class Dispatcher implements AsyncDisposable {
	readonly #options: DispatcherOptions;
	readonly #locks: ReplicaLocks;
	readonly #stop = new AbortController();
	readonly #outage = new Outage();
	/** Slots in use, by webhook. */
	readonly #slots = new Map<number, Slot>();
	/** Webhooks that another replica has locked, and the time (by `performance.now()`) until which each is skipped. */
	readonly #skippedUntil = new Map<number, number>();
	/** Account numbers in the order of their last turns. */
	readonly #lastTurns = new LRUCache<number, true>({ max: maxStoredTurns });
	#running: Promise<void> | undefined;
	#runAgain = false;
	/** Whether a due webhook found no slot in the current run. */
	#lacksSlots = false;
	#timer: { at: number; handle: NodeJS.Timeout } | undefined;

	constructor(options: DispatcherOptions) {
		this.#options = options;
		this.#locks = new ReplicaLocks(options.sql);
	}

	/** Gives the free slots to due webhooks, immediately or after the current run. */
	wake(): void {
		if (this.#stop.signal.aborted) return;
		this.#runAgain = true;
		this.#running ??= this.#run().finally(() => {
			this.#running = undefined;
			if (this.#runAgain) this.wake();
		});
	}

	/** Whether a slot is stuck. `at`: by `performance.now()`. */
	isStuck(at = performance.now()): boolean {
		return [...this.#slots.values()].some(({ progressAt }) => at - progressAt > stuckAfterMs);
	}

	/** Waits until no run and no turn is in progress. */
	async #idle(): Promise<void> {
		while (this.#running !== undefined || this.#slots.size > 0)
			await Promise.all([this.#running, ...[...this.#slots.values()].map(({ done }) => done)]);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#runAgain = false;
		this.#stop.abort(new Error("the service is stopping"));
		clearTimeout(this.#timer?.handle);
		await this.#idle();
		await this.#locks[Symbol.asyncDispose]();
	}

	async #run(): Promise<void> {
		while (this.#runAgain) {
			this.#runAgain = false;
			this.#lacksSlots = false;
			try {
				for (const due of await this.#readDue()) this.#startTurn(due);
				this.#outage.end();
			} catch (err) {
				if (!this.#stop.signal.aborted && !this.#outage.tolerate(err))
					this.#options.log.error({ err }, "due webhooks could not be read");
			}
		}
	}

	/**
	 * Reads the due webhooks, in the order in which they are given slots. A webhook is due if its first pending delivery is due; or if it has no
	 * pending delivery, is subscribed to changes, and the change log has new changes or (with a digest) the day of its digest has ended. Webhooks
	 * whose last attempt succeeded alternate with the others; in each group, paid plans come first, then accounts with fewer slots, then the oldest last turn.
	 */
	async #readDue(): Promise<DueWebhook[]> {
		const { sql, now, atOnce, atOncePerAccount } = this.#options;
		const currentTime = now();
		const head = await this.#options.head.seq();
		if (head === undefined) return [];
		for (const [id, until] of this.#skippedUntil) if (until <= performance.now()) this.#skippedUntil.delete(id);
		const excluded = [...this.#slots.keys(), ...this.#skippedUntil.keys()];
		const accountsInSlots = [...this.#slots.values()].map(({ accountId }) => accountId);
		return sql<DueWebhook[]>`
			with due as (
				select w.id, w.account_id, w.last_delivered, w.free, d.next_attempt_at, w.seq from webhooks w left join lateral (
					select id, next_attempt_at from deliveries where webhook_id = w.id and state = 'pending' order by seq, id limit 1
				) d on true
				where w.enabled and w.id <> all(${excluded}::bigint[]) and (
					d.next_attempt_at <= ${currentTime} or d.next_attempt_at > ${latestAttempt(currentTime)}
					or d.id is null and 'changes' = any(w.events)
						and case when w.digest is null then w.seq < ${head} else w.digest_day < ${currentTime}::timestamptz::date end)
			), per_account as (
				select due.*, turn, coalesce(slots, 0)
					+ row_number() over (partition by account_id order by last_delivered desc, next_attempt_at nulls first, seq) as slot
				from due
				left join unnest(${[...this.#lastTurns.rkeys()]}::bigint[]) with ordinality last_turns (account_id, turn) using (account_id)
				left join (select account_id, count(*) as slots from unnest(${accountsInSlots}::bigint[]) account_id group by 1) in_use using (account_id)
			), ranked as (
				select id, account_id, last_delivered, row_number() over (
					partition by last_delivered order by free, slot, turn nulls first, next_attempt_at nulls first, seq
				) as rank
				from per_account where slot <= ${atOncePerAccount}
			)
			select id, account_id, last_delivered from ranked where rank <= ${4 * atOnce} order by rank, last_delivered desc`;
	}

	#startTurn({ id, account_id: accountId, last_delivered: lastDelivered }: DueWebhook): void {
		const { atOnce, atOncePerAccount } = this.#options;
		if (this.#stop.signal.aborted || this.#slots.has(id)) return;
		const slots = [...this.#slots.values()];
		const slotsOfAccount = slots.filter((slot) => slot.accountId === accountId).length;
		const slotsOfFailing = slots.filter((slot) => !slot.lastDelivered).length;
		if (
			slots.length >= atOnce ||
			slotsOfAccount >= atOncePerAccount ||
			(!lastDelivered && slotsOfFailing >= Math.ceil(atOnce / 2))
		) {
			this.#lacksSlots = true;
			return;
		}
		this.#lastTurns.set(accountId, true);
		const slot = { accountId, lastDelivered, progressAt: performance.now(), done: Promise.resolve() };
		slot.done = this.#runTurn(id, slot)
			.catch((err: unknown) => {
				if (this.#stop.signal.aborted) return false;
				this.#options.log.error({ err, webhook: id }, "the deliveries of a webhook could not be sent");
				return false;
			})
			.then((mayBeDue) => {
				this.#slots.delete(id);
				if (mayBeDue || this.#lacksSlots) this.wake();
			});
		this.#slots.set(id, slot);
	}

	/** Sends deliveries of a webhook until none is due, one fails, or a limit of the turn is reached. @returns whether more may be due */
	async #runTurn(id: number, slot: Slot): Promise<boolean> {
		const { sql, changeLog, deliver, now, retryMs } = this.#options;
		await using lock = await this.#locks.take(id);
		if (lock === undefined) {
			this.#skippedUntil.set(id, performance.now() + skipMs);
			return false;
		}
		const signal = AbortSignal.any([this.#stop.signal, lock.lost]);
		const endsAt = performance.now() + turnLimits.ms;
		for (let sent = 0; sent < turnLimits.deliveries && performance.now() < endsAt; ) {
			signal.throwIfAborted();
			slot.progressAt = performance.now();
			const webhook = await readWebhook(sql, id);
			if (webhook?.enabled !== true) return false;
			const first = await readFirstPending(sql, id);
			if (first === undefined) {
				if (!(await queueNext(webhook, { sql, changeLog, now }))) return false;
				continue;
			}
			if (first.next_attempt_at === null || !isDue(new Date(first.next_attempt_at), now())) return false;
			const { delivered, next } = await attemptDelivery(webhook, first, { sql, deliver, now, retryMs, signal });
			if (!delivered) {
				if (next !== null) this.#wakeAt(next);
				return false;
			}
			sent++;
		}
		return true;
	}

	#wakeAt(next: Date): void {
		const at = next.getTime();
		if (this.#stop.signal.aborted || (this.#timer !== undefined && this.#timer.at <= at)) return;
		clearTimeout(this.#timer?.handle);
		const handle = setTimeout(
			() => {
				this.#timer = undefined;
				this.wake();
			},
			// A timer may fire up to a millisecond early.
			Math.max(0, at - this.#options.now().getTime()) + 1,
		);
		this.#timer = { at, handle };
	}
}
