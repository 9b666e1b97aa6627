/**
 * NATS as long as its streams answer. A server before 2.9.12 never answers again for a stream for which its disk had no room (Debian 12
 * has 2.9.10); what a client asked of that stream keeps the server from reading whatever else it asks. Then it is stopped and started anew.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Child, Children } from "./children.ts";
import type { Nats } from "./nats.ts";
import { describe } from "./sentence.ts";

export interface NatsKept {
	start(): Promise<Nats>;
	/** Whether its streams answer: false after waiting for as long as they may take. */
	isWell(): Promise<boolean>;
	/** Told each time it was started. */
	started(child: Child): void;
	say(line: string): void;
	/** From one look to the next (ms, 5,000 when absent). */
	everyMs?: number;
}

export interface KeptNats {
	url: string;
	/** Settles when it ended by itself. */
	ended: Promise<Child>;
}

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

export async function keepNats(children: Children, kept: NatsKept): Promise<KeptNats> {
	const { child, url } = await kept.start();
	kept.started(child);
	return { url, ended: watch(children, kept, child) };
}

async function watch(children: Children, kept: NatsKept, first: Child): Promise<Child> {
	let child = first;
	for (;;) {
		const hasEnded = await Promise.race([
			child.exited.then(() => true),
			pause(kept.everyMs ?? 5_000, false, { ref: false }),
		]);
		if (hasEnded) return child;
		if (!(await isSilent(kept.isWell)) || child.exit !== undefined || children.closing) continue;
		kept.say("NATS does not answer for its streams: starting it again.");
		await end(child);
		child = (await startAgain(children, kept)) ?? child;
	}
}

/** One that hangs does not end when it is asked to. What it has acknowledged is in its files. */
async function end(child: Child): Promise<void> {
	const stopped = child.stop();
	await Promise.race([stopped, pause(endWithinMs)]);
	if (child.exit === undefined) process.kill(child.pid, "SIGKILL");
	await stopped;
}

/** Until it runs: a disk that is still full has no room for its configuration either. Undefined when everything is stopped meanwhile. */
async function startAgain(children: Children, kept: NatsKept): Promise<Child | undefined> {
	while (!children.closing) {
		try {
			const { child } = await kept.start();
			kept.started(child);
			return child;
		} catch (error) {
			kept.say(`NATS could not be started again: ${describe(error)}`);
			await pause(missPauseMs);
		}
	}
	return undefined;
}
