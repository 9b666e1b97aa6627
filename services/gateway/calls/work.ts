/** Turns of callers for what services work on: every request that is dispatched to a service for a caller takes one first. */
import { gaugeOf } from "#libs/bus/scrape.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { type Call, goneOf, queueCallerOf } from "./call.ts";

/**
 * Resolves when it is this caller's turn, until it is disposed of. A caller that disconnects while it waits gives up its place.
 * `params` of a page of a list: a long one takes as much room as several requests. @throws AppError 429, 499, 503
 */
export type Work = (call: Call, params?: object) => Promise<Disposable>;

/** Rows of an answer that are as much work as one request: a page of 500 takes eight times as long as one of 50. */
const rowsOfSlot = 100;

export function openWork(config: Config): Work {
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
	return (call, params = {}) => queue.acquire(queueCallerOf(call), goneOf(call.transport), slotsOf(params));
}

const slotsOf = ({ per_page, limit }: { per_page?: number; limit?: number }): number =>
	Math.max(1, Math.ceil((per_page ?? limit ?? 1) / rowsOfSlot));
