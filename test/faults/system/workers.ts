/** The services as processes of their own that are started again when they end, and what a fault does to them. */
import { setTimeout as pause } from "node:timers/promises";
import type { Child, Children } from "../../../deploy/local/children.ts";
import { root } from "../../../deploy/local/data-dir.ts";
import { mainArguments } from "../../../deploy/local/services.ts";
import { answersOk } from "../../../deploy/local/supervise.ts";
import { eventually } from "../../support/eventually.ts";
import { signal } from "../../support/home.ts";

export interface Worker {
	readonly name: string;
	readonly pid: number;
	/** Starts since the beginning. */
	readonly starts: number;
	readonly healthUrl: string;
	isReady(): Promise<boolean>;
	kill(): void;
	pause(): void;
	resume(): void;
	/** Kills it; it comes back with these settings on top of its own, until this is called again. */
	restartWith(settings: Record<string, string>): Promise<void>;
}

/** The pause of `npm run up` before it restarts a process that ended (ms). */
const restartMs = 500;

export interface WorkerOptions {
	name: string;
	healthPort: number;
	env: Record<string, string>;
}

/** Starts it and resolves when it is ready. It is kept alive until the children are closed. */
export async function startWorker(children: Children, { name, healthPort, env }: WorkerOptions): Promise<Worker> {
	let more: Record<string, string> = {};
	let starts = 0;
	const launch = () => {
		starts++;
		const settings = { ...process.env, ...env, ...more };
		return children.launch({ name, program: process.execPath, args: mainArguments(name), cwd: root, env: settings });
	};
	let child = launch();
	void keepAlive();
	const healthUrl = `http://127.0.0.1:${healthPort}`;
	const worker: Worker = {
		name,
		healthUrl,
		get pid() {
			return child.pid;
		},
		get starts() {
			return starts;
		},
		isReady: () => answersOk(`${healthUrl}/ready`),
		kill: () => signal(child.pid, "SIGKILL"),
		pause: () => signal(child.pid, "SIGSTOP"),
		resume: () => signal(child.pid, "SIGCONT"),
		async restartWith(settings) {
			more = settings;
			const before = starts;
			signal(child.pid, "SIGKILL");
			await eventually(async () => starts > before && (await worker.isReady()), { withinMs: 60_000 });
		},
	};
	await children.ready(child, worker.isReady);
	return worker;

	async function keepAlive(): Promise<void> {
		for (;;) {
			await child.exited;
			await pause(restartMs);
			if (children.closing) return;
			child = launchAgain(child);
		}
	}

	/** A full disk has no room for the record of a process: then the next round tries again. */
	function launchAgain(last: Child): Child {
		try {
			return launch();
		} catch {
			return last;
		}
	}
}
