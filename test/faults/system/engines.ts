/** PostgreSQL, NATS and Redis as a fault finds them: killed, paused, started again with what is on their disks. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { streamsRespond } from "#libs/bus/jetstream.ts";
import { operator } from "../../../deploy/engines/nats-users.ts";
import type { Child } from "../../../deploy/local/children.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { startNats } from "../../../deploy/local/nats.ts";
import { startPostgres } from "../../../deploy/local/postgres.ts";
import { startRedis } from "../../../deploy/local/redis.ts";
import { findServers } from "../../../deploy/local/server-programs.ts";
import { services } from "../../../deploy/local/services.ts";
import { isSilent } from "../../../deploy/local/supervise.ts";
import { childrenOf, signal, type Home as TestHome } from "../../support/home.ts";
import { natsDisk } from "../../support/nats-disk.ts";

export interface Engine {
	readonly port: number;
	readonly running: boolean;
	/** Starts it on the same port, with the same files, unless it runs. */
	start(): Promise<void>;
	/** SIGKILL to it and to all that it started, as when the power goes. */
	kill(): Promise<void>;
	/** SIGKILL to its first process alone. */
	killFirst(): Promise<void>;
	/** SIGSTOP to all of it: connections stay, nothing is answered. */
	pause(): void;
	resume(): void;
}

export const password = "test";
type Home = Pick<TestHome, "children" | "directory">;

export interface Engines {
	postgres: Engine & { adminUrl: string };
	nats: Engine & {
		loseFiles(): void;
		/** The disk has what was written until now. */
		sync(): void;
		/** Killed, and the disk has only what it had then. */
		cutPower(): Promise<void>;
		/** Killed, and what it wrote last is torn, as is what its object stores hold. */
		tearFiles(): Promise<void>;
		/** Restarts servers that stopped answering for their streams, as `npm run up` does all the time. */
		mend(): Promise<void>;
		/** Addresses of all nodes, past any link; one where there is no cluster. */
		url: string;
	};
	redis: Engine;
}

/** Homes of NATS' other nodes, which have no faults. */
export async function startEngines({ children, directory }: Home, peers: readonly Home[] = []): Promise<Engines> {
	const programs = findServers();
	const ports = { postgres: await freePort(), nats: await freePort(), redis: await freePort() };
	const passwords = Object.fromEntries([...services.map(({ name }) => name), operator].map((user) => [user, password]));
	const postgres = engine(ports.postgres, async () => {
		// Durable, as in production: what was answered is on the disk.
		const started = await startPostgres(children, directory, { port: ports.postgres, password, durable: true });
		return started.child;
	});
	const nodes: { home: Home; port: number; routes: number }[] = [];
	for (const home of [{ children, directory }, ...peers])
		nodes.push({ home, port: nodes.length === 0 ? ports.nats : await freePort(), routes: await freePort() });
	const [nats, ...others] = nodes.map(({ home, port, routes }, nth) => {
		const cluster = { node: `nats-${nth}`, port: routes, ports: nodes.map((node) => node.routes), password };
		const options = { port, passwords, ...(peers.length > 0 && { cluster }) };
		return engine(port, async () => {
			const { child } = await startNats(home.children, home.directory, programs["nats-server"], options);
			return child;
		});
	}) as [Engine, ...Engine[]];
	const redis = engine(ports.redis, async () => {
		const options = { port: ports.redis, password, operatorPassword: password };
		return (await startRedis(children, directory, programs["redis-server"], options)).child;
	});
	await Promise.all([postgres, nats, redis, ...others].map((one) => one.start()));
	const streams = { url: `nats://127.0.0.1:${ports.nats}`, user: operator, password };
	const mend = async () => {
		if (nats.running && (await isSilent(() => streamsRespond(streams)))) await nats.kill();
		await nats.start();
	};
	const disk = natsDisk(directory);
	const adminUrl = `postgres://postgres:${password}@127.0.0.1:${ports.postgres}/postgres`;
	return {
		postgres: Object.assign(postgres, { adminUrl }),
		nats: Object.assign(nats, {
			loseFiles: () => rmSync(join(directory, "nats", "jetstream"), { recursive: true }),
			sync() {
				nats.pause();
				disk.sync();
				nats.resume();
			},
			async cutPower() {
				await nats.kill();
				disk.lose("everything");
			},
			async tearFiles() {
				await nats.kill();
				disk.tear();
			},
			mend,
			url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
		}),
		redis,
	};
}

/** Tries to start; after a crash what is left of the last run may be in the way for a moment. */
const startAttempts = 40;

function engine(port: number, launch: () => Promise<Child>): Engine {
	let child: Child | undefined;
	let stopped: number[] = [];
	const isRunning = () => child !== undefined && child.exit === undefined;
	const everyPid = () => (child === undefined ? [] : [child.pid, ...childrenOf(child.pid)]);
	const killAll = async (pids: number[]) => {
		for (const pid of pids) signal(pid, "SIGKILL");
		await child?.exited;
	};
	return {
		port,
		get running() {
			return isRunning();
		},
		async start() {
			for (let attempt = 1; !isRunning(); attempt++) {
				try {
					child = await launch();
				} catch (error) {
					if (attempt === startAttempts) throw error;
					await pause(250);
				}
			}
		},
		kill: () => killAll(everyPid()),
		killFirst: () => killAll(everyPid().slice(0, 1)),
		pause() {
			stopped = everyPid();
			for (const pid of stopped) signal(pid, "SIGSTOP");
		},
		resume() {
			for (const pid of stopped.splice(0)) signal(pid, "SIGCONT");
		},
	};
}
