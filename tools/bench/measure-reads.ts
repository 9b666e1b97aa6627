/**
 * Reads through gateway, bus and service against what one would otherwise run (Fastify with postgres.js, FastAPI with SQLite), and against
 * what is possible at all (Fastify sending bytes that lie ready): all closed-loop, in turn, over the same data.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Contestant, compare, contest, startContestant } from "./contest.ts";
import { startFastApi } from "./contestants/fastapi.ts";
import { fill } from "./fill.ts";
import { measureLatencies } from "./latencies.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;
/** Lists of another page or filter each time: `{n}` is another number in each request, and every request still matches. */
const lists = [
	{ name: "50 rows, uncached", path: "/projects?state=TX&per_page=50&capacity_min=-0.{n}1", fastify: 1.2, fastApi: 8 },
	{ name: "500 rows, uncached", path: "/projects?state=TX&per_page=500&capacity_min=-0.{n}1", fastify: 2, fastApi: 10 },
	{ name: "50 rows, repeated", path: "/projects?state=TX&per_page=50", fastify: 1.2 },
	{ name: "500 rows, repeated", path: "/projects?state=TX&per_page=500", fastify: 2 },
];

export async function measureReads(bench: Bench, say: Say): Promise<Row[]> {
	await fill(bench, say);
	const ours = oursOf(bench);
	const fastify = await startFastify(bench);
	const fastApi = await startFastApi(bench, say);
	return [
		...(await measureLists(bench, { ours, fastify, ...(fastApi && { fastApi }) }, say)),
		...(await measureOne(bench, { ours, fastify }, say)),
		...(await measureLatencies(bench, say)),
	];
}

/** The gateway, and all that work on its answers. */
export const oursOf = (bench: Bench): Contestant => ({
	port: Number(new URL(bench.url).port),
	pids: ["postgres", "nats", "redis", "gateway", "queue-ingest", "billing"].map((name) => bench.pidOf(name)),
});

async function startFastify(bench: Bench): Promise<Contestant> {
	const { port, pids } = await startContestant(bench, {
		name: "fastify",
		program: process.execPath,
		args: [join(import.meta.dirname, "contestants", "fastify-postgres.ts")],
		env: { POSTGRES_URL: bench.databaseUrl },
		ready: "/projects?state=TX",
	});
	return { port, pids: [...pids, bench.pidOf("postgres")] };
}

async function measureLists(
	{ size }: Bench,
	all: { ours: Contestant; fastify: Contestant; fastApi?: Contestant },
	say: Say,
): Promise<Row[]> {
	const { fastApi, ...always } = all;
	const rows: Row[] = [];
	for (const { name, path, fastify, fastApi: aim } of size.alike(lists)) {
		const measure = `GET /projects?state=TX, ${name}`;
		if (fastApi !== undefined && aim !== undefined) {
			const results = await contest({ ...always, fastApi }, { path, size }, say);
			rows.push(compare(measure, results, ["ours", "fastApi", "FastAPI, SQLite"], { atLeast: aim }));
			rows.push(compare(measure, results, ["ours", "fastify", "Fastify, postgres.js"], { atLeast: fastify }));
		} else {
			const results = await contest(always, { path, size }, say);
			rows.push(compare(measure, results, ["ours", "fastify", "Fastify, postgres.js"], { atLeast: fastify }));
		}
	}
	return rows;
}

/** Each request asks for another one, and there are more than the gateway keeps answers of. Copies have no numbers to be found by. */
async function measureOne(bench: Bench, both: { ours: Contestant; fastify: Contestant }, say: Say): Promise<Row[]> {
	const ids = await bench.sql<
		{ id: string }[]
	>`select id from projects where kind = 'generation' and id not like '%~bench%' order by md5(id)`;
	const lines = join(bench.directory, "ids.txt");
	writeFileSync(lines, ids.map(({ id }) => encodeURIComponent(id)).join("\n"));
	const results = await contest(both, { path: "/projects/{line}", lines, size: bench.size }, say);
	const measure = "GET /projects/{id}, uncached";
	return [compare(measure, results, ["ours", "fastify", "Fastify, postgres.js"], { atLeast: 0.7 })];
}
