/** Servers that a test may kill and start again, which the shared ones must not be. */

import type { Child, Children } from "../../deploy/local/children.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startNats } from "../../deploy/local/nats.ts";
import { startPostgres } from "../../deploy/local/postgres.ts";
import { startRedis } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { childrenOf, openHome, signal } from "../support/home.ts";
import { type Lost, natsDisk } from "../support/nats-disk.ts";
import { natsPasswords, password } from "../support/servers.ts";

export interface MortalServer extends AsyncDisposable {
	url: string;
	/** Where it keeps its files. */
	directory: string;
	readonly pid: number;
	/** SIGKILL; the data stays. */
	kill(): Promise<void>;
	/** Starts it on the same port, with the same data. */
	start(): Promise<void>;
	/** Stops it and its processes by SIGSTOP: connections remain, nothing is answered. */
	hang(): void;
	/** Continues it, with everything that was sent meanwhile. */
	resume(): void;
}

export interface MortalNats extends MortalServer {
	/** The disk has what was written until now. */
	sync(): void;
	/** SIGKILL, and the disk has only what it had at the last `sync`. */
	cutPower(lost: Lost): Promise<void>;
}

export async function mortalNats(): Promise<MortalNats> {
	const port = await freePort();
	const passwords = natsPasswords();
	const server = await mortal((children, directory) =>
		startNats(children, directory, findServers()["nats-server"], { port, passwords }),
	);
	const disk = natsDisk(server.directory);
	return Object.assign(server, {
		sync() {
			server.hang();
			disk.sync();
			server.resume();
		},
		async cutPower(lost: Lost) {
			await server.kill();
			disk.lose(lost);
		},
	});
}

/** Keeps nothing: it is empty each time that it starts. */
export async function mortalRedis(): Promise<MortalServer> {
	const port = await freePort();
	return mortal((children, directory) =>
		startRedis(children, directory, findServers()["redis-server"], { port, password, operatorPassword: password }),
	);
}

/** The url has the administrator's role. */
export async function mortalPostgres(): Promise<MortalServer> {
	const port = await freePort();
	return mortal(async (children, directory) => {
		// Commits outlive a kill, as others may have read them; only a power cut would lose them.
		const options = { port, password, durable: false, more: ["synchronous_commit=on"] };
		const { child, adminUrl } = await startPostgres(children, directory, options);
		return { child, url: adminUrl };
	});
}

/** Runs a server in a folder that is deleted at the end. */
export async function mortal(
	run: (children: Children, directory: string) => Promise<{ child: Child; url: string }>,
): Promise<MortalServer> {
	await using stack = new AsyncDisposableStack();
	const { directory, children } = stack.use(openHome());
	let running = await run(children, directory);
	const owned = stack.move();
	return {
		url: running.url,
		directory,
		get pid() {
			return running.child.pid;
		},
		async kill() {
			process.kill(running.child.pid, "SIGKILL");
			await running.child.exited;
		},
		async start() {
			running = await run(children, directory);
		},
		hang: () => signalAll(running.child.pid, "SIGSTOP"),
		resume: () => signalAll(running.child.pid, "SIGCONT"),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** PostgreSQL answers each connection in a process of its own. */
function signalAll(pid: number, name: NodeJS.Signals): void {
	for (const one of [pid, ...childrenOf(pid)]) signal(one, name);
}
