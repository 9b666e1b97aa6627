/** Query plans of the most frequent reads: no full table scans, counts from indexes alone, no states of other days. Checks plans, not times. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrayText } from "#libs/contract/filters/project-condition.ts";
import { operations as contract, type OwnedBy, type ParamsInput } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { postgres } from "#libs/postgres/driver.ts";
import { stateColumns } from "../../services/queue-ingest/history/write-history.ts";
import { operations } from "../../services/queue-ingest/operations.ts";
import { eventually } from "../support/eventually.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

type Name = OwnedBy<"queue-ingest">;
interface Statement {
	text: string;
	parameters: readonly unknown[];
}

interface PlanNode {
	"Node Type": string;
	"Relation Name"?: string;
	"Index Name"?: string;
	"Heap Fetches"?: number;
	"Actual Rows": number;
	"Actual Loops": number;
	"Rows Removed by Filter"?: number;
	"Shared Hit Blocks": number;
	"Shared Read Blocks": number;
	Output?: string[];
	Plans?: PlanNode[];
}

let queue: Queue;
/** One connection that notes what is sent over it. */
let watched: Sql;
const sent: Statement[] = [];

beforeAll(async () => {
	queue = await openQueue();
	await queue.take("MISO", "2026-03-01", misoJson(standing(60)));
	const { sql } = queue;
	await sql.begin(async (tx) => {
		// So many requests that the planner chooses as in production.
		await tx`
			insert into projects select copied.* from projects p cross join generate_series(1, 130) n
			cross join lateral jsonb_populate_record(p, jsonb_build_object('id', p.id || '~' || n,
				'kind', case when n % 20 = 0 then 'transmission' else 'generation' end,
				'region', (array['PJM', 'MISO', 'ERCOT', 'CAISO', 'SPP', 'NYISO', 'ISO-NE'])[1 + n % 7],
				'state', (array['TX', 'CA', 'OH', 'IL', 'VA', 'NY', 'KS', 'IN', 'PA', 'OK', 'MN'])[1 + n % 11],
				'type_std', (array['Solar', 'Wind', 'Storage', 'Gas'])[1 + n % 4],
				'status_std', (array['Active', 'Withdrawn', 'Operational'])[1 + n % 3],
				'developer_id', (select min(developer_id) from developers) + n % 60, 'investable', n % 9 = 0,
				'capacity_mw', n * 3, 'queue_date', date '2018-01-01' + n * 20, 'cod', date '2024-01-01' + n * 20,
				'withdrawn_date', case when n % 3 = 1 then date '2019-01-01' + n * 20 end,
				'ia_date', case when n % 3 = 2 then date '2020-01-01' + n * 20 end, 'lat', 30 + n % 13, 'lon', -100 + n % 17)) copied`;
		await tx`
			insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, queue_id, kind, change_type, field_name, old_value,
				new_value, project_name, developer_canonical, capacity_mw, type_std, state)
			select n + (select max(seq) from changes), (select max(id) from snapshots), timestamptz '2026-02-01' - make_interval(hours => n / 10),
				region, feed, id, queue_id, kind, (array['status_change', 'cod_change', 'new_project'])[1 + n % 3], 'status_std', 'Active',
				status_std, name, developer_canonical, capacity_mw, type_std, state
			from (select *, row_number() over (order by id)::int as n from projects) p`;
		await tx`truncate project_versions`;
		await tx.unsafe(`
			insert into project_versions (project_id, version, valid_from, valid_to, snapshot_id, ${stateColumns.join(", ")})
			select id, version, timestamptz '2026-03-01' - week * interval '1 week',
				case when week > 0 then timestamptz '2026-03-01' - (week - 1) * interval '1 week' end, 1, ${stateColumns.join(", ")}
			from projects, generate_series(0, 4) week`);
	});
	// Autovacuum does this after each hundredth of the requests (0101_projects_read.sql). It skips rows whose commit is not on disk yet.
	await eventually(async () => {
		await sql`vacuum analyze projects, changes, project_versions, project_counts`;
		const tables = await sql<{ relpages: number; relallvisible: number }[]>`
			select relpages, relallvisible from pg_class
			where oid in ('projects'::regclass, 'changes'::regclass, 'project_versions'::regclass)`;
		return tables.every(({ relpages, relallvisible }) => relallvisible === relpages);
	});
	watched = postgres({
		...(sql.options as object),
		max: 1,
		debug: (_, text, parameters) => sent.push({ text, parameters }),
	}) as unknown as Sql;
	await watched`select`;
});
afterAll(async () => {
	await watched.end();
	await queue[Symbol.asyncDispose]();
});

