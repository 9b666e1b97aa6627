/** Databases for callers' SQL: their owners, their content, and the limits of statements. Health and freshness report on the same databases. */

/** The service that writes the extracts of each database. A database is a schema of DuckDB: `<name>.<view>`. */
export const databaseOwners = {
	master: "queue-ingest",
	developer: "queue-ingest",
	signals: "signals",
	capital: "signals",
	scoring: "scoring",
	grid: "queue-ingest",
	dg: "queue-ingest",
	datacenter: "queue-ingest",
	market: "queue-ingest",
} as const;
export type Database = keyof typeof databaseOwners;
export const databases = Object.keys(databaseOwners) as [Database, ...Database[]];

export const databasesOf = (owner: (typeof databaseOwners)[Database]): Database[] =>
	databases.filter((name) => databaseOwners[name] === owner);

export const databaseDescriptions = {
	master: "Interconnection requests, their history and changes, and the lists that they come from",
	developer: "Developers, the names they file under, and the evidence for who is who",
	signals: "News, material events (8-K) and acquisitions of developers",
	capital: "Capital that developers raised by exempt offerings (Form D)",
	scoring: "Scores and tax credits of requests, ratings of developers, and the reference lists behind them",
	grid: "Power plants, generators and who owns them (EIA-860)",
	dg: "Distributed generation",
	datacenter: "Data centers",
	market: "Prices of the wholesale electricity markets by hub",
} as const satisfies Record<Database, string>;

export const resultFormats = ["json", "csv", "parquet", "arrow"] as const;

/** Limits of one SQL statement and its result. */
export const queryLimits = {
	sqlCharacters: 10_000,
	rows: 10_000,
	bytes: 5 * 1024 * 1024,
	/** Maximum size of a row as JSON. */
	rowBytes: 1024 * 1024,
	timeoutMs: 5_000,
	/** Concurrent statements per account or address. */
	atOnce: 2,
	/** CPU time budget of an account on the Free plan, or of an address without a key, and how much of it refills per minute. */
	unpaidCpuMs: 10_000,
	unpaidCpuMsPerMinute: 2_000,
} as const;
