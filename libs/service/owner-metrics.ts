/** Metrics of an owner's schema and sources. Each statement reads a bounded number of rows. */
import { gaugesFrom } from "#libs/bus/scrape.ts";
import type { RequestContext, Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Rows beyond this number are not counted: it is alarming enough, and counting all rows would take longer and longer. */
const maxRows = 100_000;

interface SchemaState {
	pending: number;
	oldest_seconds: number | null;
	version: number;
	dead: Record<string, number> | null;
}

/** Measures the outbox, the dead letters and the data version with one statement. */
export function measureSchema(sql: Sql, schema: string): void {
	const gauge = gaugesFrom(() => readState(sql));
	const one = (value: number) => [{ labels: { schema }, value }];
	gauge({
		name: "outbox_pending",
		help: `Events in the outbox that are not acknowledged; at most ${maxRows} are counted.`,
		labels: ["schema"],
		values: ({ pending }) => one(pending),
	});
	gauge({
		name: "outbox_oldest_seconds",
		help: "Age of the oldest event in the outbox; 0 if it is empty.",
		labels: ["schema"],
		values: ({ oldest_seconds }) => one(oldest_seconds ?? 0),
	});
	gauge({
		name: "data_version",
		help: "Version of the service's data, raised by every change.",
		labels: ["schema"],
		values: ({ version }) => one(version),
	});
	gauge({
		name: "dead_letters",
		help: "Events set aside for review by a person, by reaction. Delete the row to resolve one.",
		labels: ["schema", "reaction"],
		values: ({ dead }) =>
			Object.entries(dead ?? {}).map(([reaction, value]) => ({ labels: { schema, reaction }, value })),
	});
}

async function readState(sql: Sql): Promise<SchemaState | undefined> {
	const [row] = await sql<SchemaState[]>`
		select (select count(*) from (select from outbox limit ${maxRows}) o) as pending,
			(select greatest(0, extract(epoch from now() - created_at))::float8 from outbox order by id limit 1) as oldest_seconds,
			(select version from data_version) as version,
			(select json_object_agg(reaction, letters) from (
				select reaction, count(*) as letters from (select reaction from dead_letters limit ${maxRows}) d
				group by reaction order by 2 desc limit 100) g) as dead`;
	return row;
}

interface Pipelines {
	pipelines: readonly { pipeline: string; age_hours: number | null; max_age_hours: number; state: string }[];
}

type ReadFreshness = (params: Record<never, never>, context: RequestContext) => Promise<Versioned<Pipelines>>;

/** Measures the age of each source, the age beyond which it is stale, and whether it is failing, as in /health/freshness. */
export function measureSources(readFreshness: ReadFreshness): void {
	const gauge = gaugesFrom(async () => {
		const { json } = await readFreshness({}, { signal: AbortSignal.timeout(5_000) });
		return (JSON.parse(typeof json === "string" ? json : Buffer.from(json).toString()) as Pipelines).pipelines;
	});
	gauge({
		name: "source_age_seconds",
		help: "Time since a source was last ingested or found unchanged; absent if it never was.",
		labels: ["source"],
		values: (pipelines) =>
			pipelines.flatMap(({ pipeline: source, age_hours }) =>
				age_hours === null ? [] : [{ labels: { source }, value: age_hours * 3_600 }],
			),
	});
	gauge({
		name: "source_max_age_seconds",
		help: "Age beyond which a source is stale.",
		labels: ["source"],
		values: (pipelines) =>
			pipelines.map(({ pipeline: source, max_age_hours }) => ({ labels: { source }, value: max_age_hours * 3_600 })),
	});
	gauge({
		name: "source_failing",
		help: "1 if a source's last attempt failed or a guard holds back its data, else 0.",
		labels: ["source"],
		values: (pipelines) =>
			pipelines.map(({ pipeline: source, state }) => ({ labels: { source }, value: state === "failing" ? 1 : 0 })),
	});
}
