/** What all callers share of a gateway, each pool with a share of an account and of an address: connections, bodies, work, answers that wait to be read. */
import type { FastifyInstance } from "fastify";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import { isAmong, parseProxies } from "../callers/addresses.ts";
import { whose } from "../callers/whose.ts";
import type { Config } from "../config.ts";
import { limitBodies } from "./bodies.ts";
import { limitConnections } from "./connections.ts";
import { type Readers, watchReaders } from "./readers.ts";

export interface Pools {
	readers: Readers;
	/** Requests that services work on. */
	work: FairQueue;
}

export function openPools(app: FastifyInstance, config: Config): Pools {
	const readers = watchReaders(app, config, ({ request }) => whose(request));
	const isProxy = isAmong(parseProxies(config.TRUSTED_PROXIES ?? ""));
	limitConnections(app, { config, isProxy, cutSlowest: readers.cutSlowest });
	limitBodies(app, config, whose);
	const work = new FairQueue({
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
		read: () => work.load.waiting,
	});
	return { readers, work };
}
