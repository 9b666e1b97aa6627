/** Servers that answer the same, asked in turn by the same load: what each answers a second, and what that costs the machine. */
import { deepEqual } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../deploy/local/data-dir.ts";
import { cpuSeconds } from "./cpu.ts";
import { type Loaded, load, type Task } from "./load.ts";
import { median, takeTurns } from "./measure.ts";
import { type Row, short } from "./report.ts";
import type { Bench, Size } from "./system.ts";

export interface Contestant {
	port: number;
	/** Processes that work on its answers. */
	pids: number[];
	headers?: Record<string, string>;
}

export interface Measured extends Loaded {
	/** CPU time a request, of everybody who worked on it (ms). */
	cpuMs: number;
}

export type Results<K extends string> = Record<K, Measured[]>;

type Contest = Pick<Task, "path" | "lines"> & { size: Size };

/** The number in the next request: `{n}` and `{line}` make the requests of all turns differ. */
let firstRequest = 1;

/** Throws where they answer differently: a comparison would say nothing. */
export async function contest<K extends string>(
	contestants: Record<K, Contestant>,
	task: Contest,
	say: (line: string) => void,
): Promise<Results<K>> {
	await sameAnswers(contestants, task.path);
	const turns = Object.entries<Contestant>(contestants).map(([name, contestant]) => [
		name,
		() => turn(contestant, task),
	]);
	const results = await takeTurns(task.size.turns(5), Object.fromEntries(turns) as Record<K, () => Promise<Measured>>);
	const rates = Object.entries<Measured[]>(results).map(
		([name, measured]) => `${name} ${short(median(measured.map(({ perSecond }) => perSecond)))}`,
	);
	say(`${task.path}: ${rates.join(", ")} requests/s`);
	return results;
}

async function turn({ port, pids, headers }: Contestant, { size, ...task }: Contest): Promise<Measured> {
	const seconds = size.seconds(2);
	firstRequest += 1_000_000;
	const before = cpuSeconds(pids);
	const loaded = await load({
		...task,
		port,
		connections: size.count(24),
		seconds,
		first: firstRequest,
		...(headers && { headers }),
	});
	const requests = loaded.perSecond * seconds;
	return { ...loaded, cpuMs: (1_000 * (cpuSeconds(pids) - before)) / requests };
}

async function sameAnswers(contestants: Record<string, Contestant>, path: string): Promise<void> {
	if (path.includes("{line}")) return;
	const answers = await Promise.all(
		Object.values(contestants).map(async ({ port, headers = {} }) =>
			(await fetch(`http://127.0.0.1:${port}${path.replace("{n}", "0")}`, { headers })).json(),
		),
	);
	for (const answer of answers) deepEqual(answer, answers[0]);
}

/** One line of the report: ours against one of the others. */
export function compare<K extends string>(
	measure: string,
	results: Results<K>,
	[ours, theirs, name]: readonly [K, K, string],
	aim?: Row["aim"],
): Row {
	const of = (contestant: K, what: keyof Measured) => results[contestant].map((measured) => measured[what]);
	return {
		measure,
		than: name,
		unit: "requests/s",
		ours: of(ours, "perSecond"),
		baseline: of(theirs, "perSecond"),
		p99: { ours: of(ours, "p99"), baseline: of(theirs, "p99") },
		cpuMs: { ours: of(ours, "cpuMs"), baseline: of(theirs, "cpuMs") },
		...(aim && { aim }),
	};
}

/** Starts a program that listens on `PORT`, and waits until it answers. Stopped with the bench. */
export async function startContestant(
	bench: Bench,
	{
		name,
		program,
		args,
		env,
		ready,
	}: { name: string; program: string; args: string[]; env: NodeJS.ProcessEnv; ready: string },
): Promise<Contestant> {
	const port = await freePort();
	const child = bench.launch({ name, program, args, env: { ...process.env, ...env, PORT: String(port) } });
	for (let patience = 400; patience > 0; patience--) {
		const up = await fetch(`http://127.0.0.1:${port}${ready}`).catch(() => undefined);
		if (up?.ok) return { port, pids: [child.pid] };
		await pause(50);
	}
	throw new Error(`${name} does not start`);
}
