/** Greedy callers, one kind after the other, and what another caller notices of them. */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { root } from "../../../deploy/local/data-dir.ts";
import { fill } from "../../../tools/bench/fill.ts";
import { type Bench, startBench } from "../../../tools/bench/system.ts";
import type { FloodOptions } from "./flood.ts";

type Say = (line: string) => void;
type Flood = Omit<FloodOptions, "port">;

export interface ShareProbe {
	name: string;
	flood(keys: { free: string[]; unlimited: string }): Flood;
	/** The other caller's request besides its cheap one. */
	wants?: string;
}

const greedy = "127.0.0.2";
/** The only proxy that is trusted, and addresses that it forwards. */
const proxy = "127.0.0.1";
const addresses = (count: number, address: (place: number) => string) =>
	Array.from({ length: count }, (_, n) => address(n));

export const shareProbes: readonly ShareProbe[] = [
	{ name: "callers: none greedy", flood: () => ({ kind: "idle", connections: 0, addresses: [greedy], keys: [] }) },
	{
		name: "callers: 10,000 idle connections from one address",
		flood: () => ({ kind: "idle", connections: 10_000, addresses: [greedy], keys: [] }),
	},
	{
		name: "callers: 16 slow readers of an export, from four accounts",
		flood: ({ free }) => ({ kind: "readers", connections: 16, addresses: [greedy], keys: free }),
		wants: "/export/projects?format=csv&state=TX",
	},
	{
		name: "callers: 3,000 bodies that never end",
		flood: () => ({ kind: "bodies", connections: 3_000, addresses: [greedy], keys: [] }),
	},
	{
		name: "callers: one unlimited key, 20 connections, pages of 500",
		flood: ({ unlimited }) => ({ kind: "pages", connections: 20, addresses: [greedy], keys: [unlimited] }),
	},
	{
		name: "callers: eight connections of four accounts with statements that never end",
		flood: ({ free }) => ({ kind: "statements", connections: 8, addresses: [greedy], keys: free }),
	},
	{
		name: "callers: statements that never end from twelve addresses without a key",
		flood: () => ({
			kind: "statements",
			connections: 24,
			addresses: [proxy],
			forwarded: addresses(12, (n) => `192.0.2.${n + 1}`),
			keys: [],
		}),
		wants: "/query?database=master&sql=select+count(*)+from+projects",
	},
	{
		name: "callers: 2,000 event streams from 100 networks (/64) of one /56",
		flood: () => ({
			kind: "streams",
			connections: 2_000,
			addresses: [proxy],
			forwarded: addresses(100, (n) => `2001:db8:0:${(n + 0x100).toString(16)}::1`),
			keys: [],
		}),
		wants: "/changes/stream",
	},
	{
		name: "callers: connections that are reset at once, 16 at a time",
		flood: () => ({ kind: "resets", connections: 16, addresses: [greedy], keys: [] }),
	},
	{
		name: "callers: 32 webhooks whose servers answer 101, and 300 tests of them at once",
		flood: ({ free }) => ({ kind: "switchers", connections: 300, addresses: [greedy], keys: free }),
		wants: "/webhooks",
	},
];

/** Duration (ms) and rate (per second) of the other caller's requests. */
const [measuredMs, perSecond] = [10_000, 25];

/** Says a line of a table for each. Answers in how many of them a cheap request of the other caller failed. */
export async function probeShares(wanted: readonly ShareProbe[], say: Say): Promise<number> {
	if (wanted.length === 0) return 0;
	let failures = 0;
	Object.assign(process.env, { TRUSTED_PROXIES: proxy, WEBHOOKS_ALLOW_PRIVATE: "true" });
	await using system = await startBench(() => {});
	await fill(system, () => {});
	const issue = (name: string, plan: string) => issueKey(system.envOf("billing"), name, plan);
	const keys = {
		free: await Promise.all(["a", "b", "c", "d"].map((name) => issue(name, "Scale"))),
		unlimited: await issue("greedy", "Enterprise"),
		other: await issue("other", "Enterprise"),
	};
	const ids = (await system.sql<{ id: string }[]>`select id from projects order by md5(id) limit 500`).map(
		({ id }) => id,
	);
	const port = Number(new URL(system.url).port);
	// A process that has just started is slow.
	await measureOther(port, ids, keys.other);
	for (const probe of wanted) {
		const before = await readCosts(system);
		const flood = new Worker(join(import.meta.dirname, "flood.ts"), {
			workerData: { port, ...probe.flood(keys) } satisfies FloodOptions,
		});
		const opened = await new Promise<number>((resolve, reject) => flood.once("message", resolve).once("error", reject));
		const other = await measureOther(port, ids, keys.other);
		const more = probe.wants === undefined ? "" : `; ${await got(port, probe.wants, keys.other)}`;
		const { errors, logBytes } = await readCosts(system);
		const log = `${errors - before.errors} times 500, ${Math.round((logBytes - before.logBytes) / 1_024)} KiB of log`;
		const memory = `gateway ${rssMb(system.pidOf("gateway"))} MB, ${log}`;
		await flood.terminate();
		say(`| ${probe.name} (${opened} begun) | ${other.shown}${more} | ${memory} |`);
		if (other.failed > 0) failures++;
		await pause(2_000);
	}
	return failures;
}

