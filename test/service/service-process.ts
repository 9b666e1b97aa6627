/** A service for a test to run and stop. What it does is said by its settings. */
import { z } from "zod";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { runService } from "#libs/service/run-service.ts";

await runService({
	name: "example",
	config: z.object({
		MODE: z.enum(["well", "ill", "no-start", "stuck", "careless"]),
		SECRET: z.string().optional(),
		WORK_DIR: z.string().optional(),
	}),
	async start({ config, log, open, health }) {
		const say = (message: string) => log.info(message);
		open({ [Symbol.dispose]: () => say("closed the first") });
		open({ [Symbol.asyncDispose]: async () => say("closed the second") });
		if (config.MODE === "no-start") throw new Error("no answer from postgres://u:hunter2@db/x");
		if (config.MODE === "stuck") open({ [Symbol.asyncDispose]: () => new Promise<void>(() => {}) });
		if (config.MODE === "careless") setTimeout(() => Promise.reject(new Error("not awaited")), 10);
		health.register("database", () => config.MODE !== "ill");
		gaugeOf({ name: "example_depth", help: "How deep it is.", read: () => 3 });
	},
});
