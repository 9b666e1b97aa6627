/** Servers of which several are one: NATS as a cluster of three, PostgreSQL with a streaming standby. Each may be killed alone. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, Children } from "../../../deploy/local/children.ts";
import { lockDirectory } from "../../../deploy/local/lock.ts";
import { removePlace } from "../../../deploy/local/postgres-place.ts";

export interface Node extends AsyncDisposable {
	readonly directory: string;
	readonly pid: number;
	/** SIGKILL; the data stays. */
	kill(): Promise<void>;
	/** On the same port, with the same data. */
	start(): Promise<void>;
	/** It hangs (SIGSTOP), with the processes that it has started: connections stay, nothing is answered. */
	hang(): void;
	resume(): void;
}

/** A folder of its own, which test/support clears up after a run that was killed. */
export function openFolder(): { directory: string; children: Children; close(): Promise<void> } {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-")));
	// PostgreSQL's own user has to pass through.
	chmodSync(directory, 0o711);
	lockDirectory(directory);
	const children = new Children(directory);
	return {
		directory,
		children,
		async close() {
			await children.close();
			removePlace(directory);
			rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** Runs a server now, and again whenever it is told to. */
export async function runNode(run: (children: Children, directory: string) => Promise<Child>): Promise<Node> {
	const { directory, children, close } = openFolder();
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
