/**
 * Answered requests on their way to the ledger: kept until JetStream has acknowledged them, in order, in a buffer of bounded length.
 * While NATS is away they wait here; when the buffer is full the gateway answers no more, for it could not say so.
 */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Bus, Log } from "#libs/bus/connect.ts";
import { publishDirectly } from "#libs/bus/publish.ts";
import { backoffMs } from "#libs/bus/wake.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";

type Recorded = z.output<typeof usageRecorded.payload>;
/** One answered request. Written as JSON when it is published, not while the caller waits for the answer. */
export type UsageEntry = Omit<Recorded["requests"][number], "occurred_at"> & { occurred_at: Date };

export interface Usage extends AsyncDisposable {
	/** To call once for each answered request. Never throws, waits for nothing. */
	record(entry: UsageEntry): void;
	/** False when the buffer is full: the request is to be refused before it is answered. */
	readonly hasRoom: boolean;
	/** Requests that no acknowledgement has removed yet. */
	readonly waiting: number;
	/** Requests of an account, or of a key, that count against a quota and are not acknowledged: the ledger cannot know of them. */
	countsNotYetSaid(of: Partial<Pick<UsageEntry, "account_id" | "key_id">>): number;
}

export interface UsageOptions {
	bus: Bus;
	log: Log;
	/** Requests that may wait before `hasRoom` is false. */
	capacity: number;
	now(): Date;
}

/** Requests of one event. */
const batchSize = 500;
/** How long the first waits for company (ms). */
const lingerMs = 50;
/** An acknowledgement that has not come by then is taken for lost: sending it again is harmless (ms). */
const ackTimeoutMs = 2_000;
/** Longest end (ms). */
const closeMs = 2_000;

interface State extends UsageOptions {
	/** Oldest first. What is being sent is in it until it is acknowledged. */
	entries: UsageEntry[];
	/** What was sent last and is not acknowledged: it is sent again as it was, for JetStream may have it. */
	unacknowledged?: Recorded | undefined;
	/** Nothing more is recorded: the loop ends with the last entry. */
	closing: boolean;
	/** Nothing more is sent. */
	ended: boolean;
	lost: number;
	/** Called when there is something to send, or nothing will ever be. */
	wake(): void;
}

/** Sends what is recorded until disposed; that waits a bounded time for what is left, and says how much was lost. */
export function openUsage(options: UsageOptions): Usage {
	const state: State = { ...options, entries: [], closing: false, ended: false, lost: 0, wake() {} };
	const { entries, log, capacity } = state;
	// Who was let in before it was full is still to be recorded; twice the capacity is only met where `hasRoom` is not asked.
	const most = capacity * 2;
	// From the beginning: started by a request it would go on in that request's trace.
	const sending = sendUntilClosed(state);
	return {
		record(entry) {
			if (state.ended || entries.length >= most) {
				if (state.lost++ === 0) log.error({ waiting: entries.length }, "answered requests are not recorded");
			} else if (entries.push(entry) === 1) state.wake();
		},
		get hasRoom() {
			return entries.length < capacity;
		},
		get waiting() {
			return entries.length;
		},
		countsNotYetSaid: ({ account_id, key_id }) =>
			entries.filter(
				(entry) =>
					entry.counted &&
					(account_id === undefined || entry.account_id === account_id) &&
					(key_id === undefined || entry.key_id === key_id),
			).length,
		async [Symbol.asyncDispose]() {
			state.closing = true;
			state.wake();
			const timer = new AbortController();
			await Promise.race([sending, pause(closeMs, undefined, { signal: timer.signal }).catch(() => {})]);
			timer.abort();
			state.ended = true;
			const lost = state.lost + entries.length;
			if (lost > 0) log.error({ lost }, "usage was lost");
		},
	};
}

async function sendUntilClosed(state: State): Promise<void> {
	const { entries, log } = state;
	for (let failures = 0; !state.ended; ) {
		if (entries.length === 0) {
			if (state.closing) return;
			await new Promise<void>((resolve) => {
				state.wake = resolve;
			});
		}
		if (failures > 0) await pause(backoffMs(failures, 100, 1_000));
		else if (entries.length < batchSize && !state.closing) await pause(lingerMs);
		const err = await sendSome(state);
		if (err !== undefined) {
			// Then about once a minute.
			if (failures++ % 60 === 0) log.warn({ err, ...backlogOf(state) }, "usage is not acknowledged");
		} else if (failures > 0) {
			failures = 0;
			log.info(backlogOf(state), "usage is acknowledged again");
		}
	}
}

/** Answers why it was in vain, if it was. Who is not connected sends nothing: the client would keep it, once an attempt. */
async function sendSome(state: State): Promise<unknown> {
	const { bus, entries } = state;
	if (!bus.connected) return new Error("there is no connection to NATS");
	if (entries.length === 0) return undefined;
	state.unacknowledged ??= eventOf(entries.slice(0, batchSize));
	try {
		await publishDirectly(bus, usageRecorded, [state.unacknowledged], ackTimeoutMs);
		entries.splice(0, state.unacknowledged.requests.length);
	} catch (error) {
		if (!(error instanceof z.ZodError)) return error;
		dropUnsayable(state, state.unacknowledged, error);
	}
	state.unacknowledged = undefined;
	return undefined;
}

/** An entry that cannot be said is an error of ours, of which the others must not have to wait. */
function dropUnsayable(state: State, event: Recorded, err: z.ZodError): void {
	const { entries, log } = state;
	const tried = entries.splice(0, event.requests.length);
	const sayable = tried.filter((entry) => usageRecorded.payload.safeParse(eventOf([entry])).success);
	entries.unshift(...sayable);
	const dropped = tried.length - sayable.length;
	state.lost += dropped;
	log.error({ err, dropped }, "usage cannot be said");
}

/** Called by its first request: ids of requests are unique. */
function eventOf(entries: readonly UsageEntry[]): Recorded {
	const requests = entries.map((entry) => ({ ...entry, occurred_at: entry.occurred_at.toISOString() }));
	return { id: entries[0]?.id ?? "", occurred_at: requests.at(-1)?.occurred_at ?? "", version: 1, requests };
}

function backlogOf({ entries, now }: State): { waiting: number; oldest_seconds: number } {
	const oldest = entries[0]?.occurred_at ?? now();
	return { waiting: entries.length, oldest_seconds: Math.round((now().getTime() - oldest.getTime()) / 1_000) };
}
