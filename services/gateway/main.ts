/** The door: HTTP on one side, the bus on the other. Stores nothing. */
import { connectBus } from "#libs/bus/connect.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { buildApp, closing } from "./http/app.ts";

await runService({
	name: "gateway",
	config: configSchema,
	async start({ config, log, health, open }) {
		const bus = open(
			await connectBus({
				url: config.NATS_URL,
				...(config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" }),
				name: "gateway",
				log,
			}),
		);
		health.register("bus", () => bus.connected);
		const app = buildApp({ bus, config, log });
		open(closing(app, Math.max(0, config.DRAIN_MS - 2_000), log));
		const address = await app.listen({ host: config.HOST, port: config.PORT });
		log.info({ address }, "listening");
	},
});
