import { setTimeout as sleep } from "node:timers/promises";
import type { Child, Children, Command } from "./children.ts";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** Who ran this long starts again without having to wait for long. */
const steadyMs = 60_000;

export interface Supervised {
	command: Command;
	/** Answers 200 once the service takes requests. */
	readyUrl: string;
	/** Told each time it was started. */
	started(child: Child): void;
}

/** Starts a service, and starts it again whenever it ends by itself. Resolves when it is ready for the first time. */
export async function supervise(children: Children, service: Supervised, say: (line: string) => void): Promise<void> {
	const child = children.launch(service.command);
	service.started(child);
	await children.ready(child, () => answers(service.readyUrl));
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
		child = children.launch(service.command);
		service.started(child);
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
	} catch {
		return false;
	}
}
