/** Metrics of the connection pools of this process, read at each scrape, so that statements have no overhead. */
import { Gauge } from "prom-client";
import type { PoolLoad } from "./driver.ts";

/** Fields that the driver adds to a pool. */
export interface Loaded {
	load(): PoolLoad;
}

interface Pool {
	/** As in pg_stat_activity. */
	name: string;
	sql: Loaded;
}

const pools = new Set<Pool>();

/** Registers a pool until disposed. Pools of the same name are added up. */
export function watchPool(name: string, sql: Loaded): Disposable {
	const pool = { name, sql };
	pools.add(pool);
	return { [Symbol.dispose]: () => void pools.delete(pool) };
}

function sums(): Map<string, PoolLoad> {
	const byName = new Map<string, PoolLoad>();
	for (const { name, sql } of pools) {
		const { most, busy, idle, waiting } = sql.load();
		const sum = byName.get(name) ?? { most: 0, busy: 0, idle: 0, waiting: 0 };
		byName.set(name, {
			most: sum.most + most,
			busy: sum.busy + busy,
			idle: sum.idle + idle,
			waiting: sum.waiting + waiting,
		});
	}
	return byName;
}

new Gauge({
	name: "postgres_pool_connections",
	help: "Connections by pool and what they do: busy, idle; most is how many there may be.",
	labelNames: ["pool", "state"],
	collect() {
		this.reset();
		for (const [pool, { most, busy, idle }] of sums())
			for (const [state, value] of Object.entries({ most, busy, idle })) this.set({ pool, state }, value);
	},
});
new Gauge({
	name: "postgres_pool_waiting",
	help: "Statements that wait for a connection, by pool.",
	labelNames: ["pool"],
	collect() {
		this.reset();
		for (const [pool, { waiting }] of sums()) this.set({ pool }, waiting);
	},
});
