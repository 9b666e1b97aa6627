/**
 * The cost of scoring: in memory, on one changed request while others change too, and on the first list of everything, from its bytes
 * until the gateway shows the score of every open request.
 */
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { schema } from "../../services/scoring/migrate.ts";
import { enqueueAll } from "../../services/scoring/tables/recompute-queue.ts";
import { schema as signalsSchema } from "../../services/signals/migrate.ts";
import { patienceMs } from "./fill.ts";
import { median } from "./measure.ts";
import { asFile, madeUpList } from "./pjm-list.ts";
import type { Row } from "./report.ts";
import { measureChanges } from "./scoring-changes.ts";
import { moveEvents } from "./scoring-jetstream.ts";
import { measureMemory } from "./scoring-memory.ts";
import type { Bench } from "./system.ts";

const aimMs = 12_000;
/** The databases of everybody who keeps something of a request, each as its owner. */
export interface Databases extends AsyncDisposable {
	queues: Sql;
	scoring: Sql;
	signals: Sql;
}

/** Empties what the services hold of requests: to run last. */
export async function measureScoring(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const rows = await measureMemory(bench, say);
	await using databases = openDatabases(bench);
	rows.push(...(await measureLoads(bench, databases, say)));
	rows.push(...(await measureChanges(bench, databases, say)));
	return rows;
}

function openDatabases(bench: Bench): Databases {
	const stack = new AsyncDisposableStack();
	const open = (service: string, name: string) =>
		stack.use(connect(bench.urlOf(service), { schema: name, name: "bench", max: 2, statementTimeoutMs: 0 }));
	return {
		queues: bench.sql,
		scoring: open("scoring", schema),
		signals: open("signals", signalsSchema),
		[Symbol.asyncDispose]: () => stack.disposeAsync(),
	};
}

/** Milliseconds since the beginning at which each stage was through; they overlap. */
interface Stages {
	open: number;
	ingested: number;
	scored: number;
	visible: number;
}

const kinds = [
	{ name: "of every status", status: undefined },
	{ name: "all of them open", status: "Active" },
] as const;

async function measureLoads(bench: Bench, databases: Databases, say: (line: string) => void): Promise<Row[]> {
	const developers = await developerNames(databases);
	const measured = bench.size.alike(kinds);
	const loads = measured.map((): Stages[] => []);
	const moved: number[] = [];
	// Each load has numbers of its own: a stream drops an event that it has had. 36,000 requests need two letters.
	let series = 0;
	const { rounds, warmUps } = bench.size.turns(1);
	for (let round = -warmUps; round < rounds; round++)
		for (const [at, { name, status }] of measured.entries()) {
			if (round < 0 && at > 0) continue;
			await forgetRequests(databases);
			const letter = String.fromCharCode(65 + 2 * series++);
			const list = madeUpList({ rows: bench.size.requests, series: letter, developers, ...(status && { status }) });
			const load = await loadOnce(bench, databases, asFile(list).bytes);
			const baseline = await moveEvents(bench, bench.size.requests);
			say(`first load, ${name}: ${noted([load])}`);
			if (round < 0) continue;
			loads[at]?.push(load);
			moved.push(baseline);
		}
	return measured.flatMap(({ name }, at) =>
		rowsOf(`${bench.size.requests.toLocaleString("en")} new requests, ${name}`, loads[at] ?? [], moved),
	);
}

function rowsOf(name: string, loads: Stages[], moved: number[]): Row[] {
	const measure = `${name}, until every score is in /projects`;
	const ours = loads.map((load) => load.visible);
	return [
		{
			measure: `${measure}, against JetStream alone`,
			unit: "ms",
			ours,
			baseline: moved,
			note: "the baseline moves as many events of 1 kB out and in",
		},
		{
			measure,
			unit: "ms",
			ours,
			baseline: ours.map(() => aimMs),
			aim: { atMost: 1 },
			note: `the baseline is the aim; ${noted(loads)}`,
		},
	];
}

function noted(loads: Stages[]): string {
	const at = (stage: keyof Stages) => Math.round(median(loads.map((load) => load[stage]))).toLocaleString("en");
	return `${at("open")} open; ingested at ${at("ingested")}, all scored at ${at("scored")}, visible at ${at("visible")}`;
}

