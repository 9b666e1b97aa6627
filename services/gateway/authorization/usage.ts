/**
 * Buffers answered requests, in order, until JetStream acknowledges them. The buffer is bounded: when it is full, for example because NATS is
 * unavailable, the gateway refuses requests, because it could not record them.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { Bus, Log } from "#libs/bus/connect.ts";
import { messageOf, type Outgoing, publishDirectly } from "#libs/bus/events/publish.ts";
import { incidentOf } from "#libs/bus/incident.ts";
import { backoffMs, Wake } from "#libs/bus/wake.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import type { UsageFiles } from "./usage-files.ts";

type Recorded = z.output<typeof usageRecorded.payload>;
/** One answered request. It is serialized when it is published, not while the caller waits for the response. */
export type UsageEntry = Omit<Recorded["requests"][number], "occurred_at"> & { occurred_at: Date };

export interface Usage extends AsyncDisposable {
	/** Records an answered request. Never throws or waits. */
	record(entry: UsageEntry): void;
	/** False when the buffer is full: requests must be refused before they are answered. */
	readonly hasRoom: boolean;
	readonly waiting: number;
	countPending(owner: Partial<Pick<UsageEntry, "account_id" | "key_id">>): number;
}

export interface UsageOptions {
	bus: Bus;
	log: Log;
	/** Requests in the buffer before `hasRoom` is false. */
	capacity: number;
	/** Stores events on disk before they are published; undefined without USAGE_DIR. */
	files?: Pick<UsageFiles, "write"> | undefined;
	now(): Date;
}

const batchSize = 500;
const eventsAtOnce = 10;
/** How long a request waits for others to share an event with (ms). */
const lingerMs = 50;
/** After this time an acknowledgement counts as lost. Publishing the event again is harmless (ms). */
const ackTimeoutMs = 2_000;
const maxCloseMs = 2_000;
const maxSleepMs = 60_000;

interface Batch {
	message: Outgoing;
	size: number;
	/** Whether it is on disk. If so, this process or the next one publishes it. */
	written: boolean;
}

interface State extends UsageOptions {
	/** Oldest first. An entry stays here until it is acknowledged. */
	entries: UsageEntry[];
	/** The oldest entries, as events to be published, in order. */
	batches: Batch[];
	batched: number;
	/** Disposal has begun: the loops end after the last entry. */
	closing: boolean;
	/** The last batch has been created. */
	collected: boolean;
	/** Disposal has ended: entries are no longer accepted or published. */
	ended: boolean;
	lost: number;
	/** `collect` wakes the loop that creates batches, `send` the loop that publishes them. */
	collect: Wake;
	send: Wake;
}

/** Publishes recorded entries until it is disposed. Disposal waits a bounded time for the rest and logs how many were lost. */
export function openUsage(options: UsageOptions): Usage {
	const state: State = {
		...options,
		...{ entries: [], batches: [], batched: 0, closing: false, collected: false, ended: false, lost: 0 },
		...{ collect: new Wake(), send: new Wake() },
	};
	const { entries, log, capacity } = state;
	// Requests that were accepted before the buffer was full are still recorded. They never reach twice the capacity.
	const maxEntries = capacity * 2;
	// The loops start here and not with the first request, because they would continue its trace.
	const sending = Promise.all([collectUntilClosed(state), sendUntilClosed(state)]);
	return {
		record(entry) {
			if (state.ended || entries.length >= maxEntries) {
				if (state.lost++ === 0) log.error({ waiting: entries.length }, "answered requests cannot be recorded as usage");
			} else if (entries.push(entry) === state.batched + 1) state.collect.call();
		},
		get hasRoom() {
			return entries.length < capacity;
		},
		get waiting() {
			return entries.length;
		},
		countPending: ({ account_id, key_id }) =>
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
			await Promise.race([sending, pause(maxCloseMs, undefined, { signal: timer.signal }).catch(() => {})]);
			timer.abort();
			state.ended = true;
			const written = sizeOf(state.batches.filter((batch) => batch.written));
			const lost = state.lost + entries.length - written;
			if (written > 0) log.info({ written }, "usage on disk will be published at the next start");
			if (lost > 0) log.error({ lost }, "usage was lost");
		},
	};
}

/** Creates batches, whether or not NATS is available. */
async function collectUntilClosed(state: State): Promise<void> {
	const { entries, batches, log, files } = state;
	const message = "usage cannot be written to the disk";
	const incident = incidentOf({ log, level: "error", message, closed: "usage is written to the disk again" });
	for (;;) {
		const unbatched = entries.length - state.batched;
		if (unbatched === 0 && state.closing) break;
		if (unbatched === 0) await state.collect.sleep(maxSleepMs);
		else {
			if (unbatched < batchSize && !state.closing) await pause(lingerMs);
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

/** An invalid entry is a bug. It is dropped so that the others can be published. */
function nextBatch(state: State): Batch | undefined {
	const { entries, batched, log } = state;
	const candidates = entries.slice(batched, batched + batchSize);
	try {
		return { message: messageOf(usageRecorded, eventOf(candidates)), size: candidates.length, written: false };
	} catch (err) {
		const valid = candidates.filter((entry) => usageRecorded.payload.safeParse(eventOf([entry])).success);
		entries.splice(batched, candidates.length, ...valid);
		const dropped = candidates.length - valid.length;
		state.lost += dropped;
		log.error({ err, dropped }, "invalid usage was dropped");
		return undefined;
	}
}

async function sendUntilClosed(state: State): Promise<void> {
	const { batches, log } = state;
	for (let failures = 0; !state.ended; ) {
		if (batches.length === 0) {
			if (state.collected) return;
			await state.send.sleep(maxSleepMs);
			continue;
		}
		if (failures > 0) await pause(backoffMs(failures, 100, 1_000));
		const err = await sendSome(state);
		if (err !== undefined) {
			// Logged again about once a minute.
			if (failures++ % 60 === 0) log.warn({ err, ...backlogOf(state) }, "usage is not acknowledged");
		} else if (failures > 0) {
			failures = 0;
			log.info(backlogOf(state), "usage is acknowledged again");
		}
	}
}

/** Publishes the oldest batches. @returns the error if that failed. Without a connection it does not try, because the client would buffer each attempt */
async function sendSome(state: State): Promise<unknown> {
	const { bus, batches, entries } = state;
	if (!bus.connected) return new Error("there is no connection to NATS");
	const oldest = batches.slice(0, eventsAtOnce);
	const messages = oldest.map(({ message }) => message);
	try {
		await publishDirectly(bus, messages, ackTimeoutMs);
	} catch (error) {
		return error;
	}
	batches.splice(0, oldest.length);
	const sentEntries = sizeOf(oldest);
	entries.splice(0, sentEntries);
	state.batched -= sentEntries;
	return undefined;
}

const sizeOf = (batches: readonly Batch[]): number => batches.reduce((sum, { size }) => sum + size, 0);

/** The event has the id of its first request, which is unique. */
function eventOf(entries: readonly UsageEntry[]): Recorded {
	const requests = entries.map((entry) => ({ ...entry, occurred_at: entry.occurred_at.toISOString() }));
	return { id: entries[0]?.id ?? "", occurred_at: requests.at(-1)?.occurred_at ?? "", version: 1, requests };
}

function backlogOf({ entries, now }: State): { waiting: number; oldest_seconds: number } {
	const oldest = entries[0]?.occurred_at ?? now();
	return { waiting: entries.length, oldest_seconds: Math.round((now().getTime() - oldest.getTime()) / 1_000) };
}
