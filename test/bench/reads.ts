/** `GET /projects` through gateway, bus and service against a plain server, both closed-loop, both over the same table. */

import { deepEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../deploy/local/data-dir.ts";
import { fillTo, loadLists, productSize } from "./fill.ts";
import { interleave } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const run = promisify(execFile);
const connections = 24;
const seconds = 2;
const rounds = 5;

/** `{n}` is another number in each request, so that no answer is kept; every request still matches. */
const variants = [
	{ name: "per_page=50, repeated", path: "/projects?state=TX&per_page=50", aim: 1.2 },
	{ name: "per_page=500, repeated", path: "/projects?state=TX&per_page=500", aim: 2 },
	{ name: "per_page=50, uncached", path: "/projects?state=TX&per_page=50&capacity_min=-0.{n}1", aim: 1.2 },
	{ name: "per_page=500, uncached", path: "/projects?state=TX&per_page=500&capacity_min=-0.{n}1", aim: 2 },
];

export async function measureReads(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	await loadLists(bench.sql, say);
	await fillTo(bench.sql, productSize);
	const ours = Number(new URL(bench.url).port);
	const theirs = await startBaseline(bench);
	const rows: Row[] = [];
	for (const { name, path, aim } of variants) {
		await sameAnswer(ours, theirs, path);
		const measured = await interleave(
			{ rounds },
			() => load(ours, path),
			() => load(theirs, path),
		);
		rows.push({ measure: `GET /projects?state=TX, ${name}`, unit: "requests/s", ...measured, aim: { atLeast: aim } });
		say(`${name}: done`);
	}
	return rows;
}

async function startBaseline(bench: Bench): Promise<number> {
	const port = await freePort();
	bench.launch({
		name: "baseline",
		program: process.execPath,
		args: [join(import.meta.dirname, "baseline-server.ts")],
		env: { ...process.env, POSTGRES_URL: bench.databaseUrl, PORT: String(port) },
	});
	for (let patience = 200; patience > 0; patience--) {
		const up = await fetch(`http://127.0.0.1:${port}/projects?state=TX`).catch(() => undefined);
		if (up?.ok) return port;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error("the baseline server does not start");
}

/** A comparison of servers that answer differently would say nothing. */
async function sameAnswer(ours: number, theirs: number, path: string): Promise<void> {
	const ask = async (port: number) => (await fetch(`http://127.0.0.1:${port}${path.replace("{n}", "0")}`)).json();
	const [a, b] = await Promise.all([ask(ours), ask(theirs)]);
	deepEqual(a, b);
}

let asked = 1;

/** Requests per second over one turn. */
async function load(port: number, path: string): Promise<number> {
	asked += 1_000_000;
	const task = JSON.stringify({ port, path, connections, seconds, first: asked });
	const { stdout } = await run(process.execPath, [join(import.meta.dirname, "closed-loop.ts"), task]);
	const { requests, seconds: took } = JSON.parse(stdout) as { requests: number; seconds: number };
	return requests / took;
}
