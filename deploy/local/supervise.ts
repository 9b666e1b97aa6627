/** Starts a process, and restarts it, with increasing delays, whenever it ends by itself or does not answer. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import { describe } from "./program.ts";

export interface Supervised<T extends { child: Child }> {
	name: string;
	/** An engine resolves when it takes connections. */
	start(): Promise<T>;
	say(line: string): void;
	/**
	 * Whether it answers in time. When absent, only the end of the process is noticed. A NATS server before 2.9.12 (Debian 12 has 2.9.10) never
	 * answers again for a stream for which its disk had no room.
	 */
	isWell?(): Promise<boolean>;
	/** Between two checks (ms, 5,000 when absent). */
	everyMs?: number;
	/** Wait before each attempt (ms); the last one is repeated. */
	delaysMs?: readonly number[];
}

const delaysMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** A process that has run for this long is restarted after the shortest delay (ms). */
const steadyMs = 60_000;
/** Failed checks in a row after which a process is restarted: a single one can fail because the machine was busy or slept. */
const misses = 3;
const missPauseMs = 1_000;
const endWithinMs = 2_000;

/** Rejects if the first start fails; later ones are reported and tried again until everything is stopped. */
export async function supervise<T extends { child: Child }>(children: Children, supervised: Supervised<T>): Promise<T> {
	const first = await supervised.start();
	void keepRunning(children, supervised, first.child);
	return first;
}

async function keepRunning<T extends { child: Child }>(
	children: Children,
	supervised: Supervised<T>,
	first: Child,
): Promise<void> {
	const { name, say, delaysMs: delays = delaysMs } = supervised;
	let child = first;
	for (let attempt = 0; ; ) {
		const since = performance.now();
		let problem = await waitForEnd(children, supervised, child);
		if (performance.now() - since > steadyMs) attempt = 0;
		while (problem !== undefined) {
			if (children.closing) return;
			const delay = delays[Math.min(attempt++, delays.length - 1)] ?? 0;
			say(`${problem}\nStarting ${name} again in ${delay / 1000} s.`);
			await sleep(delay);
			if (children.closing) return;
			try {
				// An earlier attempt may not have been ready in time.
				for (const left of children.running.filter((other) => other.name === name)) await end(left);
				({ child } = await supervised.start());
				problem = undefined;
			} catch (error) {
				problem = describe(error);
			}
		}
	}
}

/** Resolves with the reason when it has ended, by itself or because it did not answer. */
async function waitForEnd<T extends { child: Child }>(
	children: Children,
	{ name, isWell, everyMs = 5_000 }: Supervised<T>,
	child: Child,
): Promise<string | undefined> {
	while (isWell !== undefined && child.exit === undefined) {
		await Promise.race([child.exited, sleep(everyMs, undefined, { ref: false })]);
		if (child.exit !== undefined || !(await isSilent(isWell))) continue;
		if (child.exit !== undefined || children.closing) continue;
		await end(child);
		return `${name} does not answer.`;
	}
	await child.exited;
	return children.failure(child).message;
}

/** Whether each of several checks fails. */
export async function isSilent(isWell: () => Promise<boolean>): Promise<boolean> {
	for (let miss = 1; !(await isWell()); miss++) {
		if (miss === misses) return true;
		await sleep(missPauseMs);
	}
	return false;
}

/** Kills the process if it does not stop in time, because it may hang. What it has acknowledged is in its files. */
async function end(child: Child): Promise<void> {
	const stopped = child.stop();
	await Promise.race([stopped, sleep(endWithinMs)]);
	if (child.exit === undefined) process.kill(child.pid, "SIGKILL");
	await stopped;
}

/** Whether a service reports that it takes requests. */
export async function answersOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
	} catch {
		return false;
	}
}

/** Whether a process of this machine takes connections at `port`. */
export function listens(port: number): Promise<boolean> {
	return new Promise((decide) => {
		const socket = connect(port, host);
		const end = (answer: boolean) => {
			socket.destroy();
			decide(answer);
		};
		socket.setTimeout(1_000, () => end(false));
		socket.once("connect", () => end(true)).once("error", () => end(false));
	});
}
