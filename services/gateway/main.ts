/**
 * The gateway: HTTP on one side, the bus on the other. It has no database; its only files are the spool of exports and, with USAGE_DIR,
 * usage that billing has not recorded.
 */
import { connectBus } from "#libs/bus/connect.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { measureStream } from "#libs/bus/metrics.ts";
import { natsConnection } from "#libs/bus/settings.ts";
import { runService } from "#libs/service/run-service.ts";
import { openAccess } from "./access.ts";
import { buildApp, closeOnStop } from "./app.ts";
import { configSchema } from "./config.ts";

await runService({
	name: "gateway",
	config: configSchema,
	async start({ config, log, health, open }) {
		const bus = open(await connectBus({ ...natsConnection(config), name: "gateway", log }));
		health.register("bus", () => bus.connected);
		await ensureStream(bus, "gateway");
		measureStream(bus, "gateway");
		const access = open(await openAccess({ bus, config, log }));
		if (config.KEYLESS === "open") log.info("requests without a key are answered for free (KEYLESS=open)");
		const app = buildApp({ bus, access, config, log });
		open(closeOnStop(app, Math.max(0, config.DRAIN_MS - 2_000), log));
		const address = await app.listen({ host: config.HOST, port: config.PORT });
		log.info({ address }, "listening");
	},
});
