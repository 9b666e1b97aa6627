/** What callers hold of a gateway, each pool with a share of an account and of an address: connections, bodies, answers that wait to be read. */
import type { FastifyInstance } from "fastify";
import { isAmong, parseProxies } from "../callers/addresses.ts";
import { whose } from "../callers/whose.ts";
import type { Config } from "../config.ts";
import { limitBodies } from "./bodies.ts";
import { limitConnections } from "./connections.ts";
import { type Readers, watchReaders } from "./readers.ts";

export function limitHeld(app: FastifyInstance, config: Config): Readers {
	const readers = watchReaders(app, config, ({ request }) => whose(request));
	const isProxy = isAmong(parseProxies(config.TRUSTED_PROXIES ?? ""));
	limitConnections(app, { config, isProxy, cutSlowest: readers.cutSlowest });
	limitBodies(app, config, whose);
	return readers;
}
