/** Metrics of an owner's schema and sources: read when the metrics are, each statement bounded in rows. */
import { gaugeOf, inTime } from "#libs/bus/scrape.ts";
import type { RequestContext, Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Beyond this nothing is counted: that it is far too many shows, and counting on would take ever longer. */
const mostRows = 100_000;

interface SchemaState {
	pending: number;
	oldest_seconds: number | null;
	version: number;
	dead: Record<string, number> | null;
}

/** The outbox, the dead letters and the data version. One statement each time, however many numbers. */
export function measureSchema(sql: Sql, schema: string): void {
	const state = inTime(() => readState(sql));
	const read = (pick: (found: SchemaState) => number) => async () => {
		const found = await state();
		return found && [{ labels: { schema }, value: pick(found) }];
	};
	const labels = ["schema"];
	gaugeOf({
		name: "outbox_pending",
		help: `Events that no acknowledgement has removed yet; ${mostRows} stands for more.`,
		labels,
		read: read(({ pending }) => pending),
	});
	gaugeOf({
		name: "outbox_oldest_seconds",
		help: "Age of the oldest of them; 0 when there is none.",
		labels,
		read: read(({ oldest_seconds }) => oldest_seconds ?? 0),
	});
	gaugeOf({
		name: "data_version",
		help: "Grows with every change of what the service answers.",
		labels,
		read: read(({ version }) => version),
	});
	gaugeOf({
		name: "dead_letters",
		help: "What was put away for people to look at, by who put it there. Deleting the row is how it is dealt with.",
		labels: ["schema", "reaction"],
		read: async () => {
			const found = await state();
			return (
				found && Object.entries(found.dead ?? {}).map(([reaction, value]) => ({ labels: { schema, reaction }, value }))
			);
		},
	});
}

async function readState(sql: Sql): Promise<SchemaState | undefined> {
	const [row] = await sql<SchemaState[]>`
		select (select count(*) from (select from outbox limit ${mostRows}) o) as pending,
			(select greatest(0, extract(epoch from now() - created_at))::float8 from outbox order by id limit 1) as oldest_seconds,
			(select version from data_version) as version,
			(select json_object_agg(reaction, letters) from (
				select reaction, count(*) as letters from (select reaction from dead_letters limit ${mostRows}) d
				group by reaction order by 2 desc limit 100) g) as dead`;
	return row;
}

interface Pipelines {
	pipelines: readonly { pipeline: string; age_hours: number | null; max_age_hours: number; state: string }[];
}

type Asked = (params: Record<never, never>, context: RequestContext) => Promise<Versioned<Pipelines>>;

/** How old each source is and may be, as /health/freshness has it. */
export function measureSources(ask: Asked): void {
	const pipelines = inTime(async () => {
		const { json } = await ask({}, { signal: AbortSignal.timeout(5_000) });
		return (JSON.parse(typeof json === "string" ? json : Buffer.from(json).toString()) as Pipelines).pipelines;
	});
	const read = (pick: (pipeline: Pipelines["pipelines"][number]) => number | null) => async () =>
		(await pipelines())?.flatMap((each) => {
			const value = pick(each);
			return value === null ? [] : [{ labels: { source: each.pipeline }, value }];
		});
	const labels = ["source"];
	gaugeOf({
		name: "source_age_seconds",
		help: "Time since a source was last taken in, or found unchanged; absent where it never was.",
		labels,
		read: read(({ age_hours }) => (age_hours === null ? null : age_hours * 3_600)),
	});
	gaugeOf({
		name: "source_max_age_seconds",
		help: "Age beyond which it is stale.",
		labels,
		read: read(({ max_age_hours }) => max_age_hours * 3_600),
	});
	gaugeOf({
		name: "source_failing",
		help: "1 where the last attempt failed, or what came is held back by a guard.",
		labels,
		read: read(({ state }) => (state === "failing" ? 1 : 0)),
	});
}
