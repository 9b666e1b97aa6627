/**
 * Sends due deliveries: one at a time for each webhook, by one replica at a time, many webhooks at once. A delivery that fails holds up
 * those behind it. Accounts take turns, and receivers that hang have at most half of the slots.
 */
import { LRUCache } from "lru-cache";
import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { isDue, latestAttempt } from "../domain/delivery.ts";
import { type LogHead, Outage } from "../log.ts";
import { attemptDelivery } from "./attempt.ts";
import { queueNext } from "./messages.ts";
import { ReplicaLocks } from "./replica-locks.ts";
import { firstPending, readWebhook } from "./rows.ts";
import type { Sender } from "./send.ts";

interface DispatcherOptions {
	sql: Sql;
	log: ChangeLog;
	head: LogHead;
	sender: Sender;
	now(): Date;
	logger: Pick<Logger, "error">;
	retryMs: number;
	atOnce: number;
	atOncePerAccount: number;
}

/** Deliveries and time (ms) after which a turn ends. */
const turnLimits = { deliveries: 100, ms: 10_000 };
/** How long to skip a webhook that another replica sends to (ms): replicas choose in the same order. */
const skipMs = 1_000;
/** Accounts whose last turn is remembered. */
const rememberedTurns = 1_000;
/** Longer than any step of a turn may take: a slot without progress for this time is stuck (ms). */
const stuckMs = 180_000;

interface Slot {
	accountId: number;
	/** See `WebhookRow`. */
	lastDelivered: boolean;
	/** By `performance.now()`. */
	progressAt: number;
	done: Promise<void>;
}

interface Due {
	id: number;
	account_id: number;
	last_delivered: boolean;
}

export class Dispatcher implements AsyncDisposable {
	readonly #options: DispatcherOptions;
	readonly #locks: ReplicaLocks;
	readonly #stop = new AbortController();
	readonly #outage = new Outage();
	readonly #busy = new Map<number, Slot>();
	/** End of the skip (by `performance.now()`), by webhook that another replica sends to. */
	readonly #skippedUntil = new Map<number, number>();
	readonly #turns = new LRUCache<number, true>({ max: rememberedTurns });
	#running: Promise<void> | undefined;
	#again = false;
	/** A due webhook found no slot. */
	#lacksSlots = false;
	#timer: { at: number; handle: NodeJS.Timeout } | undefined;

	constructor(options: DispatcherOptions) {
		this.#options = options;
		this.#locks = new ReplicaLocks(options.sql);
	}

	/** Sends what is due at once, or after the present run. */
	wake(): void {
		if (this.#stop.signal.aborted) return;
		this.#again = true;
		this.#running ??= this.#run().finally(() => {
			this.#running = undefined;
			if (this.#again) this.wake();
		});
	}

	/** Whether a slot makes no progress. `at`: by `performance.now()`. */
	isStuck(at = performance.now()): boolean {
		return [...this.#busy.values()].some(({ progressAt }) => at - progressAt > stuckMs);
	}

	async idle(): Promise<void> {
		while (this.#running !== undefined || this.#busy.size > 0)
			await Promise.all([this.#running, ...[...this.#busy.values()].map(({ done }) => done)]);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#again = false;
		this.#stop.abort(new Error("the service stops"));
		clearTimeout(this.#timer?.handle);
		await this.idle();
		await this.#locks[Symbol.asyncDispose]();
	}

	async #run(): Promise<void> {
		while (this.#again) {
			this.#again = false;
			this.#lacksSlots = false;
			try {
				for (const due of await this.#due()) this.#begin(due);
				this.#outage.end();
			} catch (err) {
				if (!this.#stop.signal.aborted && !this.#outage.isBrief(err))
					this.#options.logger.error({ err }, "due deliveries could not be read");
			}
		}
	}

	/**
	 * Returns two lists in one: webhooks whose last attempt was delivered, and the others. In each, paid plans come first, then accounts with
	 * fewer slots, then those whose last turn is longest ago. A digest is due when its day has ended.
	 */
	async #due(): Promise<Due[]> {
		const { sql, now, atOnce, atOncePerAccount } = this.#options;
		const moment = now();
		const head = await this.#options.head.seq();
		if (head === undefined) return [];
		for (const [id, until] of this.#skippedUntil) if (until <= performance.now()) this.#skippedUntil.delete(id);
		const taken = [...this.#busy.keys(), ...this.#skippedUntil.keys()];
		const accounts = [...this.#busy.values()].map(({ accountId }) => accountId);
		return sql<Due[]>`
			with due as (
				select w.id, w.account_id, w.last_delivered, w.free, d.next_attempt_at, w.seq from webhooks w left join lateral (
					select next_attempt_at from deliveries where webhook_id = w.id and state = 'pending' order by seq, id limit 1
				) d on true
				where w.enabled and w.id <> all(${taken}::bigint[]) and (d.next_attempt_at <= ${moment}
					or d.next_attempt_at > ${latestAttempt(moment)} or d.next_attempt_at is null and case when w.digest is null then w.seq < ${head} else w.digest_day < ${moment}::timestamptz::date end)
			), of_account as (
				select due.*, turn, coalesce(slots, 0)
					+ row_number() over (partition by account_id order by last_delivered desc, next_attempt_at nulls first, seq) as slot
				from due
				left join unnest(${[...this.#turns.rkeys()]}::bigint[]) with ordinality had (account_id, turn) using (account_id)
				left join (select account_id, count(*) as slots from unnest(${accounts}::bigint[]) account_id group by 1) s using (account_id)
			), in_order as (
				select id, account_id, last_delivered, row_number() over (
					partition by last_delivered order by free, slot, turn nulls first, next_attempt_at nulls first, seq
				) as place
				from of_account where slot <= ${atOncePerAccount}
			)
			select id, account_id, last_delivered from in_order where place <= ${4 * atOnce} order by place, last_delivered desc`;
	}

	#begin({ id, account_id: accountId, last_delivered: lastDelivered }: Due): void {
		const { atOnce, atOncePerAccount } = this.#options;
		if (this.#stop.signal.aborted || this.#busy.has(id)) return;
		const slots = [...this.#busy.values()];
		const own = slots.filter((each) => each.accountId === accountId).length;
		const alike = slots.filter((each) => each.lastDelivered === lastDelivered).length;
		if (slots.length >= atOnce || own >= atOncePerAccount || (!lastDelivered && alike >= Math.ceil(atOnce / 2))) {
			this.#lacksSlots = true;
			return;
		}
		this.#turns.set(accountId, true);
		const slot = { accountId, lastDelivered, progressAt: performance.now(), done: Promise.resolve() };
		slot.done = this.#turn(id, slot)
			.catch((err: unknown) => {
				if (this.#stop.signal.aborted) return false;
				this.#options.logger.error({ err, webhook: id }, "deliveries of a webhook could not be sent");
				return false;
			})
			.then((more) => {
				this.#busy.delete(id);
				if (more || this.#lacksSlots) this.wake();
			});
		this.#busy.set(id, slot);
	}

	/** @returns whether the webhook has more to send at once */
	async #turn(id: number, slot: Slot): Promise<boolean> {
		const { sql, log, sender, now, retryMs } = this.#options;
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
			const first = await firstPending(sql, id);
			if (first === undefined) {
				if (!(await queueNext(webhook, { sql, log, now }))) return false;
				continue;
			}
			if (first.next_attempt_at === null || !isDue(new Date(first.next_attempt_at), now())) return false;
			const { delivered, next } = await attemptDelivery(webhook, first, { sql, sender, now, retryMs, signal });
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
