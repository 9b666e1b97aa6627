/**
 * The query service: loads the extracts that the other services write, and runs callers' SQL over them in processes with limited resources. Owns
 * no data.
 */
import { connectBus } from "#libs/bus/connect.ts";
import { noSlotIsStuck } from "#libs/bus/metrics.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { natsConnection } from "#libs/bus/settings.ts";
import { queryLimits } from "#libs/contract/databases.ts";
import { extractOwners } from "#libs/contract/exports/extracts.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { CpuBudget } from "./cpu-budget.ts";
import { followExtracts } from "./extracts/follow.ts";
import { operations } from "./operations/index.ts";
import { Pool, poolDefaults } from "./pool/pool.ts";
import { slotLimits } from "./resources.ts";

await runService({
	name: "query",
	config: configSchema,
	async start({ config, log, health, open }) {
		const bus = open(await connectBus({ ...natsConnection(config), name: "query", log }));
		health.register("bus", () => bus.connected);
		health.register("requests", noSlotIsStuck);
		const limits = { dataKb: config.STATEMENT_DATA_KB, timeoutMs: queryLimits.timeoutMs };
		const pool = open(new Pool({ ...poolDefaults, ...limits }));
		const slots = new FairQueue(slotLimits(config.STATEMENT_PROCESSES));
		const cpu = new CpuBudget(queryLimits);
		const storage = { dir: config.EXTRACTS_DIR, maxBytes: config.EXTRACTS_MAX_BYTES };
		const extracts = open(await followExtracts(bus, { ...storage, onChange: (files) => pool.use(files) }));
		health.register("extracts", () => extracts.missing.length === 0);
		gaugeOf({
			name: "statements",
			help: "Callers' statements by state: running, waiting for a process.",
			labels: ["state"],
			read: () => Object.entries(slots.load).map(([state, value]) => ({ labels: { state }, value })),
		});
		gaugeOf({
			name: "statement_processes",
			help: "Processes for statements, running and idle.",
			read: () => pool.size,
		});
		gaugeOf({
			name: "extract_age_seconds",
			help: "Time since an owner's loaded extracts were read from its database; absent if none are loaded.",
			labels: ["owner"],
			read: () =>
				extractOwners.flatMap((owner) => {
					const madeAt = extracts.madeAt(owner);
					return madeAt === undefined ? [] : [{ labels: { owner }, value: (Date.now() - madeAt.getTime()) / 1_000 }];
				}),
		});
		open(await serve(bus, "query", operations({ pool, slots, cpu, extracts })));
	},
});
