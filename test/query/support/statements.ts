/** POST /query as a caller meets it: the real gateway and the query service over files of our own, so that a test says what is in them. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { FairQueue } from "#libs/service/fair-queue.ts";
import type { Database } from "../../../libs/contract/databases.ts";
import { queryLimits } from "../../../libs/contract/databases.ts";
import type { ExtractView } from "../../../libs/contract/exports/extracts.ts";
import type { PlanName } from "../../../libs/contract/vocabulary.ts";
import type { Statement } from "../../../services/query/child/frames.ts";
import { CpuBudget, type CpuLimits } from "../../../services/query/cpu-budget.ts";
import { type Extracts, type LoadedExtracts, toExtractFile } from "../../../services/query/extracts/follow.ts";
import { operations } from "../../../services/query/operations/index.ts";
import { Pool, type PoolOptions, poolDefaults } from "../../../services/query/pool/pool.ts";
import type { Finished } from "../../../services/query/pool/process.ts";
import { slotLimits } from "../../../services/query/resources.ts";
import { startGateway } from "../../api/support/gateway.ts";

export interface TestStatements extends AsyncDisposable {
	url: string;
	/** Folder of the files. */
	dir: string;
	pool: Pool;
	slots: FairQueue;
	/** Monotonic clock of the query service (ms). */
	clock: { now: number };
	/** From now on each statement that is `held` takes its place and does not run before `release` is called. */
	hold(): { release(): void };
	/** Loads another extract with the same rows. */
	renew(): void;
	/** Asks over HTTP. */
	ask(sql: string, more?: Asking): Promise<Answer>;
	/** Rows of a statement as the gateway has it run for an account. */
	runFor(caller: StatementCaller, sql: string): Promise<unknown[]>;
	/** Has a statement checked that an account on the Free plan saves. */
	check(account: string, sql: string): Promise<unknown>;
}

export interface StatementCaller {
	account?: string;
	address: string;
	/** Growth when absent. */
	plan?: PlanName;
	limited?: boolean;
}

export interface Asking {
	database?: string;
	accept?: string;
	headers?: Record<string, string>;
}

export interface Answer {
	status: number;
	text: string;
	bytes: Buffer;
	headers: Headers;
	/** The sentence of an error. */
	detail: string;
	data: Record<string, unknown>[];
	meta: Record<string, unknown>;
}

/** A view by the statement that makes its rows. */
export interface TestView {
	database: Database;
	name: string;
	sql: string;
}

/** 2,000 plants of two states, and 2,000 requests of seven regions. */
const testViews: readonly TestView[] = [
	{
		database: "master",
		name: "plants_view",
		sql: `select n::int as id, 'Plant ' || n as name, (n * 1.5)::double as capacity_mw,
			timestamptz '2024-01-01 00:00:00+00' + to_hours(n) as opened_at, ['TX', 'CA'] as states from range(1, 2001) t(n)`,
	},
	{
		database: "master",
		name: "requests_view",
		sql: `select n::int as id, (n % 7)::int as region_id, 'Solar park ' || n as name, (n * 2.5)::double as capacity_mw,
			date '2020-01-01' + (n % 1000)::int as queue_date, case when n % 3 = 0 then null else 'Active' end as status,
			json_object('Fuel', 'Sun', 'MW', n)::json as raw from range(1, 2001) t(n)`,
	},
	{
		database: "grid",
		name: "owners_view",
		sql: "select n::int as plant_id, 'Owner ' || n as owner from range(1, 101) t(n)",
	},
];

export interface StatementsOptions extends Partial<PoolOptions> {
	processes?: number;
	views?: readonly TestView[];
	/** Limits of callers without a paid plan. */
	cpu?: CpuLimits;
	/** Environment of the gateway. */
	settings?: Record<string, string>;
}

/** Longest wait for a statement (ms). */
const patienceMs = 30_000;
/** Statements run at the priority of other tests; a lower one would starve them. */
const priority = constants.priority.PRIORITY_NORMAL;

/** A statement that can be held back: it stands for one that runs long, without taking CPU time. */
export const held = "select 1 as held";

class HoldingPool extends Pool {
	released = Promise.resolve();

	override async run(statement: Statement): Promise<Finished> {
		if (statement.sql === held) await this.released;
		return super.run(statement);
	}
}

