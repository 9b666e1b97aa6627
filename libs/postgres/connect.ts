/** Connection pools. Only this folder imports postgres.js. */
import type postgresJs from "postgres";
import { Gauge } from "prom-client";
import { type PoolLoad, postgres } from "./driver.ts";
import { readAddress } from "./tls.ts";

export type Sql = postgresJs.Sql<Record<never, never>>;
export type Transaction = postgresJs.TransactionSql<Record<never, never>>;
export type Fragment = postgresJs.PendingQuery<postgresJs.Row[]>;

export interface ConnectOptions {
	/** The service's schema, the only one on the search path. */
	schema: string;
	/** Shown in pg_stat_activity. */
	name: string;
	max?: number;
	/** Time limit of a statement (ms); a statement waits up to four times as long for a connection. 0 for no limits (migrations, ingest). */
	statementTimeoutMs?: number;
	/**
	 * Plans each statement again at every execution. For jobs that fill tables: a plan that was cached while a table was nearly empty would scan
	 * the whole table for each row of a batch.
	 */
	plansAnew?: boolean;
	/** Makes transactions read-only, even on a server that allows writes. */
	readOnly?: boolean;
	/** Idle time after which a connection is closed (s; 300 when absent). */
	idleSeconds?: number;
}

/**
 * Without this option, which the driver's types lack, a statement that is pipelined behind a slow one waits for it even if other connections
 * are free.
 */
const noPipelining: object = { max_pipeline: 0 };

/**
 * Opens a pool with dates as text and the time zone UTC. Close it with `await using`. `url` also sets the TLS mode and trusted authorities.
 */
export function connect(url: string, options: ConnectOptions): Sql & AsyncDisposable {
	const { url: address, ...tls } = readAddress(url);
	const sql = postgres(address, {
		...tls,
		max: options.max ?? 8,
		idle_timeout: options.idleSeconds ?? 300,
		connect_timeout: 10,
		// In seconds. The driver's own pause grows to 20 s, so the service would reconnect long after the database is available again.
		backoff: (failures: number) => Math.min(1, 0.05 * 2 ** failures),
		prepare: true,
		...noPipelining,
		onnotice: () => {},
		connection: {
			application_name: options.name,
			search_path: options.schema,
			statement_timeout: options.statementTimeoutMs ?? 15_000,
			idle_in_transaction_session_timeout: 120_000,
			// In seconds. A lost client holds its locks until the server notices, by default after two hours.
			tcp_keepalives_idle: 30,
			tcp_keepalives_interval: 10,
			tcp_keepalives_count: 3,
			// Statements take milliseconds; JIT compilation takes a hundred.
			jit: "off",
			...(options.readOnly === true && { default_transaction_read_only: true }),
			...(options.plansAnew === true && { plan_cache_mode: "force_custom_plan" }),
			TimeZone: "UTC",
			DateStyle: "ISO",
		},
		types: {
			// Parsed as a JavaScript Date, a `date` or `timestamptz` would be shifted by the time zone. The text is exactly what PostgreSQL sent.
			day: { to: 1082, from: [1082], serialize: String, parse: String },
			moment: {
				to: 1184,
				from: [1114, 1184],
				serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
				parse: String,
			},
			// int8 and numeric are parsed as doubles: every stored value is either exact as a double, or a quantity that need not be exact.
			int8: { to: 20, from: [20], serialize: String, parse: Number },
			numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
		},
	});
	// The patched driver adds `load` to pools.
	const pool = { name: options.name, load: () => (sql as unknown as { load(): PoolLoad }).load() };
	pools.add(pool);
	return Object.assign(sql as unknown as Sql, {
		[Symbol.asyncDispose]: async () => {
			pools.delete(pool);
			await sql.end({ timeout: 5 });
		},
	});
}

/** Pools of this process. `name` is the `application_name` in pg_stat_activity. The metrics sum pools of the same name. */
const pools = new Set<{ name: string; load(): PoolLoad }>();

new Gauge({
	name: "postgres_pool_connections",
	help: "Connections by pool and state: busy, idle; most is the maximum.",
	labelNames: ["pool", "state"],
	collect() {
		this.reset();
		for (const { name: pool, load } of pools) {
			const { most, busy, idle } = load();
			for (const [state, value] of Object.entries({ most, busy, idle })) this.inc({ pool, state }, value);
		}
	},
});
new Gauge({
	name: "postgres_pool_waiting",
	help: "Statements that wait for a connection, by pool.",
	labelNames: ["pool"],
	collect() {
		this.reset();
		for (const { name: pool, load } of pools) this.inc({ pool }, load().waiting);
	},
});
