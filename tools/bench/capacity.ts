/** The cost of a request in each process, from which the needs of a thousand, ten thousand and a hundred thousand a second follow. Writes the tables of docs/capacity.md. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#libs/postgres/connect.ts";
import { root } from "../../deploy/local/data-dir.ts";
import { schema as billingSchema } from "../../services/billing/migrate.ts";
import { rewriteBetween } from "../../test/support/rewrite-between.ts";
import { issueKey } from "./access.ts";
import { cpuSeconds } from "./cpu.ts";
import { lengthOf } from "./export-memory.ts";
import { fill } from "./fill.ts";
import { load, type Task } from "./load.ts";
import { median, takeTurns } from "./measure.ts";
import type { Row } from "./report.ts";
import { short } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

const workers = {
	gateway: ["gateway"],
	owners: ["queue-ingest", "signals", "scoring"],
	billing: ["billing"],
	PostgreSQL: ["postgres"],
	NATS: ["nats"],
	Redis: ["redis"],
} as const;
type Worker = keyof typeof workers;
/** CPU time of one request (ms). */
type Cost = Record<Worker, number>;

interface Asked {
	name: string;
	path: string;
	/** Share of the assumed mix of requests; they add up to 1. */
	share: number;
	lines?: boolean;
	headers?: Record<string, string>;
	status?: number;
}

const kept = "/projects?state=TX&per_page=50";

/** `{n}` is another number in each request: none was sent before. */
const questions: Asked[] = [
	{ name: "a list of 50 that is kept", path: kept, share: 0.55 },
	{ name: "the same, unchanged (304)", path: kept, share: 0.25, status: 304 },
	{ name: "a request by its id", path: "/projects/{line}", share: 0.12, lines: true },
	{ name: "a list of 50, asked for the first time", path: `${kept}&capacity_min=-0.{n}1`, share: 0.05 },
	{ name: "a list of 500, asked for the first time", path: "/projects?per_page=500&capacity_min=-0.{n}1", share: 0.01 },
	{ name: "a search, asked for the first time", path: "/search?per_page=20&q=solar%20{n}", share: 0.02 },
];

/** The planned use of a core, so that one replica less, or a busier hour, is no outage. */
const busy = 0.6;
const rates = [1_000, 10_000, 100_000];

export async function measureCapacity(bench: Bench, say: Say): Promise<Row[]> {
	await fill(bench, say);
	await using billing = connect(bench.urlOf("billing"), { schema: billingSchema, name: "bench", max: 2 });
	const key = { "X-API-Key": await issueKey(bench.url, billing) };
	const lines = join(bench.directory, "capacity-ids.txt");
	const ids = await bench.sql<{ id: string }[]>`select id from projects where kind = 'generation' order by md5(id)`;
	writeFileSync(lines, ids.map(({ id }) => encodeURIComponent(id)).join("\n"));
	const etag =
		(await fetch(bench.url + kept, { headers: { ...key, "Accept-Encoding": "identity" } })).headers.get("etag") ?? "";
	const measuredQuestions = bench.size.alike(questions, 3);
	const turns = measuredQuestions.map((question) => {
		const task: Omit<Task, "first"> = {
			port: Number(new URL(bench.url).port),
			path: question.path,
			connections: bench.size.count(24),
			seconds: bench.size.seconds(3),
			headers: { ...key, ...(question.status === 304 && { "If-None-Match": etag }) },
			...(question.lines === true && { lines }),
			...(question.status !== undefined && { status: question.status }),
		};
		return [question.name, () => costOf(bench, task)] as const;
	});
	const measured = await takeTurns(bench.size.turns(3), Object.fromEntries(turns));
	const costs = Object.fromEntries(measuredQuestions.map(({ name }) => [name, middle(measured[name] ?? [])]));
	const gigabyte = await exportCost(bench);
	for (const [name, cost] of Object.entries(costs)) say(`${name}: ${short(sum(cost))} ms of CPU`);
	const tables = renderTables(costs, gigabyte);
	if (bench.size.rewritesDocuments) rewriteBetween(join(root, "docs", "capacity.md"), marks, () => tables);
	return Object.entries(measured).map(([name, turn]) => ({
		measure: `CPU of ${name}, with a key`,
		unit: "ms",
		ours: turn.map(sum),
		baseline: [],
		note: Object.entries(middle(turn))
			.map(([worker, ms]) => `${worker} ${short(ms)}`)
			.join(", "),
	}));
}

let firstRequest = 1;

async function costOf(bench: Bench, task: Omit<Task, "first">): Promise<Cost> {
	firstRequest += 1_000_000;
	const before = usedBy(bench);
	const { perSecond } = await load({ ...task, first: firstRequest });
	// Usage is on its way to the ledger for a moment longer.
	await pause(300);
	const after = usedBy(bench);
	return mapped((worker) => (1_000 * (after[worker] - before[worker])) / (perSecond * task.seconds));
}

/** CPU seconds so far. */
const usedBy = (bench: Bench): Cost => mapped((worker) => cpuSeconds(workers[worker].map((name) => bench.pidOf(name))));

/** CPU seconds of a gigabyte of CSV. */
async function exportCost(bench: Bench): Promise<Cost> {
	const turns: Cost[] = [];
	const { rounds } = bench.size.turns(3);
	for (let round = 0; round < rounds; round++) {
		const before = usedBy(bench);
		const length = await lengthOf(`${bench.url}/export/projects`);
		const after = usedBy(bench);
		turns.push(mapped((worker) => ((after[worker] - before[worker]) * 1e9) / length));
	}
	return middle(turns);
}

function mapped(value: (worker: Worker) => number): Cost {
	return Object.fromEntries((Object.keys(workers) as Worker[]).map((worker) => [worker, value(worker)])) as Cost;
}
const middle = (turns: readonly Cost[]): Cost => mapped((worker) => median(turns.map((turn) => turn[worker])));
const sum = (cost: Cost): number => Object.values(cost).reduce((total, ms) => total + ms, 0);

const marks = ["<!-- table: npm run bench -- --only capacity -->", "<!-- end of the table -->"] as const;

function renderTables(costs: Record<string, Cost>, gigabyte: Cost): string {
	const names = Object.keys(workers) as Worker[];
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	const ruled = (head: readonly string[]) => [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:")))];
	const mixed = mapped((worker) =>
		questions.reduce((total, { name, share }) => total + share * (costs[name]?.[worker] ?? Number.NaN), 0),
	);
	const today = new Date().toISOString().slice(0, 10);
	return [
		`Written by \`npm run bench -- --only capacity\` on ${today}, on a machine of ${cpus().length} cores. CPU time of one request (ms):`,
		"",
		...ruled(["With a key, of 36,000 requests", ...names, "together", "share of the mix"]),
		...questions.map(({ name, share }) => costLine(name, costs[name] ?? mixed, `${Math.round(share * 100)} %`)),
		costLine("**the mix**", mixed, ""),
		"",
		`A gigabyte of CSV takes ${names.map((worker) => `${worker} ${short(gigabyte[worker])} s`).join(", ")} of CPU.`,
		"",
		`Cores at ${busy * 100} % for the mix, at so many requests a second:`,
		"",
		...ruled(["", ...names]),
		...rates.map((rate) => {
			const cores = names.map((worker) => Math.max(0.1, (rate * mixed[worker]) / 1_000 / busy));
			return line([rate.toLocaleString("en"), ...cores.map((count) => short(count))]);
		}),
	].join("\n");

	function costLine(name: string, cost: Cost, share: string): string {
		return line([name, ...names.map((worker) => short(cost[worker])), short(sum(cost)), share]);
	}
}
