/** What ends by itself is started again: the services, and the server that they can do without for a while. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Child, Children, Command } from "./children.ts";
import { describe } from "./sentence.ts";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** Who ran this long starts again without having to wait for long. */
const steadyMs = 60_000;

export interface Supervised {
	command: Command;
	/** Whether it takes requests. */
	isReady(): Promise<boolean>;
	/** Called each time it was started. */
	started(child: Child): void;
}

/** Starts a process, and starts it again whenever it ends by itself. Resolves when it is ready for the first time. */
export async function supervise(children: Children, service: Supervised, say: (line: string) => void): Promise<void> {
	const child = children.launch(service.command);
	service.started(child);
	await children.ready(child, () => service.isReady());
	void keepAlive(children, service, child, say);
}

async function keepAlive(children: Children, service: Supervised, first: Child, say: (line: string) => void) {
	let child = first;
	let delayMs = firstDelayMs;
	for (;;) {
		const since = performance.now();
		await child.exited;
		if (children.closing) return;
		delayMs = performance.now() - since > steadyMs ? firstDelayMs : delayMs;
		say(`${children.failure(child).message}\nStarting ${child.name} again in ${delayMs / 1000} s.`);
		await sleep(delayMs);
		delayMs = Math.min(delayMs * 2, longestDelayMs);
		if (children.closing) return;
		try {
			child = children.launch(service.command);
			service.started(child);
		} catch (error) {
			// No memory or no disk just now: that must not end what still runs. The next round tries again.
			say(`Starting ${child.name} again went wrong: ${describe(error)}`);
		}
	}
}

/** Whether a service says that it takes requests. */
export async function answersOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
	} catch {
		return false;
	}
}
