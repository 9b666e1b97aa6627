/**
 * Answered requests on their way to the ledger: kept until JetStream has acknowledged them, in order, in a buffer of bounded length.
 * While NATS is away they wait here; when the buffer is full the gateway answers no more, for it could not say so.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { Bus, Log } from "#libs/bus/connect.ts";
import { incidentOf } from "#libs/bus/incident.ts";
import { messageOf, type Outgoing, publishDirectly } from "#libs/bus/publish.ts";
import { backoffMs, Wake } from "#libs/bus/wake.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import type { UsageFiles } from "./usage-files.ts";

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
	/** Where what is recorded is written before it is published. */
	files?: Pick<UsageFiles, "write"> | undefined;
	now(): Date;
}

/** Requests of one event. */
const batchSize = 500;
/** Events sent at once: many wait only after NATS was away. */
const eventsAtOnce = 10;
/** How long the first waits for company (ms). */
const lingerMs = 50;
/** An acknowledgement that has not come by then is taken for lost: sending it again is harmless (ms). */
const ackTimeoutMs = 2_000;
/** Longest end (ms). */
const closeMs = 2_000;
const longestSleepMs = 60_000;

interface Batch {
	message: Outgoing;
	/** How many of the entries it holds. */
	size: number;
	/** Whether it is on the disk: then it is sent by the next start at the latest. */
	written: boolean;
}

interface State extends UsageOptions {
	/** Oldest first. What is being sent is in it until it is acknowledged. */
	entries: UsageEntry[];
	/** The oldest entries as events, in order, written to files. */
	batches: Batch[];
	/** How many entries those are. */
	batched: number;
	/** Nothing more is recorded: the loops end with the last entry. */
	closing: boolean;
	/** Nothing more is batched. */
	collected: boolean;
	/** Nothing more is sent. */
	ended: boolean;
	lost: number;
	/** Called when there is something to batch, or nothing will ever be; and likewise to send. */
	collect: Wake;
	send: Wake;
}

/** Sends what is recorded until disposed; that waits a bounded time for what is left, and says how much was lost. */
export function openUsage(options: UsageOptions): Usage {
	const state: State = {
		...options,
		...{ entries: [], batches: [], batched: 0, closing: false, collected: false, ended: false, lost: 0 },
		...{ collect: new Wake(), send: new Wake() },
	};
	const { entries, log, capacity } = state;
	// Who was let in before it was full is still to be recorded; twice the capacity is only met where `hasRoom` is not asked.
	const most = capacity * 2;
	// From the beginning: started by a request it would go on in that request's trace.
	const sending = Promise.all([collectUntilClosed(state), sendUntilClosed(state)]);
	return {
		record(entry) {
			if (state.ended || entries.length >= most) {
				if (state.lost++ === 0) log.error({ waiting: entries.length }, "answered requests are not recorded");
			} else if (entries.push(entry) === state.batched + 1) state.collect.call();
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
			state.collect.call();
			const timer = new AbortController();
			await Promise.race([sending, pause(closeMs, undefined, { signal: timer.signal }).catch(() => {})]);
			timer.abort();
			state.ended = true;
			const written = sizeOf(state.batches.filter((batch) => batch.written));
			const lost = state.lost + entries.length - written;
			if (written > 0) log.info({ written }, "usage on the disk is left for the next start");
			if (lost > 0) log.error({ lost }, "usage was lost");
		},
	};
}

/** Makes events of what is recorded, whether or not NATS is there to take them. */
async function collectUntilClosed(state: State): Promise<void> {
	const { entries, batches, log, files } = state;
	const message = "usage cannot be written to the disk";
	const incident = incidentOf({ log, level: "error", message, closed: "usage is written to the disk again" });
	for (;;) {
		const fresh = entries.length - state.batched;
		if (fresh === 0 && state.closing) break;
		if (fresh === 0) await state.collect.sleep(longestSleepMs);
		else {
			if (fresh < batchSize && !state.closing) await pause(lingerMs);
			const batch = nextBatch(state);
			if (batch === undefined) continue;
			state.batched += batch.size;
			try {
				await files?.write(batch.message);
				batch.written = files !== undefined;
				incident.close();
			} catch (error) {
				incident.open(error);
			}
			batches.push(batch);
			state.send.call();
		}
	}
	state.collected = true;
	state.send.call();
}

/** An entry that is no such event is an error of ours, of which the others must not have to wait. */
function nextBatch(state: State): Batch | undefined {
	const { entries, batched, log } = state;
	const some = entries.slice(batched, batched + batchSize);
	try {
		return { message: messageOf(usageRecorded, eventOf(some)), size: some.length, written: false };
	} catch (err) {
		const sayable = some.filter((entry) => usageRecorded.payload.safeParse(eventOf([entry])).success);
		entries.splice(batched, some.length, ...sayable);
		const dropped = some.length - sayable.length;
		state.lost += dropped;
		log.error({ err, dropped }, "usage cannot be said");
		return undefined;
	}
}

async function sendUntilClosed(state: State): Promise<void> {
	const { batches, log } = state;
	for (let failures = 0; !state.ended; ) {
		if (batches.length === 0) {
			if (state.collected) return;
			await state.send.sleep(longestSleepMs);
			continue;
		}
		if (failures > 0) await pause(backoffMs(failures, 100, 1_000));
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
	const { bus, batches, entries } = state;
	if (!bus.connected) return new Error("there is no connection to NATS");
	const some = batches.slice(0, eventsAtOnce);
	const messages = some.map(({ message }) => message);
	try {
		await publishDirectly(bus, messages, ackTimeoutMs);
	} catch (error) {
		return error;
	}
	batches.splice(0, some.length);
	const sent = sizeOf(some);
	entries.splice(0, sent);
	state.batched -= sent;
	return undefined;
}

const sizeOf = (batches: readonly Batch[]): number => batches.reduce((sum, { size }) => sum + size, 0);

/** Called by its first request: ids of requests are unique. */
function eventOf(entries: readonly UsageEntry[]): Recorded {
	const requests = entries.map((entry) => ({ ...entry, occurred_at: entry.occurred_at.toISOString() }));
	return { id: entries[0]?.id ?? "", occurred_at: requests.at(-1)?.occurred_at ?? "", version: 1, requests };
}

function backlogOf({ entries, now }: State): { waiting: number; oldest_seconds: number } {
	const oldest = entries[0]?.occurred_at ?? now();
	return { waiting: entries.length, oldest_seconds: Math.round((now().getTime() - oldest.getTime()) / 1_000) };
}
