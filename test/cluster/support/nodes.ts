/** Servers of which several are one: NATS as a cluster of three, PostgreSQL with a streaming standby. Each may be killed alone. */

import { existsSync, readFileSync } from "node:fs";
import type { Child, Children } from "../../../deploy/local/children.ts";
import { openHome } from "../../support/home.ts";

export interface Node extends AsyncDisposable {
	readonly directory: string;
	readonly pid: number;
	/** SIGKILL; the data stays. */
	kill(): Promise<void>;
	/** Starts it on the same port, with the same data. */
	start(): Promise<void>;
	/** Stops it and its processes by SIGSTOP: connections remain, nothing is answered. */
	hang(): void;
	resume(): void;
}

/** Runs a server now, and again on request. */
export async function runNode(run: (children: Children, directory: string) => Promise<Child>): Promise<Node> {
	const home = openHome();
	const { directory, children } = home;
	const close = () => home[Symbol.asyncDispose]();
	let child = await run(children, directory).catch(async (error: unknown) => {
		await close();
		throw error;
	});
	return {
		directory,
		get pid() {
			return child.pid;
		},
		async kill() {
			process.kill(child.pid, "SIGKILL");
			await child.exited;
		},
		async start() {
			child = await run(children, directory);
		},
		hang: () => signalAll(child.pid, "SIGSTOP"),
		resume: () => signalAll(child.pid, "SIGCONT"),
		[Symbol.asyncDispose]: close,
	};
}

/** PostgreSQL answers each connection in a process of its own. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
	process.kill(pid, signal);
	const list = `/proc/${pid}/task/${pid}/children`;
	const started = existsSync(list) ? readFileSync(list, "utf8").trim().split(" ") : [];
	for (const one of started.filter((text) => text !== "")) process.kill(Number(one), signal);
}