async function loadOnce(bench: Bench, databases: Databases, bytes: Uint8Array): Promise<Stages> {
	const { queues, scoring } = databases;
	const started = performance.now();
	const since = () => performance.now() - started;
	const asOf = new Date().toISOString();
	const file = { name: "TransitionProjects.xml", path: "TransitionProjects.xml", bytes };
	const { outcome, reason } = await ingestSnapshot(queues, { region: "PJM", files: [file], asOf, accept: true });
	if (outcome !== "applied") throw new Error(`the list was ${outcome}, ${reason}`);
	const ingested = since();
	const [found] = await queues<{ open: number }[]>`
		select count(*) as open from projects where kind = 'generation' and status_std in ('Active', 'Suspended')`;
	const open = found?.open ?? 0;
	if (open === 0) throw new Error("the list has no open request");
	await until("every request is scored", async () => {
		// Counting reads them all: not while they are being written.
		if (!(await isQuiet(databases))) return false;
		const [row] = await scoring<{ scores: number }[]>`select count(*) as scores from scores`;
		return row?.scores === open;
	});
	const scored = since();
	await until("every score is copied", async () => (await isQuiet(databases)) && (await isCopied(databases)));
	await until("the gateway shows every score", async () => {
		const answer = await fetch(`${bench.url}/projects?per_page=1&min_score=0`);
		const { meta } = (await answer.json()) as { meta: { total: number } };
		return meta.total === open;
	});
	return { open, ingested, scored, visible: since() };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + patienceMs;
	while (!(await isSo())) {
		if (performance.now() > deadline) throw new Error(`not within ${patienceMs} ms: ${what}`);
		// Often enough for seconds, seldom enough to cost nothing beside them.
		await pause(100);
	}
}

/** Whether nothing is left to be computed or published. */
async function isQuiet({ queues, scoring, signals }: Databases): Promise<boolean> {
	const [marked] = await scoring<{ some: boolean }[]>`
		select exists (select from project_recompute_queue union all select from developer_recompute_queue union all select from outbox) as some`;
	if (marked?.some !== false) return false;
	for (const sql of [queues, signals]) {
		const [waiting] = await sql<{ some: boolean }[]>`select exists (select from outbox) as some`;
		if (waiting?.some !== false) return false;
	}
	return true;
}

/** Beside the requests stands what scoring last said of each. */
async function isCopied({ queues, scoring }: Databases): Promise<boolean> {
	const [missing] = await queues<{ some: boolean }[]>`
		select exists (select from projects where kind = 'generation' and status_std in ('Active', 'Suspended')
			and investability_score is null) as some`;
	if (missing?.some !== false) return false;
	const [[published], [seen]] = await Promise.all([
		scoring<{ sum: string }[]>`select sum(version)::text as sum from published_scores`,
		queues<{ sum: string }[]>`select sum(score_seen)::text as sum from projects`,
	]);
	return published !== undefined && published.sum === seen?.sum;
}

/** Half of them of the register, which is known from the start, half only named in this queue. */
async function developerNames({ queues, scoring }: Databases): Promise<string[]> {
	const known = await queues<{ name: string }[]>`
		select canonical_name as name from developers where known order by developer_id limit 500`;
	await until("the register has arrived", async () => {
		const [row] = await scoring<{ n: number }[]>`select count(*) as n from developers where known`;
		return row !== undefined && row.n >= known.length;
	});
	return known.flatMap(({ name }, at) => [name, `Kingfisher ${at} Renewables Holdings`]);
}

/** As before the first list: no request is known, and the developers are rated as having none. */
async function forgetRequests(databases: Databases): Promise<void> {
	const { queues, scoring, signals } = databases;
	await until("nothing is under way", () => isQuiet(databases));
	await until("signals has copied the last list", async () => {
		const [row] = await signals<{ n: number }[]>`select count(*) as n from projects`;
		const [all] = await queues<{ n: number }[]>`select count(*) as n from projects where id not like '%~%'`;
		return row !== undefined && row.n === all?.n;
	});
	await queues`truncate projects, project_versions, changes cascade`;
	await queues`delete from feeds where region = 'PJM'`;
	await signals`truncate projects cascade`;
	await scoring`truncate projects, published_scores cascade`;
	await scoring.begin(enqueueAll);
	await until("the developers are rated", () => isQuiet(databases));
}
