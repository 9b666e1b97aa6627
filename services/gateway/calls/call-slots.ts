/** Concurrency limit for requests to services. Each request acquires a slot before it is dispatched; callers take turns. */
import { gaugeOf } from "#libs/bus/scrape.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { type Call, disconnectSignal, queueCallerOf } from "./call.ts";

/**
 * Resolves to a slot when it is this caller's turn. A caller that disconnects leaves the queue. A long page takes several slots.
 * @throws AppError 429, 499, 503
 */
export type AcquireCallSlot = (call: Call, params?: object) => Promise<Disposable>;

/** A page takes one slot for each so many rows, because a page of 500 rows takes eight times as long as one of 50. */
const rowsPerSlot = 100;

export function openCallSlots(config: Config): AcquireCallSlot {
	const queue = new FairQueue({
		what: "requests",
		slots: config.REQUESTS_AT_ONCE,
		slotsPerCaller: config.REQUESTS_PER_CALLER,
		slotsPerAddress: config.REQUESTS_PER_ADDRESS,
		waiting: config.REQUESTS_WAITING,
		waitingPerCaller: config.REQUESTS_WAITING_PER_CALLER,
		waitMs: config.REQUESTS_WAIT_MS,
	});
	gaugeOf({
		name: "gateway_requests_waiting",
		help: "Requests that wait for their caller's turn.",
		read: () => queue.load.waiting,
	});
	return (call, params = {}) =>
		queue.acquire(queueCallerOf(call), disconnectSignal(call.transport), countSlots(params));
}

const countSlots = ({ per_page, limit }: { per_page?: number; limit?: number }): number =>
	Math.max(1, Math.ceil((per_page ?? limit ?? 1) / rowsPerSlot));
