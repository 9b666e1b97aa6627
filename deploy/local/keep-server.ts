/**
 * A server that everything else needs, for as long as it can be kept: it is started again when it has ended, and when it runs but
 * does not answer. A NATS server before 2.9.12 never answers again for a stream for which its disk had no room (Debian 12 has 2.9.10);
 * what a client asked of that stream keeps the server from reading whatever else it asks.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Child, Children } from "./children.ts";
import { describe, Sentence } from "./sentence.ts";

export interface Kept<T extends { child: Child }> {
	/** The name of its process. */
	name: string;
	/** Resolves when it takes connections. */
	start(): Promise<T>;
	/** Called each time it was started. */
	started(child: Child): void;
	say(line: string): void;
	/** Whether it answers: false after waiting for as long as that may take. As long as it runs, when absent. */
	isWell?(): Promise<boolean>;
	/** From one look to the next (ms, 5,000 when absent). */
	everyMs?: number;
	/** What is waited before each attempt (ms); there are no more attempts than these. */
	delaysMs?: readonly number[];
}

/** About two minutes in all. */
const delaysMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
/** Whatever ran for so long has all its attempts again. */
const steadyMs = 60_000;
/** One look can be unlucky: the machine was busy, or slept. */
const misses = 3;
const missPauseMs = 1_000;
const endWithinMs = 2_000;

/** Whether it was not well each time of several that it was asked. */
export async function isSilent(isWell: () => Promise<boolean>): Promise<boolean> {
	for (let miss = 1; !(await isWell()); miss++) {
		if (miss === misses) return true;
		await pause(missPauseMs);
	}
	return false;
}

/** Starts it. `broken` resolves when it is given up, with the reason; never, when everything is stopped before. */
export async function keepServer<T extends { child: Child }>(
	children: Children,
	kept: Kept<T>,
): Promise<T & { broken: Promise<Sentence> }> {
	const first = await kept.start();
	kept.started(first.child);
	return { ...first, broken: keep(children, kept, first.child) };
}

async function keep<T extends { child: Child }>(children: Children, kept: Kept<T>, first: Child): Promise<Sentence> {
	const delays = kept.delaysMs ?? delaysMs;
	let child = first;
	for (let attempt = 0; ; ) {
		const since = performance.now();
		let reason = await ended(children, kept, child);
		if (performance.now() - since > steadyMs) attempt = 0;
		for (let next: Child | undefined; next === undefined; attempt++) {
			if (children.closing) return await new Promise(() => {});
			const delay = delays[attempt];
			if (delay === undefined) return givenUp(kept.name, attempt, reason);
			kept.say(
				`${reason}\nStarting ${kept.name} again in ${delay / 1000} s (attempt ${attempt + 1} of ${delays.length}).`,
			);
			await pause(delay);
			try {
				next = child = await startAgain(children, kept);
			} catch (error) {
				reason = describe(error);
			}
		}
	}
}

const givenUp = (name: string, attempts: number, reason: string): Sentence =>
	new Sentence(`${name} could not be kept running: it was started again ${attempts} times. ${reason}`);

/** Resolves when it has ended, by itself or because it did not answer, with what there is to say of it. */
async function ended<T extends { child: Child }>(children: Children, kept: Kept<T>, child: Child): Promise<string> {
	const { isWell } = kept;
	if (isWell === undefined) await child.exited;
	while (child.exit === undefined) {
		await Promise.race([child.exited, pause(kept.everyMs ?? 5_000, undefined, { ref: false })]);
		if (child.exit !== undefined || isWell === undefined || !(await isSilent(isWell))) continue;
		if (child.exit !== undefined || children.closing) continue;
		await end(child);
		return `${kept.name} does not answer.`;
	}
	return children.failure(child).message;
}

/** One that hangs does not end when it is asked to. What it has acknowledged is in its files. */
async function end(child: Child): Promise<void> {
	const stopped = child.stop();
	await Promise.race([stopped, pause(endWithinMs)]);
	if (child.exit === undefined) process.kill(child.pid, "SIGKILL");
	await stopped;
}

async function startAgain<T extends { child: Child }>(children: Children, kept: Kept<T>): Promise<Child> {
	// Of an attempt that was not ready in time.
	for (const left of children.running.filter(({ name }) => name === kept.name)) await end(left);
	const { child } = await kept.start();
	try {
		kept.started(child);
	} catch (error) {
		// A full disk has no room for a note of it: it runs all the same.
		kept.say(`The start of ${kept.name} could not be noted: ${describe(error)}`);
	}
	return child;
}
