/** The exports of one gateway, closed with it. */
import type { FastifyInstance } from "fastify";
import type { Bus } from "#libs/bus/connect.ts";
import { measure } from "#libs/service/health.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../config.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";
import { type FileCharges, type FileChargesOptions, fileCharges } from "./charge.ts";
import { Exports } from "./exports.ts";
import { placesOf } from "./places.ts";
import { Spool } from "./spool.ts";

export interface OpenExportsOptions {
	bus: Bus;
	answers: ResponseCache;
	access: Pick<FileChargesOptions, "ask" | "rates">;
	config: Pick<
		Config,
		"SPOOL_DIR" | "SPOOL_MAX_BYTES" | "SPOOL_SHARE_BYTES" | "SPOOL_MAX_AGE_MS" | "STREAMS_PER_CALLER"
	>;
	log: Logger;
}

export function openExports(
	app: FastifyInstance,
	{ bus, answers, access, config, log }: OpenExportsOptions,
): { exports: Exports; charges: FileCharges } {
	const spool = new Spool({
		root: config.SPOOL_DIR,
		maxBytes: config.SPOOL_MAX_BYTES,
		shareBytes: config.SPOOL_SHARE_BYTES,
		maxAgeMs: config.SPOOL_MAX_AGE_MS,
		log,
	});
	measure("gateway_spool_bytes", "Size of the files of exports on disk.", () => spool.bytes);
	measure("gateway_spool_max_bytes", "Bound of the files of exports on disk.", () => config.SPOOL_MAX_BYTES);
	app.addHook("onClose", () => spool[Symbol.asyncDispose]());
	const places = placesOf(config.STREAMS_PER_CALLER);
	const exports = new Exports({ bus, spool, places, versions: answers });
	return { exports, charges: fileCharges({ rates: access.rates, ask: access.ask, log }) };
}
