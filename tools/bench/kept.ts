/**
 * Answers that the gateway has, without a key and with one (identified, limited, metered), against what a Node.js process can send at all:
 * Fastify with the same bytes lying ready.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#libs/postgres/connect.ts";
import { services } from "../../deploy/local/services.ts";
import { schema as billingSchema } from "../../services/billing/migrate.ts";
import { issueKey } from "./access.ts";
import { compare, contest, startContestant } from "./contest.ts";
import { cpuSeconds } from "./cpu.ts";
import { fill, patienceMs } from "./fill.ts";
import { oursOf } from "./measure-reads.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

/** The answer of our own, as bytes that another process has from the beginning. */
export async function measureKept(bench: Bench, say: Say): Promise<Row[]> {
	await fill(bench, say, 0);
	await untilIdle(bench);
	const ours = oursOf(bench);
	const path = "/projects?state=TX&per_page=50";
	const file = join(bench.directory, "answer.json");
	writeFileSync(file, Buffer.from(await (await fetch(bench.url + path)).arrayBuffer()));
	const raw = await startContestant(bench, {
		name: "raw",
		program: process.execPath,
		args: [join(import.meta.dirname, "contestants", "raw-fastify.ts")],
		env: { FILE: file },
		ready: path,
	});
	await using billing = connect(bench.urlOf("billing"), { schema: billingSchema, name: "bench", max: 2 });
	const keyed = { ...ours, headers: { "X-API-Key": await issueKey(bench.url, billing) } };
	const results = await contest({ ours, keyed, raw }, { path, size: bench.size }, say);
	const measure = "GET /projects, 50 rows, kept";
	return [
		compare(`${measure}, without a key`, results, ["ours", "raw", "Fastify, bytes"], { atLeast: 0.5 }),
		compare(`${measure}, with a key`, results, ["keyed", "raw", "Fastify, bytes"], { atLeast: 0.25 }),
	];
}

/** Lists that were just loaded are scored and matched for a while, which would be counted among the requests. */
async function untilIdle(bench: Bench): Promise<void> {
	const pids = ["postgres", ...services.map(({ name }) => name)].map((name) => bench.pidOf(name));
	const seconds = bench.size.seconds(2);
	const deadline = performance.now() + patienceMs;
	for (let before = cpuSeconds(pids); ; ) {
		await pause(1_000 * seconds);
		const now = cpuSeconds(pids);
		if (now - before < seconds / 10) return;
		if (performance.now() > deadline) throw new Error("the services do not come to rest");
		before = now;
	}
}
