import { LRUCache } from "lru-cache";
import { type Database, queryLimits } from "#libs/contract/databases.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Outcome } from "../child/frames.ts";
import type { LoadedExtracts } from "../extracts/follow.ts";
import type { Finished } from "../pool/process.ts";
import type { Resources } from "../resources.ts";

type Meta = Reply<"runStatement">["meta"];

/** Runs a statement, unless the caller accepts cached results and there is one of the same statement over the same extracts. */
export function runStatement({ pool, slots, cpu, extracts, now }: Resources): Handler<"runStatement"> {
	const results = openCache(now);
	return async (
		{ sql, database, format, safe = false, values = [], kept, limited, account, address },
		{ signal, plan },
	) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		const key = `${format} ${safe} ${database} ${JSON.stringify(values)} ${sql}`;
		const cached = kept === true ? results.get(key) : undefined;
		if (cached?.loaded === extracts.current) return { ...cached.result, dataVersion: 0 };
		const caller = { account, address, plan };
		if (limited !== undefined) cpu.check(caller);
		using _slot = await slots.acquire(caller, signal);
		// Captured before the run, because newer extracts may be loaded meanwhile.
		const loaded = extracts.current;
		const { outcome, body, cpuMs } = await pool.run({ sql, database, format, safe, values });
		// `limited` is false for a paid statement. Its CPU time counts only if the statement fails, because it is then not charged.
		if (limited === true || (limited === false && outcome.kind !== "result")) cpu.spend(caller, cpuMs);
		if (outcome.kind !== "result") throw outcomeError(outcome);
		const meta: Meta = {
			database,
			columns: describeColumns(outcome, loaded),
			rows: outcome.rows,
			truncated: outcome.truncatedBy !== null,
			truncated_by: outcome.truncatedBy,
			row_limit: queryLimits.rows,
			byte_limit: queryLimits.bytes,
			views: outcome.views.map(({ database: owner, name }) => {
				const view = loaded.views.find((each) => each.database === owner && each.name === name);
				return { view: `${owner}.${name}`, data_version: view?.data_version ?? 0, as_of: view?.as_of ?? "" };
			}),
		};
		const result = format === "json" ? asJson(body, meta) : asFile(body, meta);
		if (kept === true) results.set(key, { result, loaded });
		return { ...result, dataVersion: 0 };
	};
}

/** Checks a statement in a process of the pool, under the limits of a run: planning a statement may take as long as running it. */
export function checkStatement({ pool, slots, cpu, extracts }: Resources): Handler<"checkStatement"> {
	return async ({ sql, database, parameters, account }, { signal, plan }) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		const caller = { account, plan };
		const isPaid = isPaidPlan(plan);
		if (!isPaid) cpu.check(caller);
		using _slot = await slots.acquire(caller, signal);
		const values = parameters.map((name) => ({ name, type: "text" as const, value: null }));
		const { outcome, cpuMs } = await pool.run({ sql, database, format: "json", values, checkOnly: true });
		if (!isPaid) cpu.spend(caller, cpuMs);
		if (outcome.kind !== "checked") throw outcomeError(outcome);
		return { json: "{}", dataVersion: 0 };
	};
}

const asJson = (body: Finished["body"], meta: Meta): Result => ({
	json: Buffer.concat([Buffer.from('{"data":['), body, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]),
});

/** The reply with a file, whose `meta` is in headers. */
const asFile = (body: Finished["body"], meta: Meta): Result => ({
	json: body,
	headers: { "x-row-count": String(meta.rows), "x-truncated": meta.truncated_by ?? "false" },
});

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\b.*)$/;

const unitsOfNames: Readonly<Record<string, string>> = {
	mw: "MW",
	kw: "kW",
	gw: "GW",
	mwh: "MWh",
	kwh: "kWh",
	kv: "kV",
	usd: "USD",
	usd_mwh: "USD/MWh",
	usd_per_mwh: "USD/MWh",
	usd_per_mw: "USD/MW",
	usd_per_kw: "USD/kW",
	hours: "hours",
	days: "days",
	years: "years",
	km: "km",
	acres: "acres",
};
/** Matches `mw`, `total_mw` and `total_mw_2`, not `requests_per_mw`. */
const unitSuffix = new RegExp(`(?<=^|_)(?<!per_)(${Object.keys(unitsOfNames).join("|")})(_\\d+)?$`);

/**
 * Describes a result column with the text and unit of the column of the same name and type in the statement's views, if exactly one view has
 * such a column. Any other numeric column gets the unit that its name ends with.
 */
function describeColumns(
	{ columns, views: namedViews }: Extract<Outcome, { kind: "result" }>,
	{ views }: LoadedExtracts,
): Meta["columns"] {
	const statementViews = views.filter((view) =>
		namedViews.some((ref) => ref.database === view.database && ref.name === view.name),
	);
	return columns.map(({ name, type }) => {
		const matches = statementViews.flatMap((view) =>
			view.columns
				.filter((column) => column.name === name && column.type === type)
				.map(({ unit, description }) => ({ unit, source: `${view.database}.${view.name}.${name}`, description })),
		);
		const [column] = matches;
		if (column !== undefined && matches.length === 1) return { name, type, ...column };
		const [, suffix = ""] = (numeric.test(type) && unitSuffix.exec(name.toLowerCase())) || [];
		return { name, type, unit: unitsOfNames[suffix] ?? null, source: null, description: null };
	});
}

interface Result {
	json: Buffer;
	headers?: Record<string, string>;
}

interface Cached {
	result: Result;
	/** The extracts that the statement read, compared by identity: an object never changes. */
	loaded: LoadedExtracts;
}

/** Maximum total size of the cached results and their keys (bytes). */
const cacheBytes = 32 * 1024 * 1024;
/** Maximum age of a cached result (ms): a statement may depend on the time or on random numbers. */
const cacheAgeMs = 60_000;

/** Cache of results by statement. `now`: a monotonic clock (ms), above 0. */
const openCache = (now = () => performance.now()): LRUCache<string, Cached> =>
	new LRUCache({
		maxSize: cacheBytes,
		sizeCalculation: ({ result }, key) => key.length + result.json.length,
		// lru-cache still returns an entry whose age equals the ttl.
		ttl: cacheAgeMs - 1,
		ttlResolution: 0,
		perf: { now },
	});

const notLoaded = (database: Database): AppError =>
	unavailable(`the database ${database} is not loaded yet: try again soon`, 5);

/**
 * The error for the caller. A statement that was refused did not run and is free. A statement that failed because of its own content is charged
 * like a successful one.
 */
function outcomeError(outcome: Outcome): Error {
	if (outcome.kind === "refused")
		return new AppError(400, outcome.detail, { counts: false, code: "statement_refused" });
	if (outcome.kind === "not loaded") return notLoaded(outcome.database);
	if (outcome.kind === "failed") return new AppError(400, outcome.detail, { counts: true, code: "statement_failed" });
	return new Error(`a statement could not be run: ${JSON.stringify(outcome)}`);
}