/** One request by its id after the other, half of them on a new connection; in a line of the table. */
async function measureOther(port: number, ids: readonly string[], key: string) {
	const kept = new Agent({ keepAlive: true, localAddress: "127.0.0.3" });
	const times: number[] = [];
	const failures = new Map<string, number>();
	const requests: Promise<void>[] = [];
	const began = performance.now();
	for (let number = 0; performance.now() - began < measuredMs; number++) {
		const path = `/projects/${encodeURIComponent(ids[number % ids.length] ?? "")}`;
		const agent = number % 2 === 0 ? kept : undefined;
		const since = performance.now();
		requests.push(
			ask(port, path, key, agent).then(
				() => void times.push(performance.now() - since),
				(error: Error) => void failures.set(error.message, (failures.get(error.message) ?? 0) + 1),
			),
		);
		await pause(1_000 / perSecond);
	}
	await Promise.all(requests);
	kept.destroy();
	times.sort((a, b) => a - b);
	const quantile = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
	const reasons = [...failures].map(([reason, count]) => `${count} ${reason}`).join(", ");
	return {
		failed: failures.size,
		shown: `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, slowest ${times.at(-1)?.toFixed(1)} ms of ${times.length}; failed: ${reasons || "none"}`,
	};
}

/** @throws Error in one or two words. */
function ask(port: number, path: string, key: string, agent: Agent | undefined, withinMs = 15_000): Promise<number> {
	return new Promise((resolve, reject) => {
		const options = { port, host: "127.0.0.1", path, headers: { "x-api-key": key }, localAddress: "127.0.0.3" };
		const asking = request({ ...options, agent: agent ?? false, signal: AbortSignal.timeout(withinMs) }, (answer) => {
			let bytes = 0;
			answer.on("data", (some: Buffer) => (bytes += some.length));
			answer.once("error", reject);
			// A stream has no end: that it is open is all that is asked.
			if (answer.headers["content-type"] === "text/event-stream")
				answer.once("data", (first: Buffer) => {
					resolve(first.length);
					answer.destroy();
				});
			answer.once("end", () =>
				answer.statusCode === 200 ? resolve(bytes) : reject(new Error(String(answer.statusCode))),
			);
		});
		asking.once("error", (error: Error & { code?: string }) => reject(new Error(error.code ?? error.name))).end();
	});
}

async function got(port: number, path: string, key: string): Promise<string> {
	const since = performance.now();
	const outcome = await ask(port, path, key, undefined, 60_000).then(
		(bytes) => `${bytes} bytes`,
		(error: Error) => error.message,
	);
	return `what it wants: ${outcome} after ${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

async function issueKey(env: Record<string, string>, name: string, plan: string): Promise<string> {
	const program = join(root, "services", "billing", "admin/keys.ts");
	const args = [program, "issue", "--email", `${name}@example.org`, "--plan", plan];
	const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
	return /pk_\w{38}/.exec(stdout)?.[0] ?? "";
}

/** The number of the gateway's 500 responses, and the bytes of its log. */
async function readCosts(system: Bench): Promise<{ errors: number; logBytes: number }> {
	const metrics = await (await fetch(`http://127.0.0.1:${system.envOf("gateway").HEALTH_PORT}/metrics`)).text();
	const counts = [...metrics.matchAll(/^http_requests_total\{.*status="500".*\} (\d+)$/gm)];
	return {
		errors: counts.reduce((sum, [, count]) => sum + Number(count), 0),
		logBytes: statSync(join(system.directory, "logs", "gateway.log")).size,
	};
}

const rssMb = (pid: number): number =>
	Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
