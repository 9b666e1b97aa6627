/** The exports of one gateway, closed with it. */
import type { FastifyInstance } from "fastify";
import { measure } from "#libs/service/health.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../config.ts";
import { Exports, type ExportsOptions } from "./exports.ts";
import { Spool } from "./spool.ts";

export interface OpenExportsOptions extends Pick<ExportsOptions, "bus" | "versions"> {
	config: Pick<
		Config,
		"SPOOL_DIR" | "SPOOL_MAX_BYTES" | "SPOOL_SHARE_BYTES" | "SPOOL_MAX_AGE_MS" | "STREAMS_PER_CALLER"
	>;
	log: Logger;
}

export function openExports(app: FastifyInstance, { bus, versions, config, log }: OpenExportsOptions): Exports {
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
	return new Exports({ bus, spool, versions, mostAtOnce: config.STREAMS_PER_CALLER });
}