export async function startStatements(options: StatementsOptions = {}): Promise<TestStatements> {
	const { processes = 4, views = testViews, cpu = queryLimits, settings = {}, ...limits } = options;
	await using stack = new AsyncDisposableStack();
	const dir = await mkdtemp(join(tmpdir(), "statements-"));
	stack.defer(() => rm(dir, { recursive: true, force: true }));
	const loaded: LoadedExtracts = { views: await makeFiles(dir, views) };
	const clock = { now: 1 };
	const extracts = {
		current: loaded,
		viewsOf(database: Database) {
			const own = loaded.views.filter((view) => view.database === database);
			return own.length > 0 ? own : undefined;
		},
		missing: [],
		versionOf: () => 7,
		madeAt: () => undefined,
	} satisfies Extracts;
	const pool = stack.use(
		new HoldingPool({ ...poolDefaults, dataKb: 920_000, timeoutMs: patienceMs, priority, ...limits }),
	);
	pool.use(loaded.views.map(toExtractFile));
	// A machine that is busy with other tests starts processes slowly: the order is to be seen, not the time.
	const slots = new FairQueue({ ...slotLimits(processes), waitMs: patienceMs });
	const now = () => clock.now;
	const query = operations({ pool, slots, cpu: new CpuBudget(cpu, now), extracts, now });
	const gateway = stack.use(
		await startGateway({ query, settings: { REQUEST_TIMEOUT_MS: String(2 * patienceMs), ...settings } }),
	);
	const owned = stack.move();
	return {
		url: gateway.url,
		dir,
		pool,
		slots,
		clock,
		hold() {
			const { promise, resolve } = Promise.withResolvers<void>();
			pool.released = promise;
			return { release: resolve };
		},
		renew: () => {
			extracts.current = { views: loaded.views };
		},
		ask: (sql, more) => ask(gateway.url, sql, more),
		async runFor({ plan = "Growth", ...caller }, sql) {
			const context = { signal: AbortSignal.timeout(patienceMs), plan };
			const { json } = await query.runStatement({ sql, database: "master", format: "json", ...caller }, context);
			return (JSON.parse(String(json)) as Pick<Answer, "data">).data;
		},
		check: (account, sql) =>
			query.checkStatement(
				{ sql, database: "master", parameters: [], account },
				{ signal: AbortSignal.timeout(patienceMs), plan: "Free" },
			),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function makeFiles(dir: string, views: readonly TestView[]): Promise<LoadedExtracts["views"]> {
	const instance = await DuckDBInstance.create(":memory:");
	const connection = await instance.connect();
	await connection.run("set TimeZone = 'UTC'");
	const made: (ExtractView & { path: string })[] = [];
	for (const { database, name, sql } of views) {
		const path = join(dir, `${database}.${name}.parquet`);
		await connection.run(`copy (${sql}) to '${path}' (format parquet, compression zstd)`);
		const described = await connection.runAndReadAll(`describe ${sql}`);
		const counted = await connection.runAndReadAll(`select count(*)::int from (${sql})`);
		made.push({
			...{ database, name, path, description: "Of a test", object: name, data_version: 7 },
			...{ rows: Number(counted.value(0, 0)), bytes: (await stat(path)).size },
			...{ as_of: "2026-01-02T03:04:05.000Z", sha256: "0".repeat(64), source_sha256: "0".repeat(64) },
			columns: described.getRowsJson().map(([column, type]) => ({
				...{ name: String(column), type: String(type), description: "Of a test" },
				unit: String(column).endsWith("_mw") ? "MW" : null,
			})),
		});
	}
	connection.closeSync();
	instance.closeSync();
	return made;
}

export async function ask(
	url: string,
	sql: string,
	{ database = "master", accept, headers }: Asking = {},
): Promise<Answer> {
	const response = await fetch(`${url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json", ...(accept !== undefined && { accept }), ...headers },
		body: JSON.stringify({ sql, database }),
	});
	const bytes = Buffer.from(await response.arrayBuffer());
	const text = bytes.toString();
	const isJson = response.headers.get("content-type")?.includes("json") === true;
	const body = (isJson ? JSON.parse(text) : {}) as Partial<Pick<Answer, "data" | "meta" | "detail">>;
	const { data = [], meta = {}, detail = "" } = body;
	return { status: response.status, text, bytes, headers: response.headers, detail, data, meta };
}
