/** Services as real processes, any number of each, beside one another on servers that the test has started. */
import { join } from "node:path";
import type { Child, Children, Exit } from "../../../deploy/local/children.ts";
import { freePort, host, root } from "../../../deploy/local/data-dir.ts";
import { type Service, services } from "../../../deploy/local/services.ts";
import { answersOk } from "../../../deploy/local/supervise.ts";
import { cacheOf } from "../../support/copied-tree.ts";
import { openHome } from "../../support/home.ts";
import { password } from "../../support/servers.ts";

export interface Replica {
	service: string;
	pid: number;
	/** Address of the gateway's HTTP; of others nothing answers there. */
	url: string;
	healthUrl: string;
	/** Settles when it has ended. */
	exited: Promise<Exit>;
	/** SIGTERM, and waits: what an orchestrator does. Throws with the end of its log when it did not end well. */
	stop(): Promise<void>;
	/** SIGKILL. */
	kill(): Promise<void>;
	/** The sum of a metric's values whose labels hold all of these words. */
	metric(name: string, ...labels: string[]): Promise<number>;
}

export interface ConstellationOptions {
	natsUrl: string;
	/** The database as a service's role. */
	urlOf(service: string): string;
	/** The same at a standby. */
	readUrlOf?(service: string): string;
	/** Settings of every service, by name. */
	env?: Record<string, string>;
}

export interface StartOptions {
	/** The tree whose code is run (this one when absent). */
	tree?: string;
	env?: Record<string, string>;
	/** Answers at once, before it is ready. */
	unready?: boolean;
}

export interface Constellation extends AsyncDisposable {
	start(service: string, options?: StartOptions): Promise<Replica>;
}

/** Longest start (ms): other tests have the same two cores. */
const readyMs = 120_000;

/** Prepares it without starting anything. Disposal ends the started processes, last first. */
export function openConstellation(options: ConstellationOptions): Constellation {
	const home = openHome();
	const { children } = home;
	let started = 0;
	return {
		async start(name, { tree = root, env = {}, unready = false } = {}) {
			const service = services.find((one) => one.name === name);
			if (service === undefined) throw new Error(`there is no service ${name}`);
			const [port, healthPort] = [await freePort(), await freePort()];
			const child = children.launch({
				name: `${name}-${++started}`,
				program: process.execPath,
				args: ["--import", join(tree, "libs/service/telemetry.ts"), join(tree, "services", name, "main.ts")],
				cwd: tree,
				env: {
					...{ ...process.env, ...environment(service, options, { port, healthPort }), ...cacheOf(tree) },
					...{ ...options.env, ...env },
				},
			});
			const replica = replicaOf(name, children, child, { port, healthPort });
			if (!unready) await children.ready(child, () => answersOk(`${replica.healthUrl}/ready`), readyMs);
			return replica;
		},
		[Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
	};
}

interface Ports {
	port: number;
	healthPort: number;
}

function environment(service: Service, options: ConstellationOptions, { port, healthPort }: Ports) {
	const { name, schema } = service;
	return {
		HOST: host,
		HEALTH_HOST: host,
		HEALTH_PORT: String(healthPort),
		LOG_LEVEL: "warn",
		NATS_URL: options.natsUrl,
		NATS_USER: name,
		NATS_PASSWORD: password,
		...(schema !== undefined && { POSTGRES_URL: options.urlOf(name) }),
		...(schema !== undefined && options.readUrlOf && { POSTGRES_READ_URL: options.readUrlOf(name) }),
		...(name === "gateway" && { PORT: String(port) }),
	};
}

function replicaOf(service: string, children: Children, child: Child, { port, healthPort }: Ports): Replica {
	const healthUrl = `http://${host}:${healthPort}`;
	return {
		service,
		pid: child.pid,
		url: `http://${host}:${port}`,
		healthUrl,
		exited: child.exited,
		async stop() {
			await child.stop();
			if (child.exit?.code !== 0) throw children.failure(child);
		},
		async kill() {
			process.kill(child.pid, "SIGKILL");
			await child.exited;
		},
		async metric(name, ...labels) {
			const text = await (await fetch(`${healthUrl}/metrics`)).text();
			const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
			const wanted = lines.filter((line) => labels.every((label) => line.includes(label)));
			return wanted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
		},
	};
}