const literal = (value: unknown): string => {
	if (value === null) return "null";
	const text = Array.isArray(value) ? arrayText(value) : String((value as { value?: unknown }).value ?? value);
	return `'${text.replaceAll("'", "''")}'`;
};

const known = new Map<string, Promise<PlanNode[]>>();

function plansOf(name: Name, params: object): Promise<PlanNode[]> {
	const key = JSON.stringify([name, params]);
	const plans = known.get(key) ?? explain(name, params);
	known.set(key, plans);
	return plans;
}

/** The plans of an operation's statements after enough executions for PostgreSQL to choose a generic plan. */
async function explain(name: Name, params: object): Promise<PlanNode[]> {
	const handler = operations({ sql: watched, now: () => new Date("2026-03-01") })[name] as (
		p: object,
	) => Promise<unknown>;
	sent.length = 0;
	await handler(contract[name].params.parse(params));
	const plans: PlanNode[] = [];
	for (const { text, parameters } of sent.splice(0)) {
		await watched.unsafe(`prepare read as ${text}`);
		const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join()})`;
		let plan: PlanNode | undefined;
		for (let times = 0; times < 7; times++) {
			const [row] = await watched.unsafe(`explain (analyze, verbose, buffers, format json) execute read${values}`);
			plan = row?.["QUERY PLAN"][0].Plan;
		}
		await watched`deallocate read`;
		if (plan !== undefined) plans.push(plan);
	}
	expect(plans.length).toBeGreaterThan(0);
	return plans;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const pagesOf = (plan: PlanNode): number => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];

const described = (node: PlanNode): string =>
	`${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"]}, heap fetches: ${node["Heap Fetches"] ?? "all"}`;

/** Other tables (summaries, names of developers) have only a few hundred rows. */
const isLarge = ({ "Relation Name": table }: PlanNode) =>
	table === "projects" || table === "changes" || table === "project_versions";

const scansOf = (plan: PlanNode): PlanNode[] => nodesOf(plan).filter(isLarge);

/** Scans of what is counted that look at a row in its table. */
function countedByRow(plan: PlanNode): string[] {
	const counts = nodesOf(plan).filter((node) => node.Output?.some((column) => /\bcount\(/.test(column)));
	return counts
		.flatMap(scansOf)
		.filter((node) => node["Node Type"] !== "Index Only Scan" || node["Heap Fetches"] !== 0)
		.map(described);
}

const read = <N extends Name>(name: N, params: ParamsInput<N>): [Name, object] => [name, params as object];

const reads = [
	read("listProjects", {}),
	read("listProjects", { page: 40 }),
	read("listProjects", { state: "TX" }),
	read("listProjects", { state: "TX", cursor: "*", per_page: 500 }),
	read("listProjects", { region: "PJM" }),
	read("listProjects", { status: "Active", page: 20 }),
	read("listProjects", { state: "TX", fuel_type: "Solar", status: "Active", sort: "capacity_mw", order: "desc" }),
	read("listProjects", { state: "TX", capacity_min: 100 }),
	read("listProjects", { state: "TX,CA", capacity_min: 100, per_page: 500 }),
	read("listProjects", { region: "PJM", capacity_min: 100 }),
	read("listProjects", { capacity_min: 100, sort: "queue_date", order: "desc" }),
	read("listProjects", { date_from: "2024-01-01", include_unlisted: true }),
	read("listProjects", { cod_from: "2027-01-01", cod_to: "2027-12-31" }),
	read("listProjects", { region: "MISO", withdrawn_from: "2025-07-01", withdrawn_to: "2025-09-30" }),
	read("listProjects", { ia_from: "2025-01-01", ia_to: "2025-12-31" }),
	read("listProjects", { updated_since: "2026-02-01" }),
	read("listProjects", { investable: true }),
	read("listProjects", { bbox: "-96,29,-95,31" }),
	read("listDeveloperProjects", { developer_id: "1" }),
	read("groupProjects", { by: "region" }),
	read("listDatacenterPipeline", {}),
	read("listChanges", { region: "PJM", since: "2026-01-01" }),
	read("listSources", {}),
];

test.each(reads)("%s %j scans no whole table and counts only from indexes", async (name, params) => {
	for (const plan of await plansOf(name, params)) {
		expect(
			scansOf(plan)
				.filter((node) => node["Node Type"] === "Seq Scan")
				.map(described),
		).toEqual([]);
		expect(countedByRow(plan)).toEqual([]);
	}
});

// The index of all populations holds every column that lists filter by, so it is wider than the index of open requests.
test.each(reads.filter(([name]) => name === "listProjects"))(
	"%s %j reads at most 40 % more pages for all populations",
	async (name, params) => {
		const pages = (plans: PlanNode[]) => plans.map(pagesOf).reduce((sum, each) => sum + each, 0);
		const all = pages(await plansOf(name, { ...params, population: "all" }));
		expect(all).toBeLessThanOrEqual(1.4 * pages(await plansOf(name, params)));
	},
);

test.each([
	read("listProjects", {}),
	read("listProjects", { region: "PJM", page: 5 }),
	read("listProjects", { state: "TX", sort: "capacity_mw", order: "desc" }),
	read("getProject", { project_id: "MISO-J9001" }),
	read("listDeveloperProjects", { developer_id: "1" }),
	read("groupProjects", { by: "region" }),
	read("getStats", {}),
])("%s %j of a past day reads few states of other days", async (name, params) => {
	const [known] = await queue.sql<{ requests: number }[]>`select count(*) as requests from projects`;
	for (const plan of await plansOf(name, { ...params, as_of: "2026-02-10" }))
		for (const node of scansOf(plan)) {
			expect(node["Node Type"]).not.toBe("Seq Scan");
			const rows = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
			expect(rows, described(node)).toBeLessThanOrEqual(2 * (known?.requests ?? 0));
		}
});

test("every state that is valid at a time is in one of its slots, however long it lasts", async () => {
	const [row] = await queue.sql`
		with states as (
			select date '1990-01-01' + random() * interval '12000 days' as valid_from, interval '1 hour' * power(2, 18 * random()) as lasts
			from generate_series(1, 5000)),
		moments as (
			select valid_from, nullif(valid_from + lasts, max(valid_from + lasts) over ()) as valid_to,
				unnest(array[valid_from, valid_from + random() * lasts, valid_from + lasts - interval '1 microsecond']) as moment
			from (select valid_from at time zone 'UTC' as valid_from, lasts from states) s)
		select count(*) as held, count(*) filter (where slot_of(valid_from, valid_to) = any(slots_at(moment))) as found from moments`;
	expect(row).toEqual({ held: 15_000, found: 15_000 });
});

async function allPlans(): Promise<PlanNode[][]> {
	const plans: PlanNode[][] = [];
	for (const [name, params] of reads) plans.push(await plansOf(name, params));
	return plans;
}

test("every index on projects is used by at least one read", async () => {
	const plans = (await allPlans()).flat();
	const used = plans.flatMap(nodesOf).map((node) => node["Index Name"] ?? "");
	expect([...new Set(used.filter((name) => name.startsWith("projects_")))].sort()).toEqual([
		"projects_agreed",
		...["projects_by_developer", "projects_by_feed", "projects_by_kind", "projects_by_region", "projects_by_state"],
		...["projects_covering", "projects_open", "projects_pkey", "projects_withdrawn"],
	]);
});
